import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { transformSync } from '@swc/core';

/** This checkout. */
export const root = resolve(__dirname, '../../..');

/** A folder of its own, with the packed package in its `node_modules` and nothing else of this checkout. */
export class PackedApp {
  readonly folder = mkdtempSync(join(tmpdir(), 'cartouche-app-'));

  /** Packs it, or takes what another of these has packed. */
  constructor(packed?: PackedApp) {
    const own = join(this.folder, 'node_modules', 'cartouche');
    mkdirSync(own, { recursive: true });
    if (packed !== undefined) {
      cpSync(join(packed.folder, 'node_modules', 'cartouche'), own, { recursive: true });
      return;
    }
    const [{ filename }] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', this.folder], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [{ filename: string }];
    const tarball = join(this.folder, filename);
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', own]);
    rmSync(tarball);
  }

  /** Puts packages of this checkout beside it, each under the name it is imported by. */
  install(packages: readonly string[] | Readonly<Record<string, string>>): void {
    const entries = Array.isArray(packages)
      ? packages.map((name: string) => [name, name] as const)
      : Object.entries(packages as Readonly<Record<string, string>>);
    for (const [name, source] of entries) {
      const link = join(this.folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', source), link);
    }
  }

  /** Compiles every program of a folder, as both an ES module and CommonJS. Returns the folder they are in. */
  compile(folder: string): string {
    const target = join(this.folder, 'app');
    mkdirSync(target);
    for (const file of readdirSync(folder)) {
      for (const [extension, type] of [
        ['mjs', 'es6'],
        ['cjs', 'commonjs'],
      ] as const) {
        const { code } = transformSync(readFileSync(join(folder, file), 'utf8'), {
          swcrc: false,
          configFile: false,
          jsc: {
            target: 'es2022',
            parser: { syntax: 'typescript', decorators: true },
            transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
            preserveAllComments: true,
          },
          module: { type },
        });
        writeFileSync(join(target, file.replace(/\.ts$/, `.${extension}`)), code);
      }
    }
    return target;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What npm installs along with the package. */
export function installedWithIt(): readonly string[] {
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'peerDependencies' | 'peerDependenciesMeta', Record<string, unknown>>;
  const required = Object.keys(peerDependencies).filter((name) => !(name in peerDependenciesMeta));
  return [...Object.keys(dependencies), ...required];
}
