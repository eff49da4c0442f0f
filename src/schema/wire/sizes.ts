import { BOUNDS } from '../../core/bounds.js';
import type { ClassModel, Shape } from '../read/model.js';
import { reachableModels } from '../read/reflect.js';

/** How many parts (objects, properties, elements) a class's schema may have with everything written in place. */
const MAX_PARTS_IN_PLACE = BOUNDS.partsInPlace.default;

/** How many parts a class's schema may have at all. */
export const MAX_CLASS_PARTS = BOUNDS.classParts.default;

/** The classes that `model` refers to, once for each time that it does. */
export function directModels(model: ClassModel): ClassModel[] {
  const found: ClassModel[] = [];
  const visit = (shape: Shape): void => {
    if (shape.model !== undefined) found.push(shape.model);
    for (const variant of shape.union?.variants ?? []) found.push(variant.model);
    if (shape.items !== undefined) visit(shape.items);
  };
  for (const { shape } of model.properties) visit(shape);
  return found;
}

/** How many parts the schema of a class and of all it refers to has when each class is written once. */
export function partsOf(model: ClassModel): number {
  let parts = 0;
  for (const next of reachableModels(model)) parts += 1 + next.properties.length;
  return parts;
}

/**
 * The classes that are written once, in `$defs`, because `model` would be too large with all of them in place: those
 * that something refers to more than once. None while it is small, since many hosts resolve no references.
 */
export function sharedModels(model: ClassModel): ReadonlySet<ClassModel> {
  if (!isLarge(model)) return NONE;
  const seen = new Set<ClassModel>();
  const shared = new Set<ClassModel>();
  for (const next of reachableModels(model)) {
    for (const used of directModels(next)) {
      if (seen.has(used)) shared.add(used);
      seen.add(used);
    }
  }
  return shared;
}

const NONE: ReadonlySet<ClassModel> = new Set();

/** Looks no further than the size that counts, so a size that doubles with each level is known at once. */
function isLarge(model: ClassModel): boolean {
  let parts = 0;
  const above = new Set<ClassModel>();
  const visit = (next: ClassModel): void => {
    // A class within itself is a reference already.
    if (above.has(next) || parts > MAX_PARTS_IN_PLACE) return;
    parts += 1 + next.properties.length;
    above.add(next);
    for (const used of directModels(next)) visit(used);
    above.delete(next);
  };
  visit(model);
  return parts > MAX_PARTS_IN_PLACE;
}
