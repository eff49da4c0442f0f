import { constraintClasses, type ValidationRecord, type Validator } from './validator-metadata.js';

/**
 * A validator of the user's own may carry the name of a built-in one, and nothing in the records tells them apart. A
 * built-in name is therefore believed only when the validator answers as class-validator's own would.
 */
export function isGenuine(name: string, constraints: readonly unknown[], validator: () => Validator): boolean {
  const probes = PROBES.get(name)?.(constraints);
  if (probes === undefined) return true;
  try {
    const subject = validator();
    const args = { targetName: '', property: '', object: {}, constraints };
    const answers = (values: readonly unknown[], expected: boolean): boolean =>
      values.every((value) => subject.validate(value, { ...args, value }) === expected);
    return answers(probes.accepts, true) && answers(probes.rejects, false);
  } catch {
    return false;
  }
}

interface Probes {
  readonly accepts: readonly unknown[];
  readonly rejects: readonly unknown[];
}

const of = (accepts: readonly unknown[], rejects: readonly unknown[]) => (): Probes => ({ accepts, rejects });
const MAX_PROBE_LENGTH = 200;
const text = (length: unknown): string[] =>
  typeof length === 'number' && length >= 0 && length <= MAX_PROBE_LENGTH ? ['x'.repeat(length)] : [];
const list = (length: unknown): unknown[][] =>
  typeof length === 'number' && length >= 0 && length <= MAX_PROBE_LENGTH
    ? [Array.from({ length }, (_, index) => index)]
    : [];
const above = (bound: unknown): number[] => (typeof bound === 'number' ? [bound + Math.max(1, Math.abs(bound))] : []);
const below = (bound: unknown): number[] => (typeof bound === 'number' ? [bound - Math.max(1, Math.abs(bound))] : []);
const next = (length: unknown): number => Number(length) + 1;
const previous = (length: unknown): number => Number(length) - 1;

const PROBES: ReadonlyMap<string, (constraints: readonly unknown[]) => Probes> = new Map<
  string,
  (constraints: readonly unknown[]) => Probes
>([
  ['isString', of(['', 'x'], [1, null, {}])],
  ['isInt', of([0, -7, 12], [1.5, '1', null])],
  ['isNumber', of([0, 1, -3], ['1', null, {}])],
  ['isBoolean', of([true, false], ['true', 1, null])],
  ['isPositive', of([0.5, 9], [0, -1, '1'])],
  ['isNegative', of([-0.5, -9], [0, 1, '-1'])],
  ['min', ([min]) => ({ accepts: [min, ...above(min)], rejects: [...below(min), 'x'] })],
  ['max', ([max]) => ({ accepts: [max, ...below(max)], rejects: [...above(max), 'x'] })],
  ['isLatitude', of([0, 90, -90], [91, -91])],
  ['isLongitude', of([0, 180, -180], [181, -181])],
  ['minLength', ([min]) => ({ accepts: [...text(min), ...text(next(min))], rejects: [...text(previous(min)), 1] })],
  ['maxLength', ([max]) => ({ accepts: [...text(max), ...text(0)], rejects: [...text(next(max)), 1] })],
  [
    'isLength',
    ([min, max]) => ({
      accepts: [...text(min), ...text(max)],
      rejects: [...text(previous(min)), ...text(next(max)), 1],
    }),
  ],
  ['isArray', of([[], [1]], [{}, 'x', null])],
  ['arrayNotEmpty', of([[1]], [[], null])],
  ['arrayMinSize', ([min]) => ({ accepts: list(min), rejects: [...list(previous(min)), null] })],
  ['arrayMaxSize', ([max]) => ({ accepts: [...list(max), []], rejects: [...list(next(max)), null] })],
  ['isObject', of([{}, { a: 1 }], [[], null, 1])],
  ['isNotEmptyObject', of([{ a: 1 }], [{}, [], null])],
  ['isDate', of([new Date(0)], [new Date(NaN), 0, null])],
  ['isDefined', of([0, '', false], [null, undefined])],
  ['isNotEmpty', of([0, 'x', false], ['', null, undefined])],
  ['isIn', ([values]) => ({ accepts: Array.isArray(values) ? values.slice(0, 20) : [], rejects: [Symbol('none')] })],
  ['isEnum', ([entity]) => ({ accepts: Object.values(entity as object).slice(0, 20), rejects: [Symbol('none')] })],
  ['equals', ([value]) => ({ accepts: [value], rejects: [Symbol('none')] })],
]);

/** The same for a record; a record without a validator of a built-in name is always what it says. */
export function isGenuineRecord(record: ValidationRecord): boolean {
  const { name, constraints = [] } = record;
  if (name === undefined || !PROBES.has(name)) return true;
  const known = judged.get(record);
  if (known !== undefined) return known;
  const [implementation] = constraintClasses(record);
  const genuine = implementation !== undefined && isGenuine(name, constraints, () => implementation.instance);
  judged.set(record, genuine);
  return genuine;
}

const judged = new WeakMap<ValidationRecord, boolean>();
