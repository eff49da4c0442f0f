import ts from 'typescript';
import { doorPaths, openDeclarations, pathOf, walk, type House } from '../support/house-program.js';

const PLANTED_DOOR = 'src/planted-door';
const PLANTED = {
  'src/planted-door.ts': "export { planted, PlantedHeir, type Shown } from './planted-room.js';\n",
  'src/planted-room.ts': [
    'interface Hidden { a: 1 }',
    'interface Inherited { a: 1 }',
    'class PlantedBase {\n  declare b: Inherited;\n}',
    'export class PlantedHeir extends PlantedBase {}',
    'export interface Shown {\n  a: 1;\n  /** @internal */\n  b: Hidden;\n}',
    'export const planted = (given: Hidden): Shown => ({ ...given, b: given });',
  ].join('\n'),
};

/** What the signatures behind the doors name of ours and no door exports, with the places that name it. */
function openEnds({ checker, files }: House): Map<string, string[]> {
  const declared = new Set(files);
  const doors = files.filter((file) => [...doorPaths(), PLANTED_DOOR].includes(sourcePath(file)));
  const shown = new Map<ts.Symbol, string>();
  for (const door of doors) {
    const module = checker.getSymbolAtLocation(door);
    for (const symbol of module === undefined ? [] : checker.getExportsOfModule(module)) {
      shown.set(resolved(checker, symbol), symbol.name);
    }
  }
  const ends = new Map<string, string[]>();
  const look = (symbol: ts.Symbol, shownAs: string): void => {
    for (const declaration of symbol.declarations ?? []) {
      if (!declared.has(declaration.getSourceFile())) continue;
      walk(declaration, (node) => {
        const name = namedType(node);
        if (name === undefined) return;
        const found = checker.getSymbolAtLocation(name);
        const named = found === undefined ? undefined : resolved(checker, found);
        if (named !== undefined && (shown.has(named) || isForeign(named, declared))) return;
        // `typeof LIST` of a list of names: whoever needs the type has the alias that says it.
        if (ts.isTypeQueryNode(node) && named !== undefined && (named.flags & ts.SymbolFlags.Class) === 0) return;
        // Nobody has to write the name of a base class, but all that it has belongs to the class that is shown.
        if (named !== undefined && isBaseClass(node)) {
          look(named, shownAs);
          return;
        }
        const key = named?.declarations === undefined ? `${name.getText()} (nowhere declared)` : nameOf(named);
        const places = ends.get(key) ?? ends.set(key, []).get(key);
        const place = [shownAs, memberOf(node, declaration)].filter((part) => part !== '').join('.');
        if (places?.includes(place) === false) places.push(place);
      });
    }
  };
  for (const [symbol, shownAs] of shown) look(symbol, shownAs);
  return ends;
}

/** The name of a type or value that a node of a declaration refers to. */
function namedType(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  if (ts.isTypeQueryNode(node)) return node.exprName;
  if (ts.isImportTypeNode(node)) return node.qualifier;
  return undefined;
}

function isBaseClass({ parent }: ts.Node): boolean {
  return ts.isHeritageClause(parent) && parent.token === ts.SyntaxKind.ExtendsKeyword && ts.isClassLike(parent.parent);
}

function isForeign({ declarations = [], flags }: ts.Symbol, declared: ReadonlySet<ts.SourceFile>): boolean {
  if (flags & ts.SymbolFlags.TypeParameter) return true;
  return declarations.length > 0 && declarations.every((declaration) => !declared.has(declaration.getSourceFile()));
}

function nameOf(symbol: ts.Symbol): string {
  const file = symbol.declarations?.[0]?.getSourceFile();
  return file === undefined ? symbol.name : `${sourcePath(file)}.ts: ${symbol.name}`;
}

/** The member of a declaration that a node stands in. */
function memberOf(node: ts.Node, declaration: ts.Node): string {
  let at = node;
  while (at.parent !== declaration && at !== declaration) at = at.parent;
  return ts.isConstructorDeclaration(at)
    ? 'constructor'
    : (ts.isClassElement(at) || ts.isTypeElement(at)) && at.name !== undefined
      ? at.name.getText()
      : '';
}

/** The path of the source that a declaration file was made of, without its extension. */
function sourcePath(file: ts.SourceFile): string {
  return pathOf(file)
    .replace(/^dist\/surface\//, '')
    .replace(/\.d\.ts$/, '');
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

describe('what public signatures name', () => {
  let ends: ReadonlyMap<string, readonly string[]>;

  beforeAll(() => {
    ends = openEnds(openDeclarations(PLANTED));
  }, 300_000);

  test('is exported by a door, or marked as internal', () => {
    const open = [...ends].filter(([name]) => !name.startsWith('src/planted-'));
    expect(open.map(([name, places]) => `${name} in ${places.join(', ')}`).sort()).toEqual([]);
  });

  test('is found where a planted signature hides it, but not behind an internal member', () => {
    expect(ends.get('src/planted-room.ts: Hidden')).toEqual(['planted']);
  });

  test('is found in a base class that no door shows', () => {
    expect(ends.get('src/planted-room.ts: Inherited')).toEqual(['PlantedHeir.b']);
    expect([...ends.keys()]).not.toContain('src/planted-room.ts: PlantedBase');
  });
});
