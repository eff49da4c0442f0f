import { type AnyClass, type Class, isClass } from '../core/class.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { emittedReturn } from '../core/metadata.js';
import { snakeCase } from '../core/names.js';
import type { PromptRecord, ResourceRecord, ResourceTemplateRecord, ToolRecord } from '../core/records.js';
import { describesProperties } from '../schema/read/dto-class.js';
import { bindMethod } from './bound-method.js';
import type { Completions } from './completions.js';
import { PromptSpec } from './prompt-spec.js';
import { ResourceSpec, ResourceTemplateSpec } from './resource-spec.js';
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
  const bound = bindMethod(reader, method, declaredBy, options.input);
  const output = options.output ?? returnClass(reader.cls, method);
  return new ToolSpec(
    {
      ...options,
      name: options.name ?? snakeCase(method),
      site: reader.site(method),
      service: reader.cls,
      parameters: bound.parameters,
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
  const bound = bindMethod(reader, method, declaredBy, options.input);
  return new ResourceTemplateSpec(
    {
      ...options,
      name: options.name ?? snakeCase(method),
      uriTemplate: record.uriTemplate,
      site: reader.site(method),
      service: reader.cls,
      parameters: bound.parameters,
      completionsOf: (known) => completions.take(method, known),
    },
    bound.handler,
  );
}

/** @throws {ConfigurationError} When the method cannot be a prompt as it is decorated. */
export function makePrompt(
  { reader, method, declaredBy }: Member,
  record: PromptRecord,
  completions: Completions,
): PromptSpec {
  const { arguments: declared, ...options } = reader.options(record.options, method);
  const bound = bindMethod(reader, method, declaredBy, isClass(declared) ? declared : declared && {});
  const isListed = declared !== undefined && !isClass(declared);
  return new PromptSpec(
    {
      ...options,
      name: options.name ?? snakeCase(method),
      site: reader.site(method),
      service: reader.cls,
      ...(isListed ? { arguments: declared } : { parameters: bound.parameters }),
      completionsOf: (known) => completions.take(method, known),
    },
    bound.handler,
  );
}
