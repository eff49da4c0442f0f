// Runs the contract against hosts as ES modules: node --import ./test/support/ts-hook.mjs test/support/mount/run.ts [host…]
import { createRequire } from 'node:module';
import { CHECKS } from './checks.js';
import { fastMcpCases } from './fastmcp.js';
import type { HostCase } from './host-case.js';
import { CALLER_CHECKS } from './callers.js';
import { nativeCases } from './native.js';
import { nestCases } from './nest.js';
import { sdkV1Cases } from './sdk-v1.js';
import { sdkV2Cases } from './sdk-v2.js';

const require = createRequire(import.meta.url);
const esm = (specifier: string): Promise<any> => import(specifier);
const cjs = (specifier: string): Promise<any> => Promise.resolve(require(specifier));

/** One cell of the table. */
export interface Cell {
  readonly host: string;
  readonly check: string;
  readonly outcome: 'yes' | 'note' | 'broken';
  readonly text: string;
}

async function collect(wanted: readonly string[]): Promise<readonly HostCase[]> {
  const cases: HostCase[] = [];
  const has = (name: string): boolean => wanted.length === 0 || wanted.some((word) => name.startsWith(word));
  for (const [format, load] of [
    ['esm', esm],
    ['cjs', cjs],
  ] as const) {
    if (has('sdk 1')) cases.push(...(await sdkV1Cases(load, format)));
    if (has('sdk 2')) cases.push(...(await sdkV2Cases(load, format)));
  }
  if (has('native')) cases.push(...nativeCases());
  if (has('fastmcp')) {
    await import('cartouche/fastmcp');
    cases.push(...(await fastMcpCases(esm, 'esm')));
  }
  if (has('mcp-nest')) cases.push(...(await nestCases(cjs, 'cjs')));
  return cases;
}

/** A host that hangs must not hang the table. */
function tooLong(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('no answer within 20 seconds')), 20_000).unref();
  });
}

const arguments_ = process.argv.slice(2);
const wanted = arguments_.filter((argument) => !argument.startsWith('--'));
const callersAlone = arguments_.includes('--callers');
const cells: Cell[] = [];
for (const host of await collect(wanted)) {
  // The layer's own fronts are no hosts, of which the rest of the contract speaks.
  for (const check of callersAlone || host.name.startsWith('native') ? CALLER_CHECKS : CHECKS) {
    const cell = { host: host.name, check: check.name };
    const gap = host.gaps?.[check.name];
    if (gap !== undefined) {
      cells.push({ ...cell, outcome: 'note', text: gap });
      continue;
    }
    try {
      const note = await Promise.race([check.run(host), tooLong()]);
      cells.push({ ...cell, outcome: note === undefined ? 'yes' : 'note', text: note ?? 'yes' });
    } catch (error) {
      cells.push({ ...cell, outcome: 'broken', text: String((error as Error).stack) });
    }
  }
}
process.stdout.write(`${JSON.stringify(cells)}\n`, () => process.exit(0));
