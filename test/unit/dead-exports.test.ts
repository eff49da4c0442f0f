import ts from 'typescript';
import { doorPaths, openHouse, pathOf, walk, type House } from '../support/house-program.js';

/** Files that something other than an import starts, or that a page of the docs is printed from. */
const STARTED: readonly RegExp[] = [/^src\/cli\.ts$/, /^src\/platform\//, /^src\/core\/finding-codes\.ts$/];

/**
 * Every export as `file: name` that no other file names and no door exports. A type may also be named by an export of
 * its own file: whoever uses the one may have to write the other.
 */
function deadExports({ program, checker, files }: House): string[] {
  const used = new Set<ts.Symbol>();
  const doors = new Set(doorPaths());
  const use = (symbol: ts.Symbol | undefined): void => {
    if (symbol !== undefined) used.add(resolved(checker, symbol));
  };
  for (const file of program.getSourceFiles()) {
    const path = pathOf(file);
    if (path.startsWith('../') || path.startsWith('node_modules/')) continue;
    if (doors.has(path.replace(/\.ts$/, ''))) exportsOf(checker, file).forEach(use);
    for (const symbol of usedBy(checker, file)) use(symbol);
  }
  return files
    .filter((file) => !STARTED.some((pattern) => pattern.test(pathOf(file))))
    .flatMap((file) => {
      const own = exportsOf(checker, file);
      const signed = new Set(own.flatMap((symbol) => namedBy(checker, symbol)));
      const isNeeded = (symbol: ts.Symbol): boolean =>
        used.has(symbol) || ((symbol.flags & ts.SymbolFlags.Value) === 0 && signed.has(symbol));
      return own.filter((symbol) => !isNeeded(resolved(checker, symbol))).map(({ name }) => `${pathOf(file)}: ${name}`);
    })
    .sort();
}

/** The types that the signature of an export names: bodies and private members are nobody's business. */
function namedBy(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) return;
    if (ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)) return;
    const named = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
    const type = named === undefined ? undefined : checker.getSymbolAtLocation(named);
    if (type !== undefined && type !== symbol) found.push(resolved(checker, type));
    ts.forEachChild(node, visit);
  };
  (symbol.declarations ?? []).forEach(visit);
  return found;
}

/** What a file names of other files: by name, as a whole (`* as`, `import()`), or in a type (`import('…').Name`). */
function usedBy(checker: ts.TypeChecker, file: ts.SourceFile): (ts.Symbol | undefined)[] {
  const found: (ts.Symbol | undefined)[] = [];
  const whole = (specifier: ts.Node | undefined): void => {
    const module = specifier === undefined ? undefined : checker.getSymbolAtLocation(specifier);
    if (module !== undefined) found.push(...checker.getExportsOfModule(module));
  };
  walk(file, (node) => {
    if (ts.isImportSpecifier(node)) found.push(checker.getSymbolAtLocation(node.name));
    else if (ts.isNamespaceImport(node)) whole(node.parent.parent.moduleSpecifier);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      whole(node.arguments[0]);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      if (node.qualifier === undefined) whole(node.argument.literal);
      else found.push(checker.getSymbolAtLocation(node.qualifier));
    }
  });
  return found;
}

/** The exports of a module. */
function exportsOf(checker: ts.TypeChecker, file: ts.SourceFile): ts.Symbol[] {
  const module = checker.getSymbolAtLocation(file);
  return module === undefined ? [] : checker.getExportsOfModule(module);
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

const PLANTED = {
  'src/core/planted-export.ts': [
    'export interface Named { a: 1 }',
    'export const kept = (named: Named): void => void inside(named);',
    'export const forgotten = 2;',
    'export type Unnamed = 1;',
    'export const inside = (value: unknown): void => void value;',
  ].join('\n'),
  'src/core/planted-import.ts': "import { kept } from './planted-export.js';\nvoid kept;\n",
};

describe('exports', () => {
  let dead: readonly string[];

  beforeAll(() => {
    dead = deadExports(openHouse(PLANTED, { tests: true }));
  }, 300_000);

  test('each is imported by another file, or is one of a door', () => {
    expect(dead.filter((line) => !line.startsWith('src/core/planted-'))).toEqual([]);
  });

  test('a planted one that nobody imports is found', () => {
    expect(dead.filter((line) => line.startsWith('src/core/planted-'))).toEqual([
      'src/core/planted-export.ts: Unnamed',
      'src/core/planted-export.ts: forgotten',
      'src/core/planted-export.ts: inside',
    ]);
  });
});
