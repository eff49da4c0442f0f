import { type AnyClass, type Class, isClass } from '../core/class.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { emittedReturn } from '../core/metadata.js';
import { snakeCase } from '../core/names.js';
import type {
  PromptOptions,
  PromptRecord,
  ResourceRecord,
  ResourceTemplateRecord,
  ToolRecord,
} from '../core/records.js';
import type { UriTemplate } from '../core/uri-template.js';
import type { CompiledInput } from '../schema/input.js';
import { describesProperties } from '../schema/read/dto-class.js';
import { bindMethod } from './bound-method.js';
import type { Completions } from './completions.js';
import { PromptSpec } from './prompt-spec.js';
import { compileTemplate, ResourceSpec, ResourceTemplateSpec } from './resource-spec.js';
import type { ServiceReader } from './service-reader.js';
import { ToolSpec } from './tool-spec.js';

/** Where one decorated member stands. */
export interface Member {
  readonly reader: ServiceReader;
  readonly method: string;
  /** The class whose decorator it is. */
  readonly declaredBy: AnyClass;
}

/** @throws {ConfigurationError} When the method cannot be a tool as it is decorated. */
export function makeTool({ reader, method, declaredBy }: Member, record: ToolRecord): ToolSpec {
  const options = reader.options(record.options, method);
  const { acceptJsonText = false, openArguments = false } = options;
  const bound = bindMethod(reader, method, declaredBy, options.input);
  const output = options.output ?? returnClass(reader.cls, method);
  return new ToolSpec(
    {
      ...options,
      name: options.name ?? snakeCase(method),
      site: reader.site(method),
      service: reader.cls,
      compiledInput: bound.input({ acceptJsonText, openArguments }),
      ...(output === undefined ? {} : { output }),
    },
    bound.handler,
  );
}

/** The declared return class, where it describes itself. An async method's type says only that it is a promise. */
function returnClass(cls: Class, method: string): Class | undefined {
  const type = emittedReturn(cls, method);
  return isClass(type) && describesProperties(type) ? type : undefined;
}

/** @throws {ConfigurationError} When the method cannot be a resource as it is decorated. */
export function makeResource({ reader, method, declaredBy }: Member, record: ResourceRecord): ResourceSpec {
  const options = reader.options(record.options, method);
  const site = reader.site(method);
  const bound = bindMethod(reader, method, declaredBy);
  if (bound.takesArguments) {
    throw new ConfigurationError(
      finding('CT211', `${site}: a resource takes no arguments. Remove the parameter, or use @ResourceTemplate.`),
    );
  }
  return new ResourceSpec(
    { ...options, name: options.name ?? snakeCase(method), uri: record.uri, site, service: reader.cls },
    bound.handler,
  );
}

/** @throws {ConfigurationError} When the method cannot be a resource template as it is decorated. */
export function makeTemplate(
  { reader, method, declaredBy }: Member,
  record: ResourceTemplateRecord,
  completions: Completions,
): ResourceTemplateSpec {
  const options = reader.options(record.options, method);
  const site = reader.site(method);
  const bound = bindMethod(reader, method, declaredBy, options.input);
  const input = bound.input();
  const template = compileTemplate(site, record.uriTemplate);
  checkVariables(site, template, input);
  return new ResourceTemplateSpec(
    {
      ...options,
      name: options.name ?? snakeCase(method),
      uriTemplate: record.uriTemplate,
      site,
      service: reader.cls,
      compiledInput: input,
      completions: completions.take(method, template.variables),
    },
    bound.handler,
  );
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

/** @throws {ConfigurationError} When the method cannot be a prompt as it is decorated. */
export function makePrompt(
  { reader, method, declaredBy }: Member,
  record: PromptRecord,
  completions: Completions,
): PromptSpec {
  const { arguments: declared, ...options } = reader.options(record.options, method);
  const bound = bindMethod(reader, method, declaredBy, isClass(declared) ? declared : declared && {});
  const compiled = declared === undefined || isClass(declared) ? bound.input() : undefined;
  const known = compiled === undefined ? names(declared) : Object.keys(compiled.schema['properties'] ?? {});
  return new PromptSpec(
    {
      ...options,
      name: options.name ?? snakeCase(method),
      site: reader.site(method),
      service: reader.cls,
      ...(compiled === undefined ? { arguments: declared } : { compiledInput: compiled }),
      completions: completions.take(method, known),
    },
    bound.handler,
  );
}

function names(declared: PromptOptions['arguments']): readonly string[] {
  return declared === undefined || isClass(declared) ? [] : declared.map(({ name }) => name);
}
