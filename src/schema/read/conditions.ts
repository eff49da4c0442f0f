import { forget, isPromise } from '../../core/guards.js';
import { RecordType, type ValidationRecord } from './validator-metadata.js';

/** What the conditions on a property (`@IsOptional`, `@ValidateIf`) say about it. */
export interface Conditions {
  /** `@IsOptional`, or a condition that skips `undefined`. */
  readonly optional: boolean;
  /** A condition that skips null without being `@IsOptional`. */
  readonly nullable: boolean;
  /** `@IsOptional({ each: true })`: null elements pass. */
  readonly nullableItems: boolean;
  /** Conditions that look at other properties, and so can be judged only on a whole instance. */
  readonly siblings: readonly Condition[];
}

type Condition = (object: unknown, value: unknown) => boolean;

const IS_OPTIONAL = 'isOptional';

/** Reads the conditions of one property. Each `@ValidateIf` function is called with a few probe values. */
export function readConditions(records: readonly ValidationRecord[], property: string): Conditions {
  let optional = false;
  let nullable = false;
  let nullableItems = false;
  const siblings: Condition[] = [];
  for (const record of records) {
    if (record.type !== RecordType.Conditional) continue;
    // class-validator's own condition for @IsOptional reads the object only, so its name is what counts.
    if (record.name === IS_OPTIONAL) {
      optional = true;
      nullableItems ||= record.each === true;
      continue;
    }
    const condition = record.constraints?.[0] as Condition;
    optional ||= skips(condition, property, undefined);
    nullable ||= skips(condition, property, null);
    if (dependsOnSiblings(condition, property)) siblings.push(condition);
  }
  return { optional, nullable, nullableItems, siblings };
}

interface Probe {
  readonly result: unknown;
  readonly looked: boolean;
}

/** Calls a condition with an object that notices when another property than the condition's own is read. */
function probe(condition: Condition, property: string, value: unknown): Probe {
  let looked = false;
  const notice = (): undefined => {
    looked = true;
    return undefined;
  };
  const object = new Proxy(Object.create(null) as object, {
    get: (_, key) => (key === property ? value : notice()),
    has: (_, key) => {
      if (key !== property) notice();
      return key === property;
    },
    ownKeys: () => {
      notice();
      return [];
    },
    getOwnPropertyDescriptor: notice,
  });
  try {
    const result: unknown = condition(object, value);
    if (isPromise(result)) forget(result);
    return { result, looked };
  } catch {
    return { result: true, looked: true };
  }
}

function skips(condition: Condition, property: string, value: null | undefined): boolean {
  const { result, looked } = probe(condition, property, value);
  return !looked && !result;
}

function dependsOnSiblings(condition: Condition, property: string): boolean {
  return [undefined, null, 'text', '', 1, 0, true, false].some((value) => probe(condition, property, value).looked);
}
