import type { Wire } from '../../core/content.js';
import type { Feature } from '../capabilities.js';
import { LIST_SHAPES } from '../lists.js';
import { BOTH, running } from '../method.js';
import type { ListName } from '../../layer/catalog.js';

/** A method that answers with a list, page by page. */
export function listMethod<const N extends string>(name: N, list: ListName, feature: Feature) {
  return running<readonly Wire[], N, 'personal'>({
    name,
    eras: BOTH,
    feature,
    list,
    cacheable: 'personal',
    run: ({ layer }, { context }) => layer.list(list, { context }),
    result: ({ lists }, { params, revision }, wires) =>
      lists.page(LIST_SHAPES[list], wires, params['cursor'], revision),
  });
}
