import { constraintClasses, validatorOf, type ValidationRecord } from './validator-metadata.js';

type Probe = (constraints: readonly unknown[]) => Probes | undefined;

interface Probes {
  readonly accepts: readonly unknown[];
  readonly rejects: unknown;
}

const of = (accepts: readonly unknown[], rejects: unknown): Probe => {
  const probes = { accepts, rejects };
  return () => probes;
};
const NOBODY = Symbol('none');
const MAX_PROBE_LENGTH = 200;

/** A text or a list of `length`, and one of a length that is refused; nothing for lengths that would cost something. */
const sized = (make: (length: number) => unknown, fits: unknown, fails: number): Probes | undefined =>
  typeof fits === 'number' && fits >= 0 && fits <= MAX_PROBE_LENGTH
    ? { accepts: [make(fits)], rejects: fails < 0 ? null : make(fails) }
    : undefined;
const text = (length: number): string => 'x'.repeat(length);
const list = (length: number): unknown[] => Array.from({ length }, (_, index) => index);
function firstMembers(entity: unknown): Probes | undefined {
  const members = Object.values(entity as object) as unknown[];
  return members.length === 0 ? undefined : { accepts: members.slice(0, 2), rejects: NOBODY };
}
const beyond = (bound: unknown, side: 1 | -1): unknown =>
  typeof bound === 'number' ? bound + side * Math.max(1, Math.abs(bound)) : NOBODY;

/** Values that a built-in validator accepts, and one that it refuses. */
const PROBES: ReadonlyMap<string, Probe> = new Map<string, Probe>([
  ['isString', of(['', 'x'], 1)],
  ['isInt', of([-7, 12], 1.5)],
  ['isNumber', of([-7, 12], '1')],
  ['isBoolean', of([false, true], 1)],
  ['isPositive', of([0.5, 8], 0)],
  ['isNegative', of([-0.5, -8], 0)],
  ['min', ([min]) => ({ accepts: [min, beyond(min, 1)], rejects: beyond(min, -1) })],
  ['max', ([max]) => ({ accepts: [max, beyond(max, -1)], rejects: beyond(max, 1) })],
  ['isLatitude', of([-90, 45], 91)],
  ['isLongitude', of([-180, 45], 181)],
  ['minLength', ([min]) => sized(text, min, Number(min) - 1)],
  ['maxLength', ([max]) => sized(text, max, Number(max) + 1)],
  ['isLength', ([min]) => sized(text, min, Number(min) - 1)],
  ['isArray', of([[], [1]], 'x')],
  ['arrayNotEmpty', of([[1], [1, 2]], [])],
  ['arrayMinSize', ([min]) => sized(list, min, Number(min) - 1)],
  ['arrayMaxSize', ([max]) => sized(list, max, Number(max) + 1)],
  ['isObject', of([{}, { a: 1 }], [])],
  ['isNotEmptyObject', of([{ a: 1 }], {})],
  ['isDate', of([new Date(0)], 0)],
  ['isDefined', of([0, 'x'], null)],
  ['isNotEmpty', of([0, 'x'], '')],
  [
    'isIn',
    ([values]) =>
      Array.isArray(values) && values.length > 0 ? { accepts: values.slice(0, 2), rejects: NOBODY } : undefined,
  ],
  ['isEnum', ([entity]) => firstMembers(entity)],
  ['equals', ([value]) => ({ accepts: [value], rejects: NOBODY })],
]);

/**
 * Whether a record is what its name says. A validator of the user's own may carry the name of a built-in one, and
 * nothing in the records tells them apart, so a built-in name whose meaning we use is believed only when the validator
 * answers as class-validator's own would.
 */
export function isGenuineRecord(record: ValidationRecord): boolean {
  const { name } = record;
  const probe = name === undefined ? undefined : PROBES.get(name);
  if (probe === undefined) return true;
  return answersAsBuiltIn(record, probe);
}

function answersAsBuiltIn(record: ValidationRecord, probe: Probe): boolean {
  const [implementation] = constraintClasses(record);
  if (implementation === undefined) return false;
  const { constraints = [] } = record;
  const args = { targetName: '', property: '', object: {}, constraints, value: undefined };
  try {
    const probes = probe(constraints);
    if (probes === undefined) return true;
    const validator = validatorOf(implementation);
    return (
      probes.accepts.every((value) => validator.validate(value, args) === true) &&
      validator.validate(probes.rejects, args) === false
    );
  } catch {
    return false;
  }
}
