import type { Wire } from '../core/content.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { PromptArgument, PromptOptions } from '../core/records.js';
import type { CompiledInput } from '../schema/input.js';
import { compileParameters, NO_PARAMETERS, type Parameters } from './compile-parameters.js';
import { checkTimeout, type CompletionHandler, type Handler, Spec, type SpecOrigin, type WireOptions } from './spec.js';
import { checkName } from './tool-spec.js';

/** One argument of a prompt, as the spec keeps it. */
export interface PromptArgumentSpec {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly required: boolean;
  readonly completion: CompletionHandler | undefined;
}

/** What a prompt spec is built from, besides its handler. */
export type PromptSpecOptions = PromptOptions &
  SpecOrigin & {
    readonly name: string;
    /** By argument. */
    readonly completions?: Readonly<Record<string, CompletionHandler>>;
  };

/** A prompt: its definition, its validator and its handler. */
export class PromptSpec extends Spec {
  readonly kind = 'prompt';
  readonly arguments: readonly PromptArgumentSpec[];
  readonly input: CompiledInput;
  readonly timeoutMs: number | undefined;

  /** @throws {ConfigurationError} When the name, the arguments or an option cannot be used. */
  constructor(options: PromptSpecOptions, handler: Handler) {
    const site = options.site ?? `prompt '${options.name}'`;
    super(site, options.name, handler, options, 'internal');
    checkName(site, this.name);
    checkTimeout(site, options.timeoutMs);
    this.input = compileParameters(options.parameters ?? parametersOf(options.arguments), { site });
    const completions = options.completionsOf?.(namesOf(this.input)) ?? options.completions ?? {};
    this.arguments = describeArguments(options.arguments, this.input, completions);
    this.timeoutMs = options.timeoutMs;
    for (const name of Object.keys(completions)) {
      if (this.arguments.some((argument) => argument.name === name)) continue;
      const known = this.arguments.map((argument) => argument.name).join(', ') || 'none: it takes no arguments';
      throw new ConfigurationError(
        finding('CT216', `${site}: a completion for '${name}', which is not one of its arguments. Use ${known}.`),
      );
    }
    Object.freeze(this);
  }

  get id(): string {
    return this.name;
  }

  /** @throws {ConfigurationError} When the exposed name does not fit the protocol's pattern. */
  override toWire(options: WireOptions = {}): Wire {
    const name = options.name ?? this.name;
    checkName(`prompt '${this.name}'`, name);
    const wire: Wire = { name, description: this.description };
    if (this.arguments.length > 0) {
      wire['arguments'] = this.arguments.map((argument) => ({
        name: argument.name,
        required: argument.required,
        ...(argument.description === '' ? {} : { description: argument.description }),
        ...(argument.title ? { title: argument.title } : {}),
      }));
    }
    return this.finish(wire, options.metaPrefix);
  }
}

/** Listed arguments are text. */
function parametersOf(source: PromptOptions['arguments']): Parameters {
  if (source === undefined) return NO_PARAMETERS;
  if (!isList(source)) return source;
  return source.map(({ name, required = false }) => ({ name, required, schema: { type: 'string' } }));
}

function namesOf({ schema }: CompiledInput): readonly string[] {
  return Object.keys(schema['properties'] ?? {});
}

function isList(source: unknown): source is readonly PromptArgument[] {
  return Array.isArray(source);
}

function describeArguments(
  source: PromptOptions['arguments'],
  input: CompiledInput,
  completions: Readonly<Record<string, CompletionHandler>>,
): readonly PromptArgumentSpec[] {
  const listed = isList(source) ? source : undefined;
  const required = (input.schema['required'] ?? []) as readonly string[];
  const properties = (input.schema['properties'] ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  return Object.entries(properties).map(([name, schema]) => {
    const own = listed?.find((argument) => argument.name === name);
    return {
      name,
      title: own?.title ?? (schema['title'] as string | undefined),
      description: own?.description ?? (schema['description'] as string | undefined) ?? '',
      required: required.includes(name),
      completion: completions[name],
    };
  });
}
