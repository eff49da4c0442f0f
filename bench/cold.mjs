// node bench/cold.mjs [--rounds 15] [--only a,b] [--base cartouche-dto] [--loads-only] [--assert]
// From a fresh process to its first answer to tools/list over stdio, every contender in turns, as ratios to the base; then
// who loads what for how long. Needs a build (npm run build) and the peers (npm install in bench/).
// The processor time is the process's own and moves less than the clock on a machine that others use.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { median, WORKER } from './lib/proc.mjs';
import { INIT, INITED } from './lib/fixture.mjs';

const arg = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const ROUNDS = Number(arg('rounds', 15));
const BASE = arg('base', 'cartouche-dto');
/** Not servers that anybody runs: the bases that the other benchmarks compare with. */
const BASES = ['limit', 'limit-net', 'floor'];
const here = new URL('./contenders/', import.meta.url);
const present = readdirSync(here)
  .filter((file) => file.endsWith('.mjs') && !file.startsWith('_'))
  .map((file) => file.slice(0, -4));
const names = (arg('only')?.split(',') ?? present).filter((name) => name !== 'limit-net');
const LIST = [INIT, INITED, { jsonrpc: '2.0', id: 2, method: 'tools/list' }]
  .map((m) => JSON.stringify(m) + '\n')
  .join('');

/** The processor time of a process that still runs, of all its threads, in ms: finer than the 10 ms ticks of `stat`. */
function cpuMsOf(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const spent = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]));
  return spent.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

/** Starts node, and takes the time until what it says fits; the process ends then, or says more first when asked to. */
function run(args, input, until, { more } = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, NODE_ENV: 'production' },
      cwd: new URL('.', import.meta.url).pathname,
    });
    let said = '';
    let taken;
    const timeout = setTimeout(() => child.kill('SIGKILL'), 30_000);
    child.stdin.on('error', () => {});
    child.stdout.on('data', (data) => {
      said += data;
      if (taken === undefined && until(said)) {
        taken = { ms: performance.now() - started, cpu: cpuMsOf(child.pid) };
        if (more === undefined) child.kill('SIGKILL');
        else process.kill(child.pid, 'SIGUSR2');
      }
      if (taken !== undefined && more?.test(said) === true) child.kill('SIGKILL');
    });
    child.on('exit', () => {
      clearTimeout(timeout);
      if (taken === undefined) reject(new Error(`no answer: ${args.join(' ')}`));
      else resolve({ ...taken, said });
    });
    child.stdin.write(input);
  });
}

const listed = (said) => /^\{.*"id":2.*\}\n/m.test(said) && said.includes('search_orders');
const firstList = (name) => run([WORKER, name, '{"transport":"stdio"}'], LIST, listed);

/** What a contender and its helpers import by name, ours under the names of its doors. */
function importsOf(name) {
  const found = new Map();
  const visit = (file) => {
    const code = readFileSync(new URL(file, here), 'utf8');
    for (const [, specifier] of code.matchAll(/(?:from|import) '([^']+)'|import\('([^']+)'\)/g)) {
      if (specifier === undefined || specifier.startsWith('../lib/') || specifier.startsWith('node:')) continue;
      const own = /^\.\.\/\.\.\/dist\/esm\/src\/(.+)\.js$/.exec(specifier);
      if (own !== null)
        found.set(own[1] === 'index' ? 'cartouche' : `cartouche/${own[1]}`, new URL(specifier, here).href);
      else if (specifier.startsWith('./')) visit(specifier);
      else found.set(specifier, specifier);
    }
  };
  visit(`./${name}.mjs`);
  return found;
}

/** Loads one module in a process of its own. */
function load(specifier) {
  const imported = specifier === '' ? '' : `await import(${JSON.stringify(specifier)});`;
  const program = `${imported} process.stdin.resume(); console.log('loaded');`;
  return run(['--input-type=module', '-e', program], '', (said) => said.includes('loaded'));
}

