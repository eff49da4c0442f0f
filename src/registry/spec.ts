import { CAPABILITIES, type Capability, SENSITIVITIES, type Sensitivity } from '../core/capabilities.js';
import type { Class } from '../core/class.js';
import type { Scope } from '../core/container.js';
import type { Icon, Wire } from '../core/content.js';
import type { ToolContext } from '../core/context.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { Primitive, PrimitiveKind } from '../core/ports.js';
import type { CommonOptions } from '../core/records.js';
import type { Parameters } from './compile-parameters.js';
import { compileForm, type Form } from '../schema/form.js';

/** What every key that this package writes into `_meta` begins with, unless the layer says otherwise. */
export const META_PREFIX = 'cartouche/';

/** Runs a primitive. `scope` gives instances of service classes; handlers that are functions have no use for it. */
export type Handler = (args: unknown, context: ToolContext, scope: Scope) => unknown;

/** Completes one argument: `given` are the arguments that the client already has. */
export type CompletionHandler = (
  partial: string,
  context: ToolContext,
  given: Readonly<Record<string, string>>,
  scope: Scope,
) => unknown;

/** How a definition is written for the wire. */
export interface WireOptions {
  /** The exposed name, with the layer's prefix. */
  readonly name?: string;
  readonly metaPrefix?: string;
  /** `false` withholds a tool's output schema. */
  readonly includeOutputSchema?: boolean;
}

/** Where a spec comes from. */
export interface SpecOrigin {
  /** Where errors say that it was written. Default: its kind and name. */
  readonly site?: string;
  /** The class whose method the handler is: a request-scoped one gets a scope for each request. */
  readonly service?: Class;
  /**
   * What the method's parameters say of its arguments, in place of the options.
   *
   * @internal
   */
  readonly parameters?: Parameters;
  /**
   * What completes the arguments that there are, in place of the options.
   *
   * @internal
   */
  readonly completionsOf?: (known: readonly string[]) => Readonly<Record<string, CompletionHandler>>;
}

/** Thousands of specs are made at once, and most of them have none of these. */
const NONE: readonly never[] = Object.freeze([]);
const NO_META: Readonly<Record<string, unknown>> = Object.freeze({});

/** What all four kinds of specs have. Immutable. */
export abstract class Spec implements Primitive {
  abstract readonly kind: PrimitiveKind;
  abstract readonly id: string;
  readonly name: string;
  /** How messages name it: `AssetTools.countAssets`. */
  readonly site: string;
  readonly handler: Handler;
  readonly service: Class | undefined;
  readonly title: string | undefined;
  readonly description: string;
  readonly category: string;
  readonly tags: ReadonlySet<string>;
  readonly sensitivity: Sensitivity;
  readonly capabilities: ReadonlySet<Capability>;
  readonly declared: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly icons: readonly Icon[];
  /** The forms that its handler asks with, as far as it says. */
  readonly asks: readonly Form[];

  /** @throws {ConfigurationError} When an option has no such value. */
  constructor(
    site: string,
    name: string,
    handler: Handler,
    options: CommonOptions & SpecOrigin,
    sensitivity: Sensitivity,
  ) {
    checkCommon(site, options);
    this.name = name;
    this.site = site;
    this.handler = handler;
    this.service = options.service;
    this.title = options.title;
    this.description = options.description ?? '';
    this.category = options.category ?? 'general';
    this.tags = new Set(options.tags);
    this.sensitivity = options.sensitivity ?? sensitivity;
    this.capabilities = new Set(options.capabilities);
    this.declared = options.capabilities !== undefined;
    this.meta = options.meta ?? NO_META;
    this.icons = options.icons ?? NONE;
    this.asks = options.asks === undefined ? NONE : options.asks.map((source) => compileForm(source, site));
  }

  abstract toWire(options?: WireOptions): Wire;

  /**
   * The same as one that declares these capabilities, where nobody declared any.
   *
   * @internal
   */
  declaring(capabilities: readonly Capability[] | undefined): this {
    if (this.declared || capabilities === undefined) return this;
    const copy = Object.create(Object.getPrototypeOf(this) as object) as this;
    const said = { capabilities: new Set(capabilities), declared: true };
    return Object.freeze(Object.assign(copy, this, said, this.derivedFrom?.(said.capabilities)));
  }

  /** What else follows from the capabilities that are declared for it. */
  protected derivedFrom?(capabilities: ReadonlySet<Capability>): object;

  /** Title, icons and `_meta`: what stands at the end of every definition. */
  protected finish(wire: Wire, metaPrefix = META_PREFIX): Wire {
    if (this.title) wire['title'] = this.title;
    if (this.icons.length > 0) wire['icons'] = this.icons;
    wire['_meta'] = {
      [`${metaPrefix}category`]: this.category,
      [`${metaPrefix}sensitivity`]: this.sensitivity,
      ...(this.tags.size > 0 ? { [`${metaPrefix}tags`]: [...this.tags] } : {}),
      ...this.meta,
    };
    return wire;
  }
}

/** `_meta` keys whose prefix has `modelcontextprotocol` or `mcp` as its second label. Source: MCP, "General fields". */
const RESERVED_META = /^[A-Za-z][A-Za-z0-9-]*\.(?:modelcontextprotocol|mcp)(?:\.[A-Za-z0-9-]+)*\//;

function checkCommon(site: string, options: CommonOptions): void {
  if (options.capabilities === undefined && options.sensitivity === undefined && options.meta === undefined) return;
  const findings: string[] = [];
  for (const capability of options.capabilities ?? []) {
    if (!CAPABILITIES.includes(capability)) {
      findings.push(finding('CT218', `${site}: no capability '${capability}'. Use ${CAPABILITIES.join(', ')}.`));
    }
  }
  if (options.sensitivity !== undefined && !SENSITIVITIES.includes(options.sensitivity)) {
    findings.push(
      finding('CT219', `${site}: no sensitivity '${options.sensitivity}'. Use ${SENSITIVITIES.join(', ')}.`),
    );
  }
  for (const key of Object.keys(options.meta ?? {})) {
    if (RESERVED_META.test(key)) {
      findings.push(
        finding('CT220', `${site}: the protocol reserves the _meta key '${key}'. Use a prefix of your own.`),
      );
    }
  }
  if (findings.length > 0) throw new ConfigurationError(findings);
}

/** A time-out that can be kept. @throws {ConfigurationError} When it is not a positive number of milliseconds. */
export function checkTimeout(site: string, timeoutMs: number | undefined): void {
  if (timeoutMs === undefined || (timeoutMs > 0 && timeoutMs <= 2 ** 31 - 1)) return;
  throw new ConfigurationError(
    finding('CT221', `${site}: timeoutMs ${timeoutMs} is out of range. Use 1 to ${2 ** 31 - 1} milliseconds.`),
  );
}
