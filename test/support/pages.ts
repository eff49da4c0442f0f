/**
 * Follows the cursors of one list: each is passed through on the way to the next page.
 *
 * @throws {Error} For a cursor that was given before, and after a thousand pages, so that a test fails instead of hanging.
 */
export function cursors(): <T>(next: T) => T {
  const given = new Set<unknown>();
  return (next) => {
    if (given.has(next)) throw new Error(`the cursor ${String(next)} was given before`);
    if (given.add(next).size > 1000) throw new Error('the pages never end');
    return next;
  };
}
