import ts from 'typescript';
import { openHouse, placeOf, walk, type House } from '../support/house-program.js';

const PLANTED = 'src/planted-private.ts';
const PLANTED_TEXT = [
  'export class Planted {',
  '  private a = 1;',
  '  _b = 2;',
  '  constructor(private readonly c: number) {}',
  '  private get d() { return this.a; }',
  '  #e = 3;',
  '  protected f = this.#e;',
  '}',
].join('\n');

/** Members that only their class may use, said otherwise than by `#`: the language keeps nobody from those. */
function openPrivates({ files }: House): string[] {
  const found: string[] = [];
  for (const file of files) {
    walk(file, (node) => {
      const isPrivate =
        ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword) === true;
      const isMarked = ts.isClassElement(node) && node.name?.getText().startsWith('_') === true;
      if (isPrivate || isMarked) found.push(placeOf(node));
    });
  }
  return found;
}

describe('private members', () => {
  let found: readonly string[];

  beforeAll(() => {
    found = openPrivates(openHouse({ [PLANTED]: PLANTED_TEXT }));
  }, 300_000);

  test('are written with #, which the language itself keeps', () => {
    expect(found.filter((place) => !place.startsWith(PLANTED))).toEqual([]);
  });

  test('that are written otherwise are found: a field, a name, a parameter, an accessor', () => {
    expect(found.filter((place) => place.startsWith(PLANTED))).toEqual(
      [2, 3, 4, 5].map((line) => `${PLANTED}:${line}`),
    );
  });
});
