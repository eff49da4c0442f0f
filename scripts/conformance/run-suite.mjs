import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PACKAGE = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'));

/** The suite's program. On Node 20, which lacks the one function it imports and never needs here, a copy without it. */
function program() {
  const original = join(PACKAGE, 'dist/index.js');
  if (Number(process.versions.node.split('.')[0]) >= 22) return original;
  const copy = join(PACKAGE, 'dist/index.node20.js');
  const code = readFileSync(original, 'utf8');
  const match = /,globSync as ([\w$]+)/.exec(code);
  if (match === null) return original;
  const head = code.indexOf('\n') + 1;
  const stub = `const ${match[1]}=()=>{throw new Error("globSync needs Node 22")};`;
  const temporary = `${copy}.${process.pid}`;
  writeFileSync(temporary, code.slice(0, head) + stub + code.slice(head).replace(match[0], ''));
  renameSync(temporary, copy);
  return copy;
}

/** The names of the scenarios that count in a requirement set, and of those that only run. */
function requirementsOf(name) {
  const lists = { server: [], not_scored: [] };
  let key;
  let nested = '';
  for (const line of readFileSync(join(PACKAGE, `requirements/${name}.yaml`), 'utf8').split('\n')) {
    const top = /^([a-z_]+):/.exec(line);
    if (top !== null) [key, nested] = [top[1], ''];
    const section = /^ {2}([a-z_]+):\s*$/.exec(line);
    if (section !== null) nested = section[1];
    const item = /^\s+- (?:scenario: |name: |id: )?([a-z0-9-]+)\s*$/.exec(line);
    if (item === null) continue;
    if (key === 'server') lists.server.push(item[1]);
    else if (key === 'not_scored' && nested !== 'client') lists.not_scored.push(item[1]);
  }
  return lists;
}

/** Runs one requirement set against a server, and reads what every scenario found. */
export async function runRequirements(requirements, url) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const args = [program(), 'server', '--url', url, '--requirements', requirements, '-o', folder];
    const { code, output } = await run(process.execPath, args);
    const scenarios = new Map();
    for (const entry of readdirSync(folder)) {
      const file = join(folder, entry, 'checks.json');
      if (!existsSync(file)) continue;
      const name = entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
      scenarios.set(name, JSON.parse(readFileSync(file, 'utf8')));
    }
    return { requirements, code, output, scenarios, ...requirementsOf(requirements) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('exit', (code) => resolve({ code, output }));
  });
}
