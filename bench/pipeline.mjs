/**
 * What the pipeline costs, in one run: node bench/pipeline.mjs [--json] [--assert]. Needs a build (npm run build).
 * Times are the process's own CPU, the best of several rounds taken in turns: other load on the machine disturbs them
 * least, and the differences between lines of one run mean something where the absolute numbers may not.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const built = process.env.CARTOUCHE_DIST ?? join(import.meta.dirname, '../dist/cjs');
const { auditLog, cache, concurrency, McpLayer, metrics, Registry, retry } = await import(
  pathToFileURL(join(built, 'src/index.js')).href
);

const ROUNDS = 9;
const CALLS = 20_000;
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };
const sync = ({ n }) => ({ n: n + 1 });
const later = async ({ n }) => ({ n: n + 1 });
const salt = 'a salt of some length';

function layerWith(options = {}, handler = sync) {
  const registry = new Registry();
  registry.tool({ name: 't', input: schema, capabilities: ['read_state'] }, handler);
  return new McpLayer({ name: 'bench', version: '1', registry, ...options });
}

const call = (layer, fixed) => (i) => layer.callTool('t', fixed ?? { n: i });
const wrapped = (middleware, fixed) => call(layerWith({ middleware: [middleware] }), fixed);

const contenders = {
  'the handler, awaited': async (i) => sync({ n: i }),
  callTool: call(layerWith()),
  'callTool, async handler': call(layerWith({}, later)),
  'callTool, without currentContext()': call(layerWith({ asyncContext: false })),
  'callTool, async, without currentContext()': call(layerWith({ asyncContext: false }, later)),
  'a middleware that does nothing': wrapped(async (_call, next) => next()),
  'auditLog, new argument values': wrapped(auditLog({ path: '/dev/null', salt })),
  'auditLog, values seen before': wrapped(auditLog({ path: '/dev/null', salt }), { n: 1 }),
  metrics: wrapped(metrics()),
  'cache, a hit': wrapped(cache(), { n: 1 }),
  concurrency: wrapped(concurrency({ total: 10, perPrincipal: 5 })),
  retry: wrapped(retry({ on: [Error] })),
};

async function round(run) {
  const before = process.cpuUsage();
  for (let i = 0; i < CALLS; i++) await run(i);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / CALLS;
}

const best = Object.fromEntries(Object.keys(contenders).map((name) => [name, Infinity]));
for (let r = 0; r < ROUNDS; r++) {
  for (const [name, run] of Object.entries(contenders)) {
    best[name] = Math.min(best[name], await round(run));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function once(work) {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

function thousand() {
  const registry = new Registry();
  for (let i = 0; i < 1000; i++) {
    registry.tool(
      { name: `tool_${i}`, description: 'One of many.', capabilities: [], input: { ...schema, title: `t${i}` } },
      sync,
    );
  }
  return new McpLayer({ name: 'bench', version: '1', registry });
}

const many = thousand();
const list = many.toolsWire();
const buildMs = once(thousand);
const listUs = await (async () => {
  const before = process.cpuUsage();
  for (let i = 0; i < 1000; i++) await many.list('tools');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
})();
const stringifyUs = once(() => JSON.stringify(list)) * 1000;

const base = best['callTool'];
const rows = Object.entries(best).map(([name, ns]) => {
  const middleware = Object.keys(best).indexOf(name) >= Object.keys(best).indexOf('a middleware that does nothing');
  return {
    name,
    ns: Math.round(ns),
    over: Math.round(ns - (middleware ? base : best['the handler, awaited'])),
    middleware,
  };
});
const report = {
  rows,
  buildThousandToolsMs: buildMs,
  listThousandToolsUs: listUs,
  stringifyThousandToolsUs: stringifyUs,
};

if (process.argv.includes('--json')) console.log(JSON.stringify(report, null, 2));
else {
  console.log('one call'.padEnd(46), 'ns'.padStart(8), 'over the handler, or over callTool'.padStart(36));
  for (const { name, ns, over, middleware } of rows) {
    if (name === 'the handler, awaited') console.log(name.padEnd(46), String(ns).padStart(8));
    else console.log(name.padEnd(46), String(ns).padStart(8), `+${over}`.padStart(middleware ? 36 : 12));
  }
  console.log(`\na layer of 1,000 tools is built in ${buildMs.toFixed(1)} ms`);
  console.log(
    `its tools/list is answered in ${listUs.toFixed(2)} us; JSON.stringify of it takes ${stringifyUs.toFixed(0)} us`,
  );
}

/** What each may cost. An HMAC of a value that was not seen before is two SHA-256 of its own, for each argument. */
function limitOf({ middleware, name }) {
  if (name === 'auditLog, new argument values') return 4_000;
  return middleware ? 2_000 : 3_000;
}

if (process.argv.includes('--assert')) {
  const slow = rows.filter((row) => row.name !== 'the handler, awaited' && row.over > limitOf(row));
  for (const { name, over } of slow) console.error(`too slow: ${name} costs ${over} ns`);
  process.exitCode = slow.length === 0 ? 0 : 1;
}
process.exit();
