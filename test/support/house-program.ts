import { readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/** Where the repository starts. */
export const root = resolve(__dirname, '../..');

const ROOMS = ['src', 'decorators', 'providers'];

/** The source of the package as the compiler sees it. */
export interface House {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The files of the package itself. */
  readonly files: readonly ts.SourceFile[];
}

/** The files that are in memory only, by their path from the root. */
export type Planted = Readonly<Record<string, string>>;

/** Reads the package's source, with `planted` files as if they stood in it: nothing is written to the disk. */
export function openHouse(planted: Planted = {}, { tests = false } = {}): House {
  const { options, fileNames } = configuration();
  const host = hostWith(options, planted);
  const testNames = tests ? ts.sys.readDirectory(resolve(root, 'test'), ['.ts']) : [];
  const names = [...fileNames, ...testNames, ...Object.keys(planted).map((path) => resolve(root, path))];
  const program = ts.createProgram(names, options, host);
  const files = program.getSourceFiles().filter((file) => ROOMS.includes(pathOf(file).split('/')[0] ?? ''));
  return { program, checker: program.getTypeChecker(), files };
}

/** A program of the declarations that the build would write, without what is `@internal`. */
export function openDeclarations(planted: Planted = {}): House {
  const { program } = openHouse(planted);
  const declared: Record<string, string> = {};
  program.emit(
    undefined,
    (path, text) => {
      declared[relative(root, path).split(sep).join('/')] = text;
    },
    undefined,
    true,
  );
  const { options } = configuration();
  const host = hostWith(options, declared);
  const names = Object.keys(declared).map((path) => resolve(root, path));
  const made = ts.createProgram(names, { ...options, declaration: false }, host);
  const files = made.getSourceFiles().filter((file) => pathOf(file) in declared);
  return { program: made, checker: made.getTypeChecker(), files };
}

/** The modules that users import, by their path from the root without an extension. Source: `exports` of package.json. */
export function doorPaths(): readonly string[] {
  const text = readFileSync(resolve(root, 'package.json'), 'utf8');
  const { exports } = JSON.parse(text) as { readonly exports: Readonly<Record<string, unknown>> };
  const paths = JSON.stringify(exports).match(/(?<=\/dist\/esm\/)[^"]+(?=\.d\.ts")/g) ?? [];
  return [...new Set(paths)];
}

/** A file's path from the root. */
export function pathOf(file: ts.SourceFile): string {
  return relative(root, file.fileName).split(sep).join('/');
}

/** `path:line` of a node. */
export function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  return `${pathOf(file)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** Calls `visit` for a node and all that is in it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

function configuration(): { options: ts.CompilerOptions; fileNames: readonly string[] } {
  const { config } = ts.readConfigFile(resolve(root, 'tsconfig.esm.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return { options: { ...options, outDir: resolve(root, 'dist/surface') }, fileNames };
}

/** A host that reads from the disk, and from `files` first. */
function hostWith(options: ts.CompilerOptions, files: Planted): ts.CompilerHost {
  const texts = new Map(Object.entries(files).map(([path, text]) => [resolve(root, path), text]));
  const folders = new Set<string>();
  for (const path of texts.keys()) {
    for (let at = resolve(path, '..'); !folders.has(at) && at !== root; at = resolve(at, '..')) folders.add(at);
  }
  const host = ts.createCompilerHost(options, true);
  const { getSourceFile, fileExists, readFile, directoryExists } = host;
  return Object.assign(host, {
    getSourceFile: (path: string, ...rest: [ts.ScriptTarget]) => {
      const text = texts.get(resolve(path));
      return text === undefined
        ? getSourceFile.call(host, path, ...rest)
        : ts.createSourceFile(path, text, ...rest, true);
    },
    fileExists: (path: string) => texts.has(resolve(path)) || fileExists.call(host, path),
    readFile: (path: string) => texts.get(resolve(path)) ?? readFile.call(host, path),
    directoryExists: (path: string) => folders.has(resolve(path)) || (directoryExists?.call(host, path) ?? true),
  });
}
