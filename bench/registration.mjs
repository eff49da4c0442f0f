/**
 * What registering tools costs, and where the time goes: node bench/registration.mjs [count] [--json] [--assert].
 * Needs a build (npm run build). Each way runs in turns with the others; the best of several rounds is the process's own
 * CPU time in milliseconds. The share of each step is from one profile of all of them.
 */
import 'reflect-metadata';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const built = process.env.CARTOUCHE_DIST ?? join(import.meta.dirname, '../dist/cjs');
const { McpLayer, Registry } = require(join(built, 'src/index.js'));
const { IsInt, IsOptional, IsString } = require('class-validator');

const count = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 10_000);
const ROUNDS = 7;
const LIMIT_MS = 100;

class Query {}
const declared = [
  ['text', String, [IsString()]],
  ['limit', Number, [IsInt(), IsOptional()]],
];
for (const [key, type, decorators] of declared) {
  Reflect.defineMetadata('design:type', type, Query.prototype, key);
  for (const decorate of decorators) decorate(Query.prototype, key);
}

const schemaOf = (i) => ({
  type: 'object',
  title: `t${i}`,
  properties: { text: { type: 'string' }, limit: { type: 'integer' } },
  required: ['text'],
  additionalProperties: false,
});
const shared = schemaOf(0);

const inputs = { 'a DTO': () => Query, 'one raw schema': () => shared, 'raw schemas of their own': schemaOf };

function fill(registry, input) {
  for (let i = 0; i < count; i++) {
    registry.tool(
      { name: `tool_${i}`, description: 'One of many.', capabilities: [], input: input(i) },
      (args) => args,
    );
  }
  return registry;
}

const options = { name: 'bench', version: '1', logger: { debug() {}, info() {}, warn() {}, error() {} } };
const ways = {};
for (const [name, input] of Object.entries(inputs)) {
  ways[`in a loop into a layer, ${name}`] = () => fill(new McpLayer(options).registry, input);
  ways[`as options.registry, ${name}`] = () => new McpLayer({ ...options, registry: fill(new Registry(), input) });
}

function timed(work) {
  globalThis.gc?.();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

// The first round is what a server sees that starts: nothing is optimised yet.
const first = {};
const best = {};
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, work] of Object.entries(ways)) {
    const ms = timed(work);
    first[name] ??= ms;
    best[name] = Math.min(best[name] ?? Infinity, ms);
  }
}

/** The steps, by the first function on the way up the stack that belongs to one. */
const STEPS = [
  ['schema', /\/src\/schema\//],
  ['spec', /\/src\/registry\/(?!registry\.)/],
  ['catalog', /\/src\/layer\//],
  ['registry', /\/src\/registry\/registry\./],
];

async function shares() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  for (const work of Object.values(ways)) work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const stepOf = (id) => {
    if (nodes.get(id).callFrame.functionName === '(garbage collector)') return 'garbage collector';
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const step = STEPS.find(([, pattern]) => pattern.test(nodes.get(at).callFrame.url));
      if (step !== undefined) return step[0];
    }
    return 'the bench itself';
  };
  const steps = {};
  const functions = {};
  let total = 0;
  profile.samples.forEach((id, i) => {
    const { functionName, url } = nodes.get(id).callFrame;
    if (functionName === '(idle)') return;
    const took = profile.timeDeltas[i];
    total += took;
    steps[stepOf(id)] = (steps[stepOf(id)] ?? 0) + took;
    const name = `${functionName || '(anonymous)'} ${url.split('/').slice(-2).join('/')}`;
    functions[name] = (functions[name] ?? 0) + took;
  });
  const sorted = (times, top) =>
    Object.fromEntries(
      Object.entries(times)
        .sort((a, b) => b[1] - a[1])
        .slice(0, top)
        .map(([name, took]) => [name, +((took / total) * 100).toFixed(1)]),
    );
  return { steps: sorted(steps, 10), functions: sorted(functions, 12) };
}

const { steps, functions } = await shares();
const rounded = (times) => Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, +ms.toFixed(1)]));
const report = { node: process.version, count, firstMs: rounded(first), bestMs: rounded(best), steps, functions };

if (process.argv.includes('--json')) console.log(JSON.stringify(report));
else {
  console.log(`node ${process.version}: ${count} tools, ms (first round, best of ${ROUNDS})`);
  for (const name of Object.keys(ways)) {
    console.log(
      `${name.padEnd(50)}${report.firstMs[name].toFixed(1).padStart(8)}${report.bestMs[name].toFixed(1).padStart(8)}`,
    );
  }
  console.log('share of each step, %');
  for (const [name, share] of Object.entries(steps)) console.log(`${name.padEnd(50)}${share.toFixed(1).padStart(8)}`);
  console.log('share of each function itself, %');
  for (const [name, share] of Object.entries(functions))
    console.log(`${name.padEnd(50)}${share.toFixed(1).padStart(8)}`);
}
if (process.argv.includes('--assert')) {
  const slow = Object.entries(best).filter(([, ms]) => ms > LIMIT_MS);
  for (const [name, ms] of slow) console.error(`${name}: ${ms.toFixed(1)} ms, more than ${LIMIT_MS} ms`);
  process.exitCode = slow.length === 0 ? 0 : 1;
}
