import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isDeepStrictEqual } from 'node:util';
import { InvalidArgumentsError } from '../../../src/core/errors.js';
import { readClass } from '../../../src/schema/class-input.js';
import { compileFastPath } from '../../../src/schema/validate/fast-path.js';
import { DEFAULT_LIMITS } from '../../../src/schema/base/limits.js';
import { validateInstance } from '../../../src/schema/validate/slow-path.js';
import { dtoOf, type Case } from './case-source.js';
import { dtoCases } from './dto-cases.js';
import { Fuzz } from './fuzz.js';
import { ownCases } from './own-cases.js';

/** 5,000 in the test run, 100,000 at night, and as many as CARTOUCHE_FUZZ says where it is run very often. */
const INPUTS = Number(process.env.CARTOUCHE_FUZZ ?? (process.env['NIGHTLY'] === '1' ? 100_000 : 5_000));
const SEED = Number(process.env.CARTOUCHE_SEED ?? 1);

const options = { limits: DEFAULT_LIMITS, open: false, acceptJsonText: false };
const cases = [...ownCases, ...dtoCases].filter(({ build }) => build !== 'error');

/** A value of the slow path: accepted, or refused; `undefined` when a validator makes us wait. */
function slowly(run: () => unknown): { accepted: boolean; value?: unknown } | undefined {
  try {
    const value = run();
    return value instanceof Promise ? void value.catch(() => undefined) : { accepted: true, value };
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    return { accepted: false };
  }
}

function* inputs(testCase: Case, fuzz: Fuzz, count: number): Generator {
  const seeds = [
    ...(testCase.accepts ?? []),
    ...(testCase.coerces ?? []).map(([input]) => input),
    ...(testCase.rejects ?? []),
  ];
  yield* seeds;
  for (let n = seeds.length; n < count; n++) yield n % 10 === 0 ? fuzz.value() : fuzz.mutate(fuzz.pick(seeds));
}

/**
 * Where a schema cannot say what a validator means. The list is that of schema.md: what JSON Schema has no words for, or
 * what `format` and `content*` only suggest, and conditions on other properties.
 */
const INEXPRESSIBLE = new RegExp(
  [
    'maxDecimalPlaces|MinDate|MaxDate|ValidateIf|validateIf|@Transform|registerDecorator|@Validate\\(',
    'IsEmail|IsUUID|IsFQDN|IsUrl|IsIP|IsDateString|IsISO8601|IsCreditCard|IsLowercase|@IsNotEmpty\\(\\) v: any|ArrayUnique\\(\\(',
  ].join('|'),
);
const VARIATION_SELECTOR = /[\uFE0E\uFE0F]/;

/** Integers that JSON cannot hold exactly are refused, and no schema carries the bounds: they would be noise in each. */
function holdsInexact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInexact);
}

describe('one model, two products', () => {
  const each = Math.ceil(INPUTS / cases.length);
  const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
  addFormats.default(ajv);

  for (const testCase of cases) {
    test(`${testCase.name}: compiled, slow path and schema agree`, () => {
      const cls = dtoOf(testCase.source, testCase.define);
      const { model, schema } = readClass(cls, 'input');
      const fast = compileFastPath(model, options);
      const fits = ajv.compile(schema);
      const isSound = !INEXPRESSIBLE.test(testCase.source);
      const isStable = !testCase.source.includes('++n');
      const wrong: unknown[] = [];
      for (const input of inputs(testCase, new Fuzz(SEED), each)) {
        const text = JSON.stringify(input);
        const quick = fast?.(input);
        const outcome = slowly(() => validateInstance(model, input, options));
        if (quick !== undefined && outcome !== undefined) {
          if (!outcome.accepted) wrong.push(`compiled accepts ${text}`);
          else if (isStable && !isDeepStrictEqual(quick, outcome.value))
            wrong.push(`compiled makes another value of ${text}`);
        }
        if (
          isSound &&
          outcome?.accepted === false &&
          !VARIATION_SELECTOR.test(text) &&
          !holdsInexact(input) &&
          fits(input)
        ) {
          wrong.push(`the schema accepts ${text}, and we refuse it`);
        }
        if (JSON.stringify(input) !== text) wrong.push(`${text} was modified`);
      }
      expect(wrong.slice(0, 5)).toEqual([]);
    });
  }

  test('most classes have a compiled path, and valid input takes it', () => {
    let taken = 0;
    let valid = 0;
    for (const testCase of cases) {
      const { model } = readClass(dtoOf(testCase.source, testCase.define), 'input');
      const fast = compileFastPath(model, options);
      for (const value of testCase.accepts ?? []) {
        valid++;
        if (fast?.(value) !== undefined) taken++;
      }
    }
    expect(taken / valid).toBeGreaterThan(0.85);
  });
});
