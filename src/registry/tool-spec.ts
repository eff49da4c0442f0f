import { type Capability, deriveHints, type ToolHints } from '../core/capabilities.js';
import type { Wire } from '../core/content.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { JsonSchema } from '../core/json-schema.js';
import { NAME_PATTERN } from '../core/names.js';
import type { ToolOptions } from '../core/records.js';
import type { CompiledInput } from '../schema/input.js';
import { type CompiledOutput, compileOutput } from '../schema/output.js';
import { compileParameters, NO_PARAMETERS } from './compile-parameters.js';
import { compileConfirmation, type Confirmation } from './confirmation.js';
import { checkTimeout, type Handler, Spec, type SpecOrigin, type WireOptions } from './spec.js';

/** A tool's hints on the wire. Source: MCP, "Tool annotations". */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What a tool spec is built from, besides its handler. */
export type ToolSpecOptions = ToolOptions &
  SpecOrigin & {
    readonly name: string;
  };

const NO_HINTS: Readonly<Record<string, unknown>> = Object.freeze({});

/** A tool: its definition, its validator and its handler. */
export class ToolSpec extends Spec {
  readonly kind = 'tool';
  readonly input: CompiledInput;
  readonly output: CompiledOutput | undefined;
  readonly annotations: ToolAnnotations;
  readonly transformHints: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number | undefined;
  /** What the person is asked before it runs. */
  readonly confirm: Confirmation | undefined;

  /** @throws {ConfigurationError} When the name, the schemas or an option cannot be used. */
  constructor(options: ToolSpecOptions, handler: Handler) {
    const site = options.site ?? `tool '${options.name}'`;
    super(site, options.name, handler, options, 'confidential');
    checkName(site, this.name);
    checkTimeout(site, options.timeoutMs);
    const { acceptJsonText = false, openArguments = false } = options;
    const parameters = options.parameters ?? options.input ?? NO_PARAMETERS;
    this.input = compileParameters(parameters, { site, acceptJsonText, openArguments });
    this.output = options.output === undefined ? undefined : compileOutput(options.output, { site });
    const {
      confirm,
      destructive = confirm === undefined ? undefined : true,
      readOnly,
      idempotent,
      openWorld,
    } = options;
    const hints = { readOnly, destructive, idempotent, openWorld };
    this.annotations = annotate(this.title, this.declared ? this.capabilities : undefined, hints);
    this.transformHints = options.transformHints ?? NO_HINTS;
    this.timeoutMs = options.timeoutMs;
    this.confirm =
      options.confirm === undefined ? undefined : compileConfirmation(options.confirm, this.inputSchema, site);
    Object.freeze(this);
  }

  get id(): string {
    return this.name;
  }

  get inputSchema(): JsonSchema {
    return this.input.schema;
  }

  get outputSchema(): JsonSchema | undefined {
    return this.output?.schema;
  }

  /** Whether running it twice does no harm, which is what caching and retrying need: a person's answer is not for keeps. */
  get repeatable(): boolean {
    if (this.confirm !== undefined || this.asks.length > 0) return false;
    return this.annotations.readOnlyHint === true && this.annotations.idempotentHint === true;
  }

  /** Its annotations so far are what its author said: nothing was derived. */
  protected override derivedFrom(capabilities: ReadonlySet<Capability>): Pick<ToolSpec, 'annotations'> {
    const { destructiveHint, idempotentHint, openWorldHint, readOnlyHint } = this.annotations;
    const hints = {
      readOnly: readOnlyHint,
      destructive: destructiveHint,
      idempotent: idempotentHint,
      openWorld: openWorldHint,
    };
    return { annotations: annotate(this.title, capabilities, hints) };
  }

  /** @throws {ConfigurationError} When the exposed name does not fit the protocol's pattern. */
  override toWire(options: WireOptions = {}): Wire {
    const name = options.name ?? this.name;
    checkName(`tool '${this.name}'`, name);
    const wire: Wire = { name, description: this.description, inputSchema: this.inputSchema };
    if (this.outputSchema !== undefined && options.includeOutputSchema !== false) {
      wire['outputSchema'] = this.outputSchema;
    }
    if (Object.keys(this.annotations).length > 0) wire['annotations'] = this.annotations;
    return this.finish(wire, options.metaPrefix);
  }
}

function annotate(
  title: string | undefined,
  capabilities: ReadonlySet<Capability> | undefined,
  declared: ToolHints,
): ToolAnnotations {
  const hints = deriveHints(capabilities, declared);
  const annotations: { -readonly [K in keyof ToolAnnotations]: ToolAnnotations[K] } = {};
  if (title) annotations.title = title;
  if (hints.readOnly !== undefined) annotations.readOnlyHint = hints.readOnly;
  if (hints.destructive !== undefined) annotations.destructiveHint = hints.destructive;
  if (hints.idempotent !== undefined) annotations.idempotentHint = hints.idempotent;
  if (hints.openWorld !== undefined) annotations.openWorldHint = hints.openWorld;
  return Object.freeze(annotations);
}

/** @throws {ConfigurationError} When clients could not call something by this name. */
export function checkName(site: string, name: unknown): void {
  if (typeof name === 'string' && NAME_PATTERN.test(name)) return;
  throw new ConfigurationError(
    finding('CT501', `${site}: '${String(name)}' is not a valid name. Use 1 to 128 of 'A-Z a-z 0-9 _ . -'.`),
  );
}
