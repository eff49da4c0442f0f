import type { ClientCapabilities } from '../core/client-port.js';
import type { Wire } from '../core/content.js';
import type { LayerHandle, ToolContext } from '../core/context.js';
import { ErrorCode, McpLayerError, MissingCapabilityError } from '../core/errors.js';
import type { Extension, ExtensionMethod, ExtensionRequest, ExtensionResult } from '../core/extension.js';
import { finding } from '../core/finding.js';
import { isRecord } from '../core/guards.js';
import { toJsonValue } from '../core/json-value.js';
import type { Principal } from '../core/principal.js';
import type { Layer } from '../layer/layer.js';
import type { Era } from './era.js';
import { LISTEN_KEYS } from './listen.js';
import { errorsOf } from './failures.js';
import { notification } from './messages.js';
import { BOTH, type Method, type RunningMethod } from './method.js';
import { METHOD_BY_NAME } from './methods/index.js';
import type { ActiveRequest } from './request.js';
import type { FilterSource } from './telling.js';

/** The extensions of a layer, as the engine uses them. */
export class Extensions implements FilterSource {
  /** Every method that is answered, those of the extensions too. Built-in ones stay what they are. */
  readonly methods: ReadonlyMap<string, Method>;
  readonly #layer: Layer;
  readonly #all: readonly Extension[];
  readonly #wrapped: ReadonlySet<string>;

