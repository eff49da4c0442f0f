/**
 * Validation side by side, in one run: node bench/schema.mjs [--json]. Needs a build (npm run build) and, for the
 * peers, `npm install` in this folder. Every contender sees the same values, parsed from JSON afresh, in turns.
 */
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import {
  flatSchema,
  flatValue,
  makeFlat,
  makeNested,
  nestedSchema,
  nestedValue,
  plainToInstance,
  validator,
} from './schema-dto.mjs';

const built = process.env.CARTOUCHE_DIST ?? join(import.meta.dirname, '../dist/cjs');
const load = (file) => import(pathToFileURL(join(built, 'src/schema', file)).href);
const { compileInput } = await load('input.js');
const { inputSchemaFor } = await load('dto.js');
const { validate } = validator;
const Ajv = (await import('ajv/dist/2020.js')).default.default;
const { z } = await import('zod');
const { Type: T } = await import('@sinclair/typebox');
const { TypeCompiler } = await import('@sinclair/typebox/compiler');

const nest = { whitelist: true, forbidNonWhitelisted: true };
const nestStyle = (cls) => async (value) => {
  const instance = plainToInstance(cls, value);
  if ((await validate(instance, nest)).length > 0) throw new Error('refused');
  return instance;
};
const closed = { additionalProperties: false };

const flat = makeFlat();
const nested = makeNested();
const text = z.string();
const zodAddress = z.strictObject({ street: text, city: text, zip: text.max(12) });
const boxAddress = T.Object({ street: T.String(), city: T.String(), zip: T.String({ maxLength: 12 }) }, closed);

const contenders = (cls, schema, zod, box) => {
  const ours = compileInput(cls, { site: 'bench' }).validate;
  const slow = compileInput(cls, { site: 'bench', codegen: false }).validate;
  const ajv = new Ajv().compile(schema);
  const check = TypeCompiler.Compile(box);
  return {
    cartouche: ours,
    'cartouche, no code generation': slow,
    'ajv (validate only)': (value) => {
      if (!ajv(value)) throw new Error('refused');
    },
    'typebox (validate only)': (value) => {
      if (!check.Check(value)) throw new Error('refused');
    },
    'zod 4': (value) => zod.parse(value),
    'plainToInstance + validate': nestStyle(cls),
  };
};

const suites = {
  'flat, 6 fields': [
    flatValue,
    contenders(
      flat,
      flatSchema,
      z.strictObject({
        query: text.min(1).max(200),
        provider: z.enum(['aws', 'azure', 'gcp']),
        region: text.max(40).optional(),
        limit: z.int().min(1).max(100).default(10),
        exact: z.boolean().default(false),
        tags: z.array(text).max(20),
      }),
      T.Object(
        {
          query: T.String({ minLength: 1, maxLength: 200 }),
          provider: T.Union([T.Literal('aws'), T.Literal('azure'), T.Literal('gcp')]),
          region: T.Optional(T.String({ maxLength: 40 })),
          limit: T.Optional(T.Integer({ minimum: 1, maximum: 100 })),
          exact: T.Optional(T.Boolean()),
          tags: T.Array(T.String(), { maxItems: 20 }),
        },
        closed,
      ),
    ),
  ],
  'nested, 13 instances': [
    nestedValue,
    contenders(
      nested,
      nestedSchema,
      z.strictObject({
        id: text,
        shipping: zodAddress,
        billing: zodAddress,
        lines: z.array(
          z.strictObject({
            sku: text.min(1).max(40),
            quantity: z.int().min(1),
            price: z.strictObject({ amount: z.number().min(0), currency: z.enum(['EUR', 'USD']) }),
          }),
        ),
      }),
      T.Object(
        {
          id: T.String(),
          shipping: boxAddress,
          billing: boxAddress,
          lines: T.Array(
            T.Object(
              {
                sku: T.String({ minLength: 1, maxLength: 40 }),
                quantity: T.Integer({ minimum: 1 }),
                price: T.Object(
                  { amount: T.Number({ minimum: 0 }), currency: T.Union([T.Literal('EUR'), T.Literal('USD')]) },
                  closed,
                ),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
  ],
};

const COPIES = 64;
const ROUNDS = 40;
const kept = new Array(1024);
const BUDGET_MS = Number(process.env.BENCH_MS ?? 15);

/** Microseconds a call, over values that were parsed one by one, as a server meets them. */
async function measure(run, values) {
  const isAsync = run(values[0]) instanceof Promise;
  let at = 0;
  let calls = 0;
  const start = process.hrtime.bigint();
  let spent = 0;
  do {
    for (const value of values) {
      // What is made is kept for a while, as a handler would; otherwise a compiler may leave it unmade.
      kept[at++ & 1023] = isAsync ? await run(value) : run(value);
    }
    calls += values.length;
    spent = Number(process.hrtime.bigint() - start) / 1000;
  } while (spent < BUDGET_MS * 1000);
  return spent / calls;
}

const quartile = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 4)];

async function compare(value, runs) {
  const json = JSON.stringify(value);
  const values = Array.from({ length: COPIES }, () => JSON.parse(json));
  const samples = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(runs)) samples[name].push(await measure(run, values));
  }
  // The first rounds warm up; of the others, the lower quartile is what a shared machine disturbs least.
  return Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, quartile(list.slice(5))]));
}

