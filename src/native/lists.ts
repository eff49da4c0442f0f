import type { Wire } from '../core/content.js';
import { InvalidArgumentsError } from '../core/errors.js';
import { type ListName, LISTS } from '../registry/kinds.js';
import { prepare } from './prepared.js';
import type { Revision } from './revisions.js';

/** What the answers to one list method are made of. */
export interface ListShape {
  readonly list: ListName;
  /** The key that holds the definitions. */
  readonly key: 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
  /** The key that tells one definition from the others, and that a cursor remembers. */
  readonly identity: 'name' | 'uri' | 'uriTemplate';
}

/** How each list is written. */
export const LIST_SHAPES: Readonly<Record<ListName, ListShape>> = LISTS;

/** The pages of one array of definitions in one revision, by the index that they start at. */
type Pages = Map<number, Wire>;

/**
 * Cuts lists into pages and keeps what it cut: as long as a layer gives the same array, the same page is the same
 * object, and its JSON is made once.
 *
 * A cursor remembers the last definition of its page, not a number, so that it works on every instance, survives
 * additions, and finds only what its caller may see. When that definition has gone, the cursor is refused: list anew.
 */
export class Lists {
  readonly #pageSize: number;
  readonly #finish: (revision: Revision, list: ListName, page: Wire) => Wire;
  readonly #pages = new WeakMap<readonly Wire[], Map<Revision, Pages>>();
  readonly #positions = new WeakMap<readonly Wire[], ReadonlyMap<unknown, number>>();

  /** @param finish Adds what results of a revision carry besides their content. */
  constructor(pageSize: number, finish: (revision: Revision, list: ListName, page: Wire) => Wire) {
    this.#pageSize = pageSize;
    this.#finish = finish;
  }

  /**
   * One page of `wires`, as a result.
   *
   * @param cursor As the client sent it; `undefined` for the first page.
   * @throws {InvalidArgumentsError} For a cursor that this list did not give, or whose place has gone.
   */
  page(shape: ListShape, wires: readonly Wire[], cursor: unknown, revision: Revision): Wire {
    const start = cursor === undefined ? 0 : this.#after(shape, wires, cursor);
    const pages = this.#pagesOf(wires, revision);
    let page = pages.get(start);
    if (page === undefined) {
      page = prepare(this.#cut(shape, wires, start, revision));
      pages.set(start, page);
    }
    return page;
  }

  #cut(shape: ListShape, wires: readonly Wire[], start: number, revision: Revision): Wire {
    const end = Math.min(start + this.#pageSize, wires.length);
    const items = wires.slice(start, end).map((wire) => revision.definition(shape.list, wire));
    const page: Wire = { [shape.key]: items };
    const last = wires[end - 1];
    if (end < wires.length && last !== undefined) page['nextCursor'] = encode(shape, last[shape.identity]);
    return this.#finish(revision, shape.list, page);
  }

  #after(shape: ListShape, wires: readonly Wire[], cursor: unknown): number {
    const identity = typeof cursor === 'string' ? decode(shape, cursor) : undefined;
    if (identity === undefined)
      throw new InvalidArgumentsError('Invalid cursor. Use one that this list gave, or none.');
    let positions = this.#positions.get(wires);
    if (positions === undefined) {
      positions = new Map(wires.map((wire, index) => [wire[shape.identity], index]));
      this.#positions.set(wires, positions);
    }
    const index = positions.get(identity);
    if (index === undefined)
      throw new InvalidArgumentsError('Expired cursor: the list changed. Begin again without one.');
    return index + 1;
  }

  #pagesOf(wires: readonly Wire[], revision: Revision): Pages {
    let byRevision = this.#pages.get(wires);
    if (byRevision === undefined) this.#pages.set(wires, (byRevision = new Map<Revision, Pages>()));
    let pages = byRevision.get(revision);
    if (pages === undefined) byRevision.set(revision, (pages = new Map<number, Wire>()));
    return pages;
  }
}

function encode({ list }: ListShape, identity: unknown): string {
  return Buffer.from(`${list}:${String(identity)}`).toString('base64url');
}

function decode(shape: ListShape, cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const { list } = shape;
  if (!text.startsWith(`${list}:`)) return undefined;
  const identity = text.slice(list.length + 1);
  // Decoding is lenient; only what encodes to the same text was ever a cursor.
  return encode(shape, identity) === cursor ? identity : undefined;
}