/** Files and bytes by package that one start of a contender reads. */
async function filesOf(name) {
  const hook = new URL('./lib/count-loads.mjs', import.meta.url).href;
  const { said } = await run(['--import', hook, WORKER, name, '{"transport":"stdio"}'], LIST, listed, {
    more: /@@loads .*\n/,
  });
  const report = /@@loads (.*)\n/.exec(said);
  return report === null ? [] : JSON.parse(report[1]);
}

const rows = (samples) => Object.entries(samples).filter(([, taken]) => taken.length > 0);
const ratio = (taken, base, key) => median(taken.map((one, i) => (base[i] ? one[key] / base[i][key] : NaN)));

const samples = Object.fromEntries(names.map((name) => [name, []]));
if (!process.argv.includes('--loads-only')) {
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of names) {
      try {
        const taken = await firstList(name);
        // The first round only brings the files into the cache of the system.
        if (round >= 0) samples[name].push(taken);
      } catch (error) {
        if (round < 0) console.error(`! ${name}: ${error.message}`);
      }
    }
  }
  console.log(`first tools/list over stdio, node ${process.version}, medians of ${ROUNDS} rounds in turns\n`);
  console.log(`| contender | ms | cpu ms | ms x ${BASE} | cpu x ${BASE} |\n|---|--:|--:|--:|--:|`);
  for (const [name, taken] of rows(samples).sort(([, a], [, b]) => middle(a, 'cpu') - middle(b, 'cpu'))) {
    const cells = [middle(taken, 'ms').toFixed(0), middle(taken, 'cpu').toFixed(0)];
    for (const key of ['ms', 'cpu']) cells.push(samples[BASE] ? ratio(taken, samples[BASE], key).toFixed(2) : '-');
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}
function middle(taken, key) {
  return median(taken.map((one) => one[key]));
}

// Each import alone in a process of its own, less an empty process: what two packages share is counted in both.
const imports = new Map(names.map((name) => [name, importsOf(name)]));
const specifiers = new Map([['(node itself)', ''], ...[...imports.values()].flatMap((found) => [...found])]);
const loads = Object.fromEntries([...specifiers.keys()].map((name) => [name, []]));
for (let round = 0; round < Math.ceil(ROUNDS / 2); round++) {
  for (const [name, specifier] of specifiers) {
    try {
      loads[name].push(await load(specifier));
    } catch (error) {
      if (round === 0) console.error(`! ${name}: ${error.message}`);
    }
  }
}
const empty = middle(loads['(node itself)'], 'cpu');
console.log(
  `\nwhat each import takes alone, cpu ms over the ${empty.toFixed(0)} of node itself; files and KB that a start reads\n`,
);
console.log('| contender | imports | packages by files (files, KB) |\n|---|---|---|');
for (const name of names) {
  const took = [...imports.get(name).keys()]
    .map((specifier) => [specifier, middle(loads[specifier], 'cpu') - empty])
    .sort((a, b) => b[1] - a[1])
    .map(([specifier, ms]) => `${specifier} ${ms.toFixed(0)}`);
  const files = await filesOf(name).catch(() => []);
  const top = files.slice(0, 6).map(({ name: of, files: n, bytes }) => `${of} (${n}, ${(bytes / 1024).toFixed(0)})`);
  console.log(`| ${name} | ${took.join(', ')} | ${top.join(', ')} |`);
}

if (process.argv.includes('--assert')) {
  const own = middle(samples[BASE], 'cpu');
  const peers = rows(samples).filter(([name]) => !BASES.includes(name) && !name.startsWith('cartouche'));
  const ahead = peers.filter(([, taken]) => middle(taken, 'cpu') < own);
  for (const [name] of ahead) console.error(`${name} answers its first list before ${BASE}`);
  process.exitCode = ahead.length === 0 ? 0 : 1;
}
