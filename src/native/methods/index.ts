import type { ListName } from '../../layer/catalog.js';
import type { Cacheable, Method } from '../method.js';
import { completionComplete } from './completion-complete.js';
import { initialize } from './initialize.js';
import { loggingSetLevel } from './logging-set-level.js';
import { ping } from './ping.js';
import { promptsGet } from './prompts-get.js';
import { promptsList } from './prompts-list.js';
import { resourcesList } from './resources-list.js';
import { resourcesRead } from './resources-read.js';
import { resourcesSubscribe } from './resources-subscribe.js';
import { resourcesTemplatesList } from './resources-templates-list.js';
import { resourcesUnsubscribe } from './resources-unsubscribe.js';
import { serverDiscover } from './server-discover.js';
import { subscriptionsListen } from './subscriptions-listen.js';
import { toolsCall } from './tools-call.js';
import { toolsList } from './tools-list.js';

/** Every method of the protocol that is answered. What is known of one is known from here, and stands in its file. */
export const METHODS = Object.freeze([
  initialize,
  ping,
  serverDiscover,
  toolsList,
  toolsCall,
  resourcesList,
  resourcesTemplatesList,
  resourcesRead,
  resourcesSubscribe,
  resourcesUnsubscribe,
  promptsList,
  promptsGet,
  completionComplete,
  loggingSetLevel,
  subscriptionsListen,
] as const satisfies readonly Method[]);

const ALL: readonly Method[] = METHODS;

/** A method whose results carry cache hints. */
export type CacheableMethod = Extract<(typeof METHODS)[number], { readonly cacheable: Cacheable }>['name'];

/** The methods by name. */
export const METHOD_BY_NAME: ReadonlyMap<string, Method> = new Map(ALL.map((method) => [method.name, method]));

/** The methods whose answers say how long they may be kept, in the era that has such hints. */
export const CACHEABLE = Object.freeze(
  ALL.filter(({ cacheable }) => cacheable !== undefined).map(({ name }) => name),
) as readonly CacheableMethod[];

/** The method that answers with each list. */
export const LIST_METHODS = Object.freeze(
  Object.fromEntries(ALL.flatMap(({ list, name }) => (list === undefined ? [] : [[list, name]]))),
) as Readonly<Record<ListName, CacheableMethod>>;
