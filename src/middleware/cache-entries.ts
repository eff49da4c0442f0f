import { ResourceLink, type Wire } from '../core/content.js';
import { resourceContentsFromWire, toolResultFromWire } from '../core/from-wire.js';
import type { Given } from '../core/replay.js';
import type { CacheEntry } from '../core/stores.js';

/** What a store holds of an answer. */
interface Written {
  readonly answer: Wire | readonly Wire[];
  readonly links?: readonly Wire[];
}

/** An answer as a store holds it, with the links beside it. */
export function written({ answer, links }: Given): Written {
  const wire = 'toWire' in answer ? answer.toWire() : answer.map((contents) => contents.toWire());
  return links.length === 0 ? { answer: wire } : { answer: wire, links: links.map((link) => link.toWire()) };
}

/** A tool's answer as it was kept. @throws {Error} For what another version of this package wrote in another way. */
export function readResult({ json }: CacheEntry): Given {
  const { answer, links = [] } = frozen(JSON.parse(json) as Written);
  return {
    answer: toolResultFromWire(answer as Wire),
    links: toolResultFromWire({ content: links }).content.filter((block) => block instanceof ResourceLink),
  };
}

/** The same of a resource. @throws {Error} As {@link readResult}. */
export function readContents({ json }: CacheEntry): Given {
  const { answer } = frozen(JSON.parse(json) as Written);
  return { answer: (answer as readonly Wire[]).map(resourceContentsFromWire), links: [] };
}

/** Everybody who hits gets the same objects. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) frozen(item);
    Object.freeze(value);
  }
  return value;
}
