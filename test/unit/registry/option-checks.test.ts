import { IsString } from 'class-validator';
import { Complete } from '../../../decorators/complete.js';
import { Describe } from '../../../decorators/describe.js';
import { Field } from '../../../decorators/field.js';
import { Arg } from '../../../decorators/parameters.js';
import { Prompt } from '../../../decorators/prompt.js';
import { ResourceTemplate } from '../../../decorators/resource-template.js';
import { Resource } from '../../../decorators/resource.js';
import { McpService } from '../../../decorators/service.js';
import { Tool } from '../../../decorators/tool.js';
import type { ConfigurationError } from '../../../src/core/errors.js';
import { McpLayer } from '../../../src/mcp-layer.js';
import { OriginHostGuard } from '../../../src/native/http/access/guard.js';
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

/** What is found when one method, or the class, is decorated so; the class and method are always `Tools.call`. */
function decorated(...decorators: readonly unknown[]): readonly string[] {
  class Tools {
    call(): string {
      return '';
    }
  }
  for (const decorator of decorators) (decorator as (target: object, method: string) => void)(Tools.prototype, 'call');
  return specsOfService(Tools).findings;
}

describe('the options of a decorator', () => {
  test.each<[unknown, readonly string[]]>([
    [
      Tool({ readonly: true, desription: 'x' } as never),
      [
        "no option 'readonly'. Did you mean 'readOnly'? [CT102]",
        "no option 'desription'. Did you mean 'description'? [CT102]",
      ],
    ],
    [Tool({ icons: 5 } as never), ['icons must be a list. Pass an array. [CT103]']],
    [Tool({ icons: [{ srcc: 'a' }] } as never), ["icons[0]: no option 'srcc'. Did you mean 'src'? [CT102]"]],
    [Tool({ icons: [{ mimeType: 'image/png' }] } as never), ['icons[0]: src is missing. Pass one. [CT103]']],
    [
      Tool({ icons: [{ src: 'a', theme: 'blue' }] } as never),
      ["icons[0]: theme must be one of 'light', 'dark'. Pass one. [CT103]"],
    ],
    [
      Tool({ icons: ['a'] } as never),
      ['icons[0]: the options must be an object. Pass one, such as { src: … }. [CT101]'],
    ],
    [Tool({ tags: 'abc' } as never), ['tags must be a list of names. Pass strings. [CT103]']],
    [Tool({ capabilities: 'exec' } as never), ['capabilities must be a list of names. Pass strings. [CT103]']],
    [Tool({ timeoutMs: '5' } as never), ['timeoutMs must be a number of milliseconds. Pass one. [CT103]']],
    [Tool({ destructive: 'no' } as never), ['destructive must be a boolean. Pass true or false. [CT103]']],
    [Tool(5 as never), ['the options must be an object. Pass one, such as { title: … }. [CT101]']],
    [
      Tool({ replace: true } as never),
      [
        "no option 'replace'. Use title, description, category, tags, sensitivity, capabilities, icons, meta, asks, name, input, output, readOnly, destructive, idempotent, openWorld, transformHints, timeoutMs, acceptJsonText, openArguments, confirm. [CT102]",
      ],
    ],
    [
      Resource('a://b', { annotations: { audiance: ['user'] } } as never),
      ["annotations: no option 'audiance'. Did you mean 'audience'? [CT102]"],
    ],
    [
      Resource('a://b', { annotations: { priority: 7 } }),
      ['annotations: priority is 7. Pass a number from 0 to 1. [CT103]'],
    ],
    [
      Resource('a://b', { annotations: { audience: ['model'] } } as never),
      ["annotations: audience must be a list of 'user' and 'assistant'. Pass one. [CT103]"],
    ],
    [Resource('a://b', { size: -1 }), ['size is -1. Pass a number of bytes. [CT103]']],
    [
      ResourceTemplate('a://{b}', { mimetype: 'text/plain' } as never),
      ["no option 'mimetype'. Did you mean 'mimeType'? [CT102]"],
    ],
    [
      Prompt({ arguments: [{ name: 'a', requird: true }] } as never),
      ["arguments[0]: no option 'requird'. Did you mean 'required'? [CT102]"],
    ],
    [Prompt({ arguments: [{ description: 'a' }] } as never), ['arguments[0]: name is missing. Pass one. [CT103]']],
    [
      Prompt({ arguments: [{ name: 'a' }, { nmae: 'b' }] } as never),
      ["arguments[1]: no option 'nmae'. Did you mean 'name'? [CT102]"],
    ],
  ])('are checked: case %#', (decorator, problems) => {
    expect(decorated(decorator)).toEqual(
      problems.map((problem) =>
        expect.stringMatching(new RegExp(`^Tools\\.call: ${problem.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)),
      ),
    );
  });

  test('that are undefined count as not set, and what is right has none', () => {
    expect(
      decorated(Tool({ title: undefined as never, icons: [{ src: 'a', sizes: ['any'], theme: 'dark' }], tags: ['a'] })),
    ).toEqual([]);
    expect(
      decorated(
        Resource('a://b', { size: 0, annotations: { audience: ['user'], priority: 1, lastModified: '2026-01-01' } }),
      ),
    ).toEqual([]);
    expect(decorated(Prompt({ arguments: [{ name: 'a', required: true, title: 't', description: 'd' }] }))).toEqual([]);
  });

  test('of a class are checked, and those of its ancestors', () => {
    class Base {}
    McpService({ scop: 'request' } as never)(Base);
    class Tools extends Base {
      @Tool()
      call(): string {
        return '';
      }
    }
    McpService({ scope: 'session', tags: 'abc' } as never)(Tools);
    expect(specsOfService(Tools).findings).toEqual([
      "Base (@McpService): no option 'scop'. Did you mean 'scope'? [CT102]",
      "Tools (@McpService): scope must be one of 'singleton', 'request'. Pass one. [CT103]",
      'Tools (@McpService): tags must be a list of names. Pass strings. [CT103]',
    ]);
  });

  test('of @Complete are two names', () => {
    expect(decorated(Tool(), Complete({ method: 'a' } as never, undefined as never))).toEqual([
      'Tools.call: @Complete takes the names of a method and an argument. Pass two texts. [CT103]',
    ]);
  });
});

describe('the keywords of @Field, @Describe and @Arg', () => {
  class Dto {
    @IsString() @Field({ desription: 'x' }) misspelt!: string;
    @IsString() @Field({ minLenght: 3, 'x-own': 1, enumTitles: {}, unit: 'kg' }) bound!: string;
    @IsString() @Field({ minLength: '3' }) typed!: string;
    @Field({ type: 'strin' }) whole!: string;
    @IsString() @Describe(5 as never) described!: string;
    @IsString() @Field(7 as never) nothing!: string;
    @IsString() @Field({ title: 'Fine', examples: ['a'], deprecated: true }) fine!: string;
  }

  class Tools {
    @Tool()
    dto(args: Dto): unknown {
      return args;
    }

    @Tool()
    single(@Arg('a', { type: 'string', patern: 'a' }) a: string): string {
      return a;
    }
  }

  test('are checked by the names of JSON Schema and by their values', () => {
    expect(specsOfService(Tools).findings).toEqual([
      "Dto.misspelt: no keyword 'desription'. Did you mean 'description'? One of your own begins with 'x-'. [CT102]",
      "Dto.bound: no keyword 'minLenght'. Did you mean 'minLength'? One of your own begins with 'x-'. [CT102]",
      'Dto.typed: minLength of the root is not a number. Make it one. [CT309]',
      'Dto.described: description must be text. Pass a string. [CT103]',
      'Dto.nothing: what @Field is given must be JSON Schema keywords. Pass an object. [CT101]',
      'Dto.whole: the root has the unknown type "strin". Use a JSON type. [CT309]',
      `Tools.single: argument "a" no keyword 'patern'. Did you mean 'pattern'? One of your own begins with 'x-'. [CT102]`,
    ]);
  });
});

describe('what a function is registered with', () => {
  const registry = new Registry();
  const handler = (): string => '';

  test('is checked as what a decorator is given', () => {
    expect(findingsOf(() => registry.tool({ name: 'a', descripton: 'x' } as never, handler))).toEqual([
      "tool 'a': no option 'descripton'. Did you mean 'description'? [CT102]",
    ]);
    expect(
      findingsOf(() => registry.prompt({ name: 'a', arguments: [{ name: 'b', requird: true }] } as never, handler)),
    ).toEqual(["prompt 'a': arguments[0]: no option 'requird'. Did you mean 'required'? [CT102]"]);
    expect(findingsOf(() => registry.resource({ uri: 'a://b', annotations: { priority: 7 } }, handler))).toEqual([
      "resource 'a://b': annotations: priority is 7. Pass a number from 0 to 1. [CT103]",
    ]);
    expect(
      findingsOf(() => registry.resourceTemplate({ uriTemplate: 'a://{b}', completion: {} } as never, handler)),
    ).toEqual(["resource template 'a://{b}': no option 'completion'. Did you mean 'completions'? [CT102]"]);
    expect(findingsOf(() => registry.tool(undefined as never, handler))).toEqual([
      'registry.tool: the options must be an object. Pass one, such as { title: … }. [CT101]',
    ]);
    expect(registry.size).toBe(0);
  });

  test('takes what only a registration takes', () => {
    registry.tool({ name: 'a', replace: true }, handler);
    registry.resourceTemplate({ uriTemplate: 'a://{b}', completions: { b: () => ['x'] }, replace: true }, handler);
    expect(registry.size).toBe(2);
  });
});

describe('the objects within other options', () => {
  const layer = new McpLayer({ name: 'a', version: '1' });

  test.each<[object, string]>([
    [{ guard: { allowHost: ['a'] } }, "OriginHostGuard: no option 'allowHost'. Did you mean 'allowedHosts'?"],
    [{ guard: { allowedHosts: 'a.example' } }, 'OriginHostGuard: allowedHosts must be a list of names. Pass strings.'],
    [{ cors: { origin: '*' } }, "cors: no option 'origin'. Did you mean 'origins'?"],
    [{ cors: { origins: 'https://a.example' } }, 'cors: origins must be a list of names. Pass strings.'],
    [{ cors: { maxAgeSeconds: -1 } }, 'cors: maxAgeSeconds is -1. Pass whole seconds.'],
    [{ legacySse: { path: '/sse' } }, "legacySse: no option 'path'. Use streamPath, messagePath."],
    [{ legacySse: { streamPath: 'sse' } }, 'legacySse: streamPath must be a path. Begin it with a slash.'],
  ])('of a handler are checked when it is made: %j', (options, problem) => {
    expect(() => layer.fetchHandler(options as never)).toThrow(problem);
    expect(() => layer.nodeHandler(options as never)).toThrow(problem);
  });

  test('of a handler pass when they are right', () => {
    layer.fetchHandler({
      guard: new OriginHostGuard({ allowedHosts: '*' }),
      cors: { origins: '*', maxAgeSeconds: 0 },
      legacySse: { streamPath: '/a', messagePath: '/b' },
    });
    layer.fetchHandler({ guard: { allowedHosts: ['a.example'] }, cors: true, legacySse: true });
  });

  test('of a layer are checked', () => {
    expect(findingsOf(() => new McpLayer({ name: 'a', version: '1', icons: [{ srcc: 'a' }] as never }))).toEqual([
      "McpLayer: icons[0]: no option 'srcc'. Did you mean 'src'? [CT102]",
    ]);
  });
});
