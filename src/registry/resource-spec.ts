import type { ContentAnnotations, Wire } from '../core/content.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { ResourceOptions, ResourceTemplateOptions } from '../core/records.js';
import { UriTemplate } from '../core/uri-template.js';
import type { CompiledInput } from '../schema/input.js';
import { compileParameters } from './compile-parameters.js';
import { type CompletionHandler, type Handler, Spec, type SpecOrigin, type WireOptions } from './spec.js';

const DEFAULT_MIME_TYPE = 'application/json';

/** A URI begins with a scheme. Source: RFC 3986, section 3.1. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** What a resource spec is built from, besides its handler. */
export type ResourceSpecOptions = ResourceOptions &
  SpecOrigin & {
    readonly uri: string;
    readonly name: string;
  };

/** A resource under one URI. */
export class ResourceSpec extends Spec {
  readonly kind = 'resource';
  readonly uri: string;
  readonly mimeType: string;
  readonly annotations: ContentAnnotations | undefined;
  readonly size: number | undefined;

  /** @throws {ConfigurationError} When the URI or an option cannot be used. */
  constructor(options: ResourceSpecOptions, handler: Handler) {
    const site = options.site ?? `resource '${options.uri}'`;
    super(site, options.name, handler, options, 'confidential');
    checkScheme(site, options.uri);
    checkFixed(site, options.uri);
    this.uri = options.uri;
    this.mimeType = options.mimeType ?? DEFAULT_MIME_TYPE;
    this.annotations = options.annotations;
    this.size = options.size;
    Object.freeze(this);
  }

  get id(): string {
    return this.uri;
  }

  override toWire(options: WireOptions = {}): Wire {
    const wire: Wire = { uri: this.uri, ...describe(this) };
    if (this.size !== undefined) wire['size'] = this.size;
    return this.finish(wire, options.metaPrefix);
  }
}

/** What a resource template spec is built from, besides its handler. */
export type ResourceTemplateSpecOptions = ResourceTemplateOptions &
  SpecOrigin & {
    readonly uriTemplate: string;
    readonly name: string;
    /** By variable. */
    readonly completions?: Readonly<Record<string, CompletionHandler>>;
  };

/** Resources whose URIs follow a template. */
export class ResourceTemplateSpec extends Spec {
  readonly kind = 'template';
  readonly template: UriTemplate;
  readonly mimeType: string;
  readonly annotations: ContentAnnotations | undefined;
  /** Checks and converts the variables; without it they reach the handler as text. */
  readonly input: CompiledInput | undefined;
  readonly completions: ReadonlyMap<string, CompletionHandler>;

  /** @throws {ConfigurationError} When the template, a completion or an option cannot be used. */
  constructor(options: ResourceTemplateSpecOptions, handler: Handler) {
    const site = options.site ?? `resource template '${options.uriTemplate}'`;
    super(site, options.name, handler, options, 'confidential');
    this.template = compileTemplate(site, options.uriTemplate);
    this.mimeType = options.mimeType ?? DEFAULT_MIME_TYPE;
    this.annotations = options.annotations;
    const parameters = options.parameters ?? options.input;
    this.input = parameters === undefined ? undefined : compileParameters(parameters, { site });
    if (options.parameters !== undefined && this.input !== undefined) checkVariables(site, this.template, this.input);
    const completions = options.completionsOf?.(this.variables) ?? options.completions ?? {};
    this.completions = new Map(Object.entries(completions));
    for (const name of this.completions.keys()) {
      if (this.variables.includes(name)) continue;
      throw new ConfigurationError(
        finding(
          'CT216',
          `${site}: a completion for '${name}', which is not one of its variables. Use ${this.variables.join(', ')}.`,
        ),
      );
    }
    Object.freeze(this);
  }

  get uriTemplate(): string {
    return this.template.text;
  }

  get id(): string {
    return this.template.text;
  }

  get variables(): readonly string[] {
    return this.template.variables;
  }

  match(uri: string): Record<string, string> | undefined {
    return this.template.match(uri);
  }

  expand(values: Readonly<Record<string, unknown>>): string {
    return this.template.expand(values);
  }

  override toWire(options: WireOptions = {}): Wire {
    return this.finish({ uriTemplate: this.uriTemplate, ...describe(this) }, options.metaPrefix);
  }
}

/** Every variable needs a place in the method's parameters, and every required argument a variable. */
function checkVariables(site: string, { text, variables, optionalVariables }: UriTemplate, input: CompiledInput): void {
  const properties = Object.keys(input.schema['properties'] ?? {});
  const required = (input.schema['required'] ?? []) as readonly string[];
  const findings = [
    ...variables
      .filter((name) => !properties.includes(name))
      .map((name) =>
        finding(
          'CT212',
          `no parameter takes the template variable '${name}'. Add it to the parameter's class, or @Arg('${name}').`,
        ),
      ),
    ...required
      .filter((name) => !variables.includes(name))
      .map((name) =>
        finding(
          'CT213',
          `'${name}' is required, but '${text}' has no such variable. Add {${name}}, or make it optional.`,
        ),
      ),
    ...optionalVariables
      .filter((name) => required.includes(name))
      .map((name) =>
        finding(
          'CT214',
          `'${name}' is required, but a URI may leave it out. Make it optional, or move it into the path.`,
        ),
      ),
  ];
  if (findings.length > 0) throw new ConfigurationError(findings.map((found) => `${site}: ${found}`));
}

function describe(spec: ResourceSpec | ResourceTemplateSpec): Wire {
  const wire: Wire = { name: spec.name, mimeType: spec.mimeType };
  if (spec.description !== '') wire['description'] = spec.description;
  if (spec.annotations !== undefined && Object.keys(spec.annotations).length > 0) {
    wire['annotations'] = spec.annotations;
  }
  return wire;
}

/**
 * Reads the text of a template.
 *
 * @throws {ConfigurationError} When it has no scheme or no variable, or cannot be expanded and matched.
 */
function compileTemplate(site: string, text: string): UriTemplate {
  checkScheme(site, text);
  const findings: string[] = [];
  let template: UriTemplate | undefined;
  try {
    template = new UriTemplate(text);
    if (template.variables.length === 0) {
      findings.push(
        finding('CT507', `'${text}' has no variables, so it is one URI. Use @Resource, or registry.resource().`),
      );
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    findings.push(...error.findings);
  }
  if (template === undefined || findings.length > 0) {
    throw new ConfigurationError(findings.map((found) => `${site}: ${found}`));
  }
  return template;
}

function checkFixed(site: string, uri: string): void {
  if (!/[{}]/.test(uri)) return;
  throw new ConfigurationError(
    finding(
      'CT506',
      `${site}: its URI is a template, and a resource has one URI. Use @ResourceTemplate, or registry.resourceTemplate().`,
    ),
  );
}

function checkScheme(site: string, uri: unknown): void {
  if (typeof uri === 'string' && SCHEME.test(uri)) return;
  throw new ConfigurationError(
    finding('CT503', `${site}: '${String(uri)}' has no scheme. Write a whole URI, such as 'docs://guide'.`),
  );
}
