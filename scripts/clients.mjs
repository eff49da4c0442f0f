// npm run clients: lists and calls the sample app with every MCP client that runs here, over stdio and HTTP, in each era
// it speaks. The clients live in test/clients and are installed there when they are missing. --only TEXT picks rows.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './ensure-built.mjs';
import { commandRows } from './clients/commands.mjs';
import { libraryRows } from './clients/libraries.mjs';

const FOLDER = fileURLToPath(new URL('../test/clients/', import.meta.url));
const SAMPLE = fileURLToPath(new URL('../sample-app/dist/main.js', import.meta.url));
const ROW_MS = 90_000;

ensureBuilt();
if (!existsSync(`${FOLDER}node_modules`)) {
  const install = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  if (spawnSync('npm', install, { cwd: FOLDER, stdio: ['ignore', 2, 2] }).status !== 0) process.exit(1);
}

const server = spawn(process.execPath, [SAMPLE, '--http', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const url = await new Promise((resolve, reject) => {
  server.stdout.setEncoding('utf8').once('data', (text) => resolve(/http:\S+/.exec(text)[0]));
  server.once('exit', (code) => reject(new Error(`the sample ended with ${code}`)));
});
const target = { url, command: process.execPath, args: [SAMPLE, '--stdio'], folder: FOLDER };

const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : '';
const rows = [...libraryRows(target), ...commandRows(target)].filter(({ client }) => client.includes(only));
let failed = 0;
try {
  for (const { client, transport, era, run } of rows) {
    const started = Date.now();
    const outcome = await within(ROW_MS, run()).then(judge, (error) => ({ ok: false, text: oneLine(error) }));
    if (!outcome.ok) failed++;
    const seconds = `${((Date.now() - started) / 1000).toFixed(1)} s`;
    print([
      outcome.ok ? 'ok  ' : 'FAIL',
      client.padEnd(24),
      transport.padEnd(6),
      era.padEnd(12),
      seconds.padStart(7),
      outcome.text,
    ]);
  }
} finally {
  server.kill('SIGTERM');
}
print([`${rows.length - failed} of ${rows.length} rows list and call the sample`]);
process.exit(failed === 0 ? 0 : 1);

/** What a row must have seen: the sample's tools, and an answer that counts assets. */
function judge({ tools, call, version }) {
  const listed = tools === undefined || tools > 5;
  const called = /"total":\s*\d+/.test(call.replaceAll('\\"', '"'));
  const seen = tools === undefined ? 'called' : `${tools} tools, called`;
  return { ok: listed && called, text: listed && called ? [seen, version].filter(Boolean).join(', ') : oneLine(call) };
}

function print(parts) {
  process.stdout.write(`${parts.join('  ')}\n`);
}

function oneLine(value) {
  return String(value?.message ?? value)
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}

function within(ms, work) {
  let timer;
  const late = new Promise(
    (_resolve, reject) => (timer = setTimeout(() => reject(new Error(`not done after ${ms} ms`)), ms)),
  );
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
