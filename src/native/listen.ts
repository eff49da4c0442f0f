import type { Wire } from '../core/content.js';
import { InvalidArgumentsError, McpLayerError } from '../core/errors.js';
import type { Change } from '../core/ports.js';
import type { Layer } from '../layer/layer.js';
import { mayHear } from '../layer/may-hear.js';
import { MetaKey } from './era.js';
import { type JsonRpcNotification, notification, type Params } from './messages.js';
import type { Listening, MethodHost } from './method.js';
import { record } from './methods/params.js';
import type { ActiveRequest } from './request.js';
import { type ShareLimits, Shares } from './shares.js';
import { MAX_SUBSCRIPTIONS } from './subscriptions.js';
import { type FilterSource, Telling } from './telling.js';

/** The flags of a filter: the feature whose list each is about, and the kind of change it asks for. */
const FLAGS = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
] as const;

/** The key of a filter that names single resources. */
const RESOURCES = 'resourceSubscriptions';

/** The keys of a filter that are the protocol's own. */
export const LISTEN_KEYS: ReadonlySet<string> = new Set([...FLAGS.map(([flag]) => flag), RESOURCES]);

/** One open `subscriptions/listen`. */
interface Stream {
  readonly owner: string;
  readonly active: ActiveRequest;
  readonly kinds: ReadonlySet<string>;
  readonly uris: ReadonlySet<string>;
  /** Ends the stream with a result. */
  readonly end: () => void;
}

/** The message that tells of a change: `notifications/tools/list_changed` and so on. `undefined` for a change of nothing. */
export function changeNotification({ kind, uri }: Change, meta?: Wire): JsonRpcNotification | undefined {
  const tag = meta === undefined ? {} : { _meta: meta };
  if (kind !== 'resource')
    return notification(`notifications/${kind}/list_changed`, meta === undefined ? undefined : tag);
  return uri === undefined ? undefined : notification('notifications/resources/updated', { uri, ...tag });
}

/** The open streams of the modern era, whoever carries them. */
export class ListenStreams implements Listening {
  readonly #open: Shares<Stream>;
  readonly #extensions: FilterSource;

  constructor(limits: ShareLimits, extensions: FilterSource) {
    // Each has a client that listens: none is idle.
    this.#open = new Shares(limits, { idle: () => false, usedAt: () => 0 });
    this.#extensions = extensions;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Tells every stream that asked for it, and whose caller may hear of it. */
  changed(change: Change, layer: Layer, onError: (error: unknown) => void): void {
    for (const { active, kinds, uris } of this.#open) {
      const { kind, uri = '' } = change;
      const wanted = kind === 'resource' ? uris.has(uri) && mayHear(layer, uri, active.principal) : kinds.has(kind);
      const message = wanted ? changeNotification(change, tagOf(active)) : undefined;
      if (message === undefined) continue;
      try {
        active.carrier.notify(message);
      } catch (error) {
        onError(error);
      }
    }
  }

  /** Ends every stream with its result, which tells clients that nothing broke. */
  close(): void {
    for (const stream of [...this.#open]) stream.end();
  }

  /**
   * Acknowledges, then tells of changes. Resolves when the server ends the stream, or the client withdraws it.
   *
   * @throws {McpLayerError} When too many are open.
   * @throws {InvalidArgumentsError} For a filter that is none.
   */
  async open(host: MethodHost, active: ActiveRequest): Promise<void> {
    this.#room(active);
    const filter = record(active.params, 'notifications');
    const { kinds, uris, honoured } = judge(host, active, filter);
    const foreign = Object.keys(filter).filter((key) => !LISTEN_KEYS.has(key) && this.#extensions.hears(key));
    const telling = foreign.length === 0 ? undefined : new Telling(active, tagOf(active));
    if (telling !== undefined) {
      await telling.judge(foreign, filter, this.#extensions);
      Object.assign(honoured, telling.honoured);
    }
    if (active.cancelled || this.#open.roomFor(active.principal.key) === false) telling?.end();
    if (active.cancelled) return;
    this.#room(active)?.end();
    active.carrier.notify(
      notification('notifications/subscriptions/acknowledged', { notifications: honoured, _meta: tagOf(active) }),
    );
    telling?.begin();
    await this.#untilEnd(active, kinds, uris);
    telling?.end();
  }

  #untilEnd(active: ActiveRequest, kinds: ReadonlySet<string>, uris: ReadonlySet<string>): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#open.delete(stream);
        resolve();
      };
      const stream: Stream = { owner: active.principal.key, active, kinds, uris, end };
      this.#open.add(stream);
      active.whenCancelled(end);
    });
  }

  /** The stream that has to end before one more opens, if one has to. */
  #room({ principal }: ActiveRequest): Stream | undefined {
    const room = this.#open.roomFor(principal.key);
    if (room === false) throw new McpLayerError('Too many open streams. Close one, or try again later.');
    return room === true ? undefined : room;
  }
}

/** The id of the request that opened a stream, with its type, on everything that the stream carries. */
export function tagOf({ message }: ActiveRequest): Wire {
  return { [MetaKey.SubscriptionId]: message.id };
}

/** The part of a filter that this server and this caller's rights allow. */
function judge({ capabilities, layer }: MethodHost, { principal }: ActiveRequest, filter: Params) {
  const kinds = new Set<string>();
  const honoured: Wire = {};
  for (const [flag, feature] of FLAGS) {
    const wanted = filter[flag];
    if (wanted !== undefined && typeof wanted !== 'boolean')
      throw new InvalidArgumentsError(`Invalid params: "${flag}" must be true or false.`);
    if (wanted !== true || !capabilities.listChanged || !capabilities.has(feature)) continue;
    kinds.add(feature);
    honoured[flag] = true;
  }
  const named = filter[RESOURCES] ?? [];
  if (!isTextList(named))
    throw new InvalidArgumentsError('Invalid params: "resourceSubscriptions" must be a list of URIs.');
  if (named.length > MAX_SUBSCRIPTIONS)
    throw new InvalidArgumentsError(`Invalid params: more than ${MAX_SUBSCRIPTIONS} resources in one stream.`);
  const allowed = capabilities.subscribe && capabilities.has('resources') ? named : [];
  const uris = new Set(allowed.filter((uri) => layer.findResource(uri, principal) !== undefined));
  if (uris.size > 0) honoured[RESOURCES] = [...uris];
  return { kinds, uris, honoured };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