const results = {};
for (const [name, [value, runs]] of Object.entries(suites)) results[name] = await compare(value, runs);

/** How long one class's schema and validator take to make: the lower quartile of batches, as other classes come to exist. */
function buildCost(others) {
  for (let i = 0; i < others; i++) inputSchemaFor(makeFlat());
  const batches = Array.from({ length: 25 }, () => {
    const classes = Array.from({ length: 20 }, makeFlat);
    const start = process.hrtime.bigint();
    for (const cls of classes) compileInput(cls, { site: 'bench' }).validate(flatValue);
    return Number(process.hrtime.bigint() - start) / 1000 / classes.length;
  });
  return quartile(batches);
}

const builds = { 'few classes': buildCost(0), '1,000 more': buildCost(1000) };
const again = (await compare(flatValue, { cartouche: suites['flat, 6 fields'][1].cartouche })).cartouche;

/** Time to refuse a hostile input of a megabyte. */
function refusals() {
  const flatInput = suites['flat, 6 fields'][1].cartouche;
  const nestedInput = suites['nested, 13 instances'][1].cartouche;
  const big = 1_000_000;
  const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`unknown${i}`, 1]));
  const inputs = {
    'a long text': [flatInput, { ...flatValue, query: 'x'.repeat(big) }],
    'many unknown keys': [flatInput, { ...flatValue, ...keys }],
    'a long list': [flatInput, { ...flatValue, tags: new Array(250_000).fill('a') }],
    'many wrong elements': [nestedInput, { ...nestedValue, lines: new Array(90_000).fill(1) }],
    'many nested objects, the last one wrong': [
      nestedInput,
      { ...nestedValue, lines: [...Array.from({ length: 18_000 }, () => line()), { sku: 1 }] },
    ],
  };
  function line() {
    return { sku: 'a', quantity: 1, price: { amount: 1, currency: 'EUR' } };
  }
  return Object.fromEntries(
    Object.entries(inputs).map(([name, [run, value]]) => {
      const start = process.hrtime.bigint();
      let refused = false;
      try {
        run(value);
      } catch {
        refused = true;
      }
      if (!refused) throw new Error(`${name} was accepted`);
      return [name, Number(process.hrtime.bigint() - start) / 1e6];
    }),
  );
}

const refused = refusals();
const report = {
  microseconds: results,
  buildMicroseconds: builds,
  flatWithManyClasses: again,
  refuseMilliseconds: refused,
};
if (process.argv.includes('--json')) console.log(JSON.stringify(report, null, 2));
else {
  for (const [suite, times] of Object.entries(results)) {
    console.log(`\n${suite}`);
    for (const [name, time] of Object.entries(times)) {
      const ratio = (time / times['ajv (validate only)']).toFixed(2);
      console.log(`  ${name.padEnd(32)} ${time.toFixed(3).padStart(9)} µs  ${ratio.padStart(7)} × ajv`);
    }
  }
  console.log('\nbuilding one class (schema, validator, first call)');
  for (const [name, time] of Object.entries(builds))
    console.log(`  ${name.padEnd(32)} ${time.toFixed(1).padStart(9)} µs`);
  console.log(`\nflat call with 2,000 classes known  ${again.toFixed(3)} µs`);
  console.log('\nrefusing about 1 MB');
  for (const [name, time] of Object.entries(refused))
    console.log(`  ${name.padEnd(40)} ${time.toFixed(1).padStart(6)} ms`);
}
