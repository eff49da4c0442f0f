import type { Shape } from './model.js';

/** Whether somebody said what a list holds, where its shape alone does not tell. */
export interface ListFacts {
  /** `@Type` or `@Field(() => …)` names the elements, if only as `Object`. */
  readonly named: boolean;
  /** `@Field({ items: … })` describes them. */
  readonly described: boolean;
}

const ANYTHING = 'so models see a list of anything.';

/** What is doubtful of a list whose elements nobody described, as "problem. remedy."; `undefined` when nothing is. */
export function untypedList({ items, kind }: Shape, { named, described }: ListFacts): string | undefined {
  if (items === undefined || described) return undefined;
  if (items.kind === 'array' && items.items === undefined) {
    const of = kind === 'map' ? 'values' : 'elements';
    return `its ${of} are lists whose own elements have no type, ${ANYTHING} Describe them: @Field({ type: … }) with the whole schema.`;
  }
  if (kind === 'map' || named || items.kind !== 'any' || items.values !== undefined) return undefined;
  return `its elements have no type, ${ANYTHING} Add a validator with { each: true }, such as @IsString({ each: true }), or @Field(() => [String]).`;
}
