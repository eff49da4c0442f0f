import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { transformFileSync } from '@swc/core';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';

/** Compiles the sources as they are, so that a child process can run them with --expose-gc. */
function compile(target: string): void {
  const root = resolve(__dirname, '../..');
  const platform = (_: string, name: string): string =>
    `'${join(root, 'src/platform', `${name}.${name === 'load-optional' ? 'mjs' : 'cjs'}`)}'`;
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (path.endsWith('.ts') && !path.endsWith('.d.ts')) {
        const { code } = transformFileSync(join(root, path), {
          swcrc: false,
          jsc: {
            target: 'es2022',
            parser: { syntax: 'typescript', decorators: true },
            transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          },
          module: { type: 'es6' },
        });
        mkdirSync(join(target, folder), { recursive: true });
        writeFileSync(
          join(target, path.replace(/\.ts$/, '.js')),
          code.replace(/['"]#(reflect|require|load-optional)['"]/g, platform),
        );
      }
    }
  };
  for (const folder of ['src', 'decorators', 'providers']) walk(folder);
  writeFileSync(join(target, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
}

const SCRIPT = `
import { McpLayer, McpService, Registry, Tool, auditLog, cache, concurrency, metrics, retry } from './src/index.js';
import { getEventListeners } from 'node:events';

let disposed = 0;
class PerRequest {
  constructor() { this.big = new Array(1000).fill(0); }
  waits(_args, ctx) { return new Promise((resolve) => { ctx.signal.addEventListener('abort', () => undefined); }); }
  quick() { return { n: 1 }; }
  dispose() { disposed += 1; }
}
Tool({ input: { type: 'object' } })(PerRequest.prototype, 'waits', Object.getOwnPropertyDescriptor(PerRequest.prototype, 'waits'));
Tool({ capabilities: ['write_state'] })(PerRequest.prototype, 'quick', Object.getOwnPropertyDescriptor(PerRequest.prototype, 'quick'));
McpService({ scope: 'request' })(PerRequest);

const limiter = concurrency({ total: 50, perPrincipal: 20 });
const layer = new McpLayer({
  name: 'x', version: '1', services: [PerRequest],
  middleware: [auditLog({ write: () => undefined, salt: 'x'.repeat(16) }), metrics(), cache(), limiter, retry({ on: [Error] })],
});
const shared = new AbortController();

async function cancelled(n) {
  const calls = [];
  for (let i = 0; i < n; i++) {
    const controller = new AbortController();
    calls.push(layer.callTool('waits', { i }, { signal: controller.signal }).catch((error) => error.name));
    if (i % 100 === 99) { await new Promise(setImmediate); }
    setImmediate(() => controller.abort());
  }
  const ends = await Promise.all(calls);
  return ends.filter((end) => end === 'CancelledError').length;
}
async function finished(n) {
  for (let i = 0; i < n; i++) await layer.callTool('quick', {}, { signal: shared.signal });
}
async function heap() {
  for (let i = 0; i < 5; i++) { await new Promise(setImmediate); gc(); }
  return process.memoryUsage().heapUsed;
}

await cancelled(2000);
await finished(2000);
const before = await heap();
const timersBefore = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
const ends = await cancelled(10000);
const afterCancelled = await heap();
await finished(10000);
const after = await heap();
const quickAfter = await layer.callTool('quick');
console.log(JSON.stringify({
  ends,
  openScopes: layer.openScopes,
  listeners: getEventListeners(shared.signal, 'abort').length,
  timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length - timersBefore,
  disposed,
  grownCancelled: afterCancelled - before,
  grownFinished: after - afterCancelled,
  slotFree: quickAfter.isError === false,
}));
await layer.close();
`;

describe('memory', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cartouche-memory-'));
    compile(folder);
    writeFileSync(join(folder, 'script.js'), SCRIPT);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('ten thousand cancelled calls, and ten thousand that end well, leave nothing behind', () => {
    const child = spawnSync(process.execPath, ['--expose-gc', join(folder, 'script.js')], {
      encoding: 'utf8',
      timeout: 110_000,
    });
    expect(child.stderr).toBe('');
    const counts = JSON.parse(child.stdout) as Record<string, number | boolean>;
    expect(counts).toMatchObject({ ends: 10_000, openScopes: 0, listeners: 0, timers: 0, slotFree: true });
    expect(counts['disposed']).toBeGreaterThan(12_000);
    // Less than a hundred bytes a call: nothing is kept for each.
    expect(counts['grownCancelled']).toBeLessThan(1_000_000);
    expect(counts['grownFinished']).toBeLessThan(1_000_000);
  }, 120_000);
});
