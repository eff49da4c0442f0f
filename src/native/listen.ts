import type { Wire } from '../core/content.js';
import { InvalidArgumentsError, McpLayerError } from '../core/errors.js';
import type { Change } from '../core/ports.js';
import { type Engine, method, type Method } from './engine.js';
import { MetaKey } from './era.js';
import { type JsonRpcNotification, notification, type Params } from './messages.js';
import { record } from './methods.js';
import type { ActiveRequest } from './request.js';

/** How many single resources one stream may name. */
const MAX_URIS = 1000;

/** The flags of a filter: the feature whose list each is about, and the kind of change it asks for. */
const FLAGS = [
  ['toolsListChanged', 'tools'],
  ['promptsListChanged', 'prompts'],
  ['resourcesListChanged', 'resources'],
] as const;

/** One open `subscriptions/listen`. */
interface Stream {
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

/** The open streams of the stateless era, whoever carries them. */
export class ListenStreams {
  readonly #open = new Set<Stream>();

  /** Opens a stream: acknowledges first, then tells of changes; answered when the server ends it. */
  readonly method: Method = method({
    run: (engine, active) => this.#start(engine, active),
    result: (engine, active) => engine.finish(active.revision, { _meta: tagOf(active) }),
  });

  get size(): number {
    return this.#open.size;
  }

  /** Tells every stream that asked for it. */
  changed(change: Change, onError: (error: unknown) => void): void {
    for (const { active, kinds, uris } of this.#open) {
      const wanted = change.kind === 'resource' ? uris.has(change.uri ?? '') : kinds.has(change.kind);
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

  #start(engine: Engine, active: ActiveRequest): Promise<void> {
    if (this.#open.size >= engine.options.maxListenStreams) {
      throw new McpLayerError('Too many open streams. Close one, or try again later.');
    }
    const { kinds, uris, honoured } = judge(engine, active, record(active.params, 'notifications'));
    active.carrier.notify(
      notification('notifications/subscriptions/acknowledged', { notifications: honoured, _meta: tagOf(active) }),
    );
    return new Promise((resolve) => {
      const end = (): void => {
        this.#open.delete(stream);
        resolve();
      };
      const stream: Stream = { active, kinds, uris, end };
      this.#open.add(stream);
      active.whenCancelled(end);
    });
  }
}

/** The id of the request that opened a stream, with its type, on everything that the stream carries. */
function tagOf({ message }: ActiveRequest): Wire {
  return { [MetaKey.SubscriptionId]: message.id };
}

/** The part of a filter that this server and this caller's rights allow. */
function judge({ capabilities, layer }: Engine, { principal }: ActiveRequest, filter: Params) {
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
  const named = filter['resourceSubscriptions'] ?? [];
  if (!isTextList(named))
    throw new InvalidArgumentsError('Invalid params: "resourceSubscriptions" must be a list of URIs.');
  if (named.length > MAX_URIS)
    throw new InvalidArgumentsError(`Invalid params: more than ${MAX_URIS} resources in one stream.`);
  const allowed = capabilities.subscribe && capabilities.has('resources') ? named : [];
  const uris = new Set(allowed.filter((uri) => layer.findResource(uri, principal) !== undefined));
  if (uris.size > 0) honoured['resourceSubscriptions'] = [...uris];
  return { kinds, uris, honoured };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