  constructor(layer: Layer) {
    this.#layer = layer;
    this.#all = layer.options.extensions;
    const added = this.#all.flatMap((extension) =>
      (extension.methods ?? []).map((method) => [method.name, methodOf(extension, method)] as const),
    );
    this.methods = added.length === 0 ? METHOD_BY_NAME : new Map([...added, ...METHOD_BY_NAME]);
    this.#wrapped = new Set(this.#all.flatMap(({ around = {} }) => Object.keys(around)));
  }

  /** What clients of an era are told; `undefined` without extensions. */
  capabilities(era: Era): Wire | undefined {
    const offered = this.#all.filter((extension) => exists(extension, era));
    if (offered.length === 0) return undefined;
    return Object.fromEntries(offered.map((extension) => [extension.id, extension.settings?.(this.#layer) ?? {}]));
  }

  /** Whether an extension wraps a method, for some clients. */
  wraps({ name }: Method): boolean {
    return this.#wrapped.has(name);
  }

  /** Runs a method inside what wraps it for this client, the first extension outermost. */
  async wrap(method: Method, active: ActiveRequest, run: () => Promise<Wire>): Promise<Wire> {
    const chain = this.#all.flatMap((extension) => {
      const around = own(extension.around, method.name);
      const settings = declared(extension, active);
      return around === undefined || settings === undefined ? [] : [{ around, settings }];
    });
    const start = chain.reduceRight<() => Promise<ExtensionResult>>(
      (next, { around, settings }) =>
        async () =>
          resultOf(await around(new RequestOfExtension(active, settings), next), method.name),
      run,
    );
    return await start();
  }

  /** Whether a key of a listen filter is an extension's. */
  hears(key: string): boolean {
    return this.#all.some(({ listen }) => own(listen, key) !== undefined);
  }

  /**
   * What judges a key of a listen filter; `undefined` for a key of no extension.
   *
   * @throws {MissingCapabilityError} When the client did not declare the extension whose key it uses.
   */
  filter(key: string, active: ActiveRequest): ReturnType<FilterSource['filter']> {
    for (const extension of this.#all) {
      const filter = own(extension.listen, key);
      if (filter === undefined || !exists(extension, active.revision.era)) continue;
      const settings = declared(extension, active) ?? refuse(extension, active);
      return { filter, request: new RequestOfExtension(active, settings) };
    }
    return undefined;
  }
}

/** What of a layer's extensions collides with the protocol itself, each as "site: problem. remedy.". */
export function protocolCollisions(extensions: readonly Extension[]): string[] {
  return extensions.flatMap(({ id, methods = [], around = {}, listen = {} }) => {
    const site = `McpLayer: extension '${id}'`;
    const taken = methods.filter(({ name }) => METHOD_BY_NAME.has(name));
    const runs = [...METHOD_BY_NAME.values()].filter((method) => 'run' in method && method.streams !== true);
    const wrappable = runs.map(({ name }) => name);
    const keys = Object.keys(listen).filter((key) => LISTEN_KEYS.has(key));
    const wrong = Object.keys(around).filter((name) => !wrappable.includes(name));
    return [
      ...taken.map(({ name }) =>
        finding('CT109', `${site}: the method '${name}' is the protocol's. Choose another name, or use around.`),
      ),
      ...keys.map((key) => finding('CT109', `${site}: the listen key '${key}' is the protocol's. Choose another.`)),
      ...wrong.map((name) =>
        finding('CT108', `${site}: the method '${name}' cannot be wrapped. Use one of ${wrappable.join(', ')}.`),
      ),
    ];
  });
}

function methodOf(extension: Extension, method: ExtensionMethod): RunningMethod {
  const { name, nameParam } = method;
  const eras = (method.eras ?? BOTH).filter((era) => exists(extension, era));
  return {
    name,
    eras,
    nameParam,
    run: (_host, active) => {
      const settings = declared(extension, active) ?? refuse(extension, active);
      return method.run(new RequestOfExtension(active, settings));
    },
    result: (host, active, value) => host.finish(active.revision, plain(active, { ...resultOf(value, name) })),
  };
}

/** An extension is active once both sides declared it. In the handshake revisions the method is unknown until then. */
function refuse({ id }: Extension, { message, revision }: ActiveRequest): never {
  if (revision.era === 'handshake') {
    throw new McpLayerError(`Method not found: ${message.method}`, undefined, { code: ErrorCode.MethodNotFound });
  }
  throw new MissingCapabilityError(`This needs a client with the extension ${id}.`, { extensions: { [id]: {} } });
}

function exists({ eras = BOTH }: Extension, era: Era): boolean {
  return eras.includes(era);
}

/** What the client declared of an extension for this request; `undefined` where it did not, or it does not exist. */
function declared(extension: Extension, { peer, revision }: ActiveRequest): ExtensionResult | undefined {
  const { extensions } = peer.clientCapabilities;
  const settings = isRecord(extensions) ? own(extensions, extension.id) : undefined;
  return isRecord(settings) && exists(extension, revision.era) ? settings : undefined;
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** As JSON has it, with no more of Errors than their names. */
function plain(active: ActiveRequest, value: ExtensionResult): Wire {
  return toJsonValue(value, undefined, undefined, errorsOf(active.layer, active.message.method)) as Wire;
}

function resultOf(value: unknown, method: string): ExtensionResult {
  if (isRecord(value)) return value;
  throw new TypeError(`an extension answered ${method} with no object`);
}

/** One request, as an extension sees it. */
class RequestOfExtension implements ExtensionRequest {
  readonly #active: ActiveRequest;

  constructor(
    active: ActiveRequest,
    readonly clientSettings: ExtensionResult,
  ) {
    this.#active = active;
  }

  get id(): string | number {
    return this.#active.message.id;
  }

  get method(): string {
    return this.#active.message.method;
  }

  get params(): Readonly<Record<string, unknown>> {
    return this.#active.params;
  }

  get era(): Era {
    return this.#active.revision.era;
  }

  get protocolVersion(): string {
    return this.#active.revision.version;
  }

  get principal(): Principal {
    return this.#active.principal;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#active.peer.clientCapabilities;
  }

  get layer(): LayerHandle {
    return this.#active.layer;
  }

  get context(): ToolContext {
    return this.#active.context;
  }

  get signal(): AbortSignal {
    return this.#active.context.signal;
  }

  notify(method: string, params?: ExtensionResult): void {
    if (this.#active.cancelled) return;
    this.#active.carrier.notify(notification(method, params && plain(this.#active, params)));
  }
}
