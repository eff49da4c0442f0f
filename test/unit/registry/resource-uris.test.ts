import { Arg } from '../../../decorators/parameters.js';
import { ResourceTemplate } from '../../../decorators/resource-template.js';
import { Resource } from '../../../decorators/resource.js';
import { ConfigurationError } from '../../../src/core/errors.js';
import { Registry } from '../../../src/registry/registry.js';
import { specsOfService } from '../../../src/registry/service-specs.js';

function findingsOf(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    return (error as ConfigurationError).findings;
  }
}

/** Template texts, each on a method of its own. */
function templates(...texts: string[]): readonly string[] {
  return texts.flatMap((text) => {
    class Docs {
      page(name: string): string {
        return name;
      }
    }
    Arg('a', { type: 'string' })(Docs.prototype, 'page', 0);
    ResourceTemplate(text)(Docs.prototype, 'page');
    return specsOfService(Docs).findings;
  });
}

const FORMS = '{var}, {+var}, {?a,b} or {&a,b}';

describe('a URI that is not of its kind', () => {
  class Docs {
    @Resource('p://{sku}')
    fixed(): string {
      return '';
    }

    @ResourceTemplate('p://fixed')
    page(): string {
      return '';
    }
  }

  test('names the other decorator', () => {
    expect(specsOfService(Docs).findings).toEqual([
      'Docs.fixed: its URI is a template, and a resource has one URI. Use @ResourceTemplate, or registry.resourceTemplate(). [CT506]',
      "Docs.page: 'p://fixed' has no variables, so it is one URI. Use @Resource, or registry.resource(). [CT507]",
    ]);
  });

  test('is found where a function is registered, too', () => {
    expect(findingsOf(() => new Registry().resource({ uri: 'p://{sku}' }, () => ''))[0]).toMatch(
      /^resource 'p:\/\/\{sku\}': .*registry\.resourceTemplate\(\)\. \[CT506\]$/,
    );
    expect(findingsOf(() => new Registry().resourceTemplate({ uriTemplate: 'p://fixed' }, () => ''))[0]).toMatch(
      /^resource template 'p:\/\/fixed': .*registry\.resource\(\)\. \[CT507\]$/,
    );
    expect(findingsOf(() => new Registry().resourceTemplate({ uriTemplate: 'p://x{?a}' }, () => ''))).toEqual([]);
  });
});

describe('a template that cannot be matched', () => {
  test('names class and method, and the supported forms', () => {
    expect(templates('s://{', 's://{a}{a}', 's://{a}{b}', 's://}', 's://{a}/{a}', 's://{/a}', 's://{?a}x')).toEqual([
      `Docs.page: URI template 's://{': a '{' without its '}'. Close the expression, with ${FORMS}. [CT504]`,
      `Docs.page: URI template 's://{a}{a}': two variables touch. Put text between them, with ${FORMS}. [CT504]`,
      `Docs.page: URI template 's://{a}{b}': two variables touch. Put text between them, with ${FORMS}. [CT504]`,
      `Docs.page: URI template 's://}': a '}' without its '{'. Close what is open, or write %7D, with ${FORMS}. [CT504]`,
      `Docs.page: URI template 's://{a}/{a}': the variable 'a' occurs twice. Name each one once, with ${FORMS}. [CT504]`,
      `Docs.page: URI template 's://{/a}': '{/a}' is not supported. Use ${FORMS}. [CT504]`,
      `Docs.page: URI template 's://{?a}x': text after the query variables. Move it, with ${FORMS}. [CT504]`,
    ]);
  });

  test('and what is not text is no template', () => {
    expect(templates(undefined as never)[0]).toMatch(/^Docs\.page: 'undefined' has no scheme/);
  });
});
