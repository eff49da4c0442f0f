import type { AnyClass } from '../src/core/class.js';
import { lineage } from '../src/core/metadata.js';

/**
 * The ancestor whose constructor makes the instances of `cls`, where it takes parameters; `undefined` where `cls` has a
 * constructor of its own, or where none is to be filled. Only ancestors that were written with `class` count:
 * `EventEmitter` and its like are functions whose one parameter is optional.
 */
export function inheritedConstructor(cls: AnyClass): AnyClass | undefined {
  for (const owner of lineage(cls).reverse()) {
    const text = Function.prototype.toString.call(owner);
    if (!text.startsWith('class')) return undefined;
    if (/\bconstructor\s*\(/.test(text)) return owner === cls || owner.length === 0 ? undefined : owner;
  }
  return undefined;
}
