import ts from 'typescript';
import { openHouse, pathOf, placeOf, walk, type House } from '../support/house-program.js';

/** The one place that runs handlers: everything before and after it can rely on that. */
const CALLER = 'src/layer/stages/invoke.ts';
/** Handlers are made and kept here; all others have no business with them. */
const KEEPERS = 'src/registry/';
const HANDLERS: ReadonlySet<string> = new Set(['Handler', 'CompletionHandler']);
/** Ways to call a function without parentheses behind it. */
const BORROWED: ReadonlySet<string> = new Set(['call', 'apply', 'bind']);

/** Who calls a handler, or takes one out of a spec to have it called elsewhere. */
function callers({ checker, files }: House): string[] {
  const found = new Set<string>();
  const isHandler = (node: ts.Expression): boolean => {
    const types = [checker.getTypeAtLocation(node)].flatMap((type) => (type.isUnion() ? type.types : [type]));
    return types.some(
      ({ aliasSymbol }) => aliasSymbol !== undefined && isKept(aliasSymbol) && HANDLERS.has(aliasSymbol.name),
    );
  };
  const isKept = (symbol: ts.Symbol | undefined): boolean =>
    (symbol?.declarations ?? []).some((declaration) => pathOf(declaration.getSourceFile()).startsWith(KEEPERS));
  for (const file of files) {
    const path = pathOf(file);
    walk(file, (node) => {
      if (ts.isCallExpression(node) && called(node).some(isHandler)) found.add(placeOf(node));
      if (path.startsWith(KEEPERS)) return;
      const name = memberName(node);
      if (name?.text === 'handler' && isKept(memberSymbol(checker, node, name))) found.add(placeOf(node));
    });
  }
  return [...found].sort();
}

/** What a call may run: its callee, and the function whose `call` it is, or that `Reflect.apply` is given. */
function called({ expression, arguments: given }: ts.CallExpression): ts.Expression[] {
  if (!ts.isPropertyAccessExpression(expression)) return [expression];
  const { expression: owner, name } = expression;
  if (ts.isIdentifier(owner) && owner.text === 'Reflect') return given.slice(0, 1);
  return BORROWED.has(name.text) ? [expression, owner] : [expression];
}

/** The name by which a node reads a member: `spec.handler`, `spec['handler']`, `const { handler } = spec`. */
function memberName(node: ts.Node): ts.Identifier | ts.StringLiteralLike | undefined {
  if (ts.isPropertyAccessExpression(node)) return ts.isIdentifier(node.name) ? node.name : undefined;
  if (ts.isElementAccessExpression(node)) {
    return ts.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression : undefined;
  }
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name : undefined;
}

function memberSymbol(checker: ts.TypeChecker, node: ts.Node, name: ts.Node & { text: string }): ts.Symbol | undefined {
  const owner =
    ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) ? node.expression : node.parent;
  return checker.getTypeAtLocation(owner).getProperty(name.text);
}

const PLANTED = 'src/layer/planted-caller.ts';
const ARGS = '{}, {} as never, {} as never';
/** Second callers as somebody might write them, one a line. */
const planted: readonly (readonly [how: string, line: string])[] = [
  ['calls it', `export const a = (spec: ToolSpec) => spec.handler(${ARGS});`],
  ['calls it by a written name', `export const b = (spec: ToolSpec) => spec['handler'](${ARGS});`],
  ['takes it out of the spec', `export const c = ({ handler: run }: ToolSpec) => void run;`],
  ['hands it on', 'export const d = (spec: ToolSpec, run: (f: unknown) => void) => run(spec.handler);'],
  ['is given it', `export const e = (run?: Handler) => run?.(${ARGS});`],
  ['is given one of completions', `export const f = (run: CompletionHandler) => run('', {} as never, ${ARGS});`],
  ['borrows it', `export const g = (run: Handler) => run.call(undefined, ${ARGS});`],
  ['applies it', 'export const h = (run: Handler) => Reflect.apply(run, undefined, []);'],
];
const IMPORTS = [
  "import type { CompletionHandler, Handler } from '../registry/spec.js';",
  "import type { ToolSpec } from '../registry/tool-spec.js';",
];

describe('who calls a handler', () => {
  const lines = [...IMPORTS, ...planted.map(([, line]) => line)];
  let places: readonly string[];

  beforeAll(() => {
    places = callers(openHouse({ [PLANTED]: lines.join('\n') }));
  }, 300_000);

  test('nothing but the stage "invoke"', () => {
    const others = places.filter((place) => !place.startsWith(`${PLANTED}:`));
    expect(others.filter((place) => !place.startsWith(`${CALLER}:`))).toEqual([]);
    // The one caller is seen, once for each of the two kinds of handlers: the search works.
    expect(others.length).toBeGreaterThanOrEqual(2);
  });

  test.each(planted)('a planted second caller that %s is found', (_, line) => {
    expect(places).toContain(`${PLANTED}:${lines.indexOf(line) + 1}`);
  });
});
