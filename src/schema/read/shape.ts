import type { AnyClass } from '../../core/class.js';
import { isClass } from '../../core/class.js';
import { causeOfLostType, IMPORT_THE_CLASS } from '../../core/lost-type.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { describeConstraint, type Fragment } from './constraint-keywords.js';
import { className, describesProperties, isUserClass } from './dto-class.js';
import { mergeKeywords } from './keywords.js';
import type { ClassModel, Kind, Shape, UnionModel } from './model.js';
import type { TypeRecord } from './transformer-metadata.js';
import { RecordType, type ValidationRecord } from './validator-metadata.js';
import { finding } from '../../core/finding.js';

/** What is known of one property before its shape is worked out. */
export interface PropertyFacts {
  /** `Dto.property`, for messages. */
  readonly site: string;
  /** Validators in source order, without those that only borrow a built-in name. */
  readonly records: readonly ValidationRecord[];
  /** Every record in source order. */
  readonly all: readonly ValidationRecord[];
  readonly emitted: unknown;
  readonly type?: TypeRecord;
  /** What `@Field(() => …)` returned; a list holds the class of the elements. */
  readonly declared?: unknown;
  readonly nullableItems: boolean;
  readonly model: (cls: AnyClass) => ClassModel;
  readonly report: (problem: string) => void;
  readonly warn: (problem: string) => void;
}

/** What a missing @Type can also mean; two stores cannot see one another. */
const TWO_COPIES = ' (if it is named, two copies of class-transformer are installed)';

const ANY: Shape = Object.freeze({ kind: 'any', keywords: {}, nullable: false });

/** The shape of one property: from its validators first, from `@Type` or `@Field` second, from the emitted type last. */
export function propertyShape(facts: PropertyFacts): Shape {
  const { records, all, emitted, declared } = facts;
  const hint = Array.isArray(declared) ? (declared[0] as unknown) : (declared ?? typeHint(facts));
  const nested = all.some(({ type }) => type === RecordType.Nested);
  const container = containerOf(facts);
  const whole = records.filter(({ each }) => each !== true);
  if (container === undefined) {
    return valueShape(facts, { records: whole, hint, emitted, nested });
  }
  if (nested && hint === undefined) {
    facts.report(
      finding(
        'CT321',
        `@ValidateNested needs @Type(() => Class). Name the class of its elements, which have no type at run time${TWO_COPIES}.`,
      ),
    );
  }
  const each = records.filter((record) => record.each === true);
  const items = valueShape(facts, { records: each, hint, nested: nested && hint !== undefined, element: true });
  const fragments = whole.map(describeConstraint);
  const expected: Kind = container === 'map' ? 'object' : 'array';
  for (const [index, { kind }] of fragments.entries()) {
    if (kind !== undefined && kind !== expected) {
      const name = whole[index]?.name ?? '';
      facts.report(
        finding('CT322', `"${name}" cannot hold for ${article(container)}. Add { each: true } to check its elements.`),
      );
    }
  }
  const keywords = mergeKeywords(fragments.map((fragment) => fragment.keywords ?? {}));
  return {
    kind: container,
    keywords: container === 'set' ? { uniqueItems: true, ...keywords } : keywords,
    items: facts.nullableItems ? { ...items, nullable: true } : items,
    nullable: false,
  };
}

function article(container: string): string {
  return container === 'array' ? 'an array' : `a ${container}`;
}

function containerOf({ records, all, emitted, declared }: PropertyFacts): 'array' | 'set' | 'map' | undefined {
  if (emitted === Set) return 'set';
  if (emitted === Map) return 'map';
  const isList =
    Array.isArray(declared) ||
    emitted === Array ||
    all.some(({ each, type }) => each === true && type !== RecordType.Conditional) ||
    records.some((record) => record.each !== true && describeConstraint(record).kind === 'array');
  return isList ? 'array' : undefined;
}

function typeHint({ type, report }: PropertyFacts): unknown {
  if (type === undefined) return undefined;
  try {
    const hint = type.typeFunction();
    if (hint !== undefined) return hint;
  } catch {
    // Falls through: a class that is not defined yet throws, a circular import gives undefined.
  }
  report(
    finding(
      'CT320',
      'the function of @Type returned no class. Check for a circular import, or declare the class above.',
    ),
  );
  return Object;
}

interface Level {
  readonly records: readonly ValidationRecord[];
  readonly hint: unknown;
  readonly emitted?: unknown;
  readonly nested: boolean;
  /** The value is an element, whose type the compiler never emits. */
  readonly element?: boolean;
}

function valueShape(facts: PropertyFacts, level: Level): Shape {
  const fragments = numericOrText(level);
  const discriminator = facts.type?.options?.discriminator;
  if (discriminator !== undefined && (level.nested || isUserClass(level.hint))) return unionShape(facts);
  const kind = unify(facts, fragments);
  if (level.nested || kind === undefined || kind === 'object') {
    const cls = nestedClass(facts, level, kind);
    if (cls !== undefined) {
      const keywords = mergeKeywords(fragments.map((fragment) => fragment.keywords ?? {}));
      return { kind: 'class', keywords, model: facts.model(cls), nullable: false };
    }
  }
  const resolved = kind ?? fallbackKind(facts, level);
  const shape = scalarShape(resolved, fragments, level.records);
  if (shape.values?.length === 0 && !shape.nullable) {
    facts.report(
      finding('CT328', 'no value can meet its validators, which leave none to choose from. List the values.'),
    );
  }
  return shape;
}

/** @IsLatitude and @IsLongitude take text as well: they are numeric unless something else says text. */
function numericOrText({ records, hint, emitted }: Level): Fragment[] {
  const isPosition = ({ name }: ValidationRecord): boolean => name === 'isLatitude' || name === 'isLongitude';
  const saysText = records.some((record) => !isPosition(record) && describeConstraint(record).kind === 'string');
  const text = saysText || (hint ?? emitted) === String;
  return records.map((record) => (text && isPosition(record) ? { kind: 'string' } : describeConstraint(record)));
}

function unify({ report }: PropertyFacts, fragments: readonly Fragment[]): Kind | undefined {
  let found: Kind | undefined;
  for (const { kind } of fragments) {
    if (kind === undefined || kind === found) continue;
    if (found === undefined) found = kind;
    else if (isNumeric(found) && isNumeric(kind)) found = 'integer';
    else report(finding('CT322', `validators for ${found} and for ${kind} can never both hold. Keep one kind.`));
  }
  return found;
}

function isNumeric(kind: Kind): boolean {
  return kind === 'number' || kind === 'integer';
}

/** The class whose properties the value has, if it is an object with known properties. */
function nestedClass(facts: PropertyFacts, level: Level, kind: Kind | undefined): AnyClass | undefined {
  const instanceOf = level.records.find(({ name }) => name === 'isInstance')?.constraints?.[0];
  const candidates = [level.hint, level.element === true ? undefined : level.emitted, instanceOf];
  const cls = candidates.find((candidate) => isUserClass(candidate));
  if (level.nested) {
    if (cls !== undefined) return cls;
    facts.report(
      finding('CT321', `@ValidateNested needs @Type(() => Class). Name the class of the nested object${TWO_COPIES}.`),
    );
    return undefined;
  }
  if (cls === undefined) return undefined;
  if (kind === 'object' && level.hint === undefined) {
    facts.warn(`its type ${className(cls)} is not checked. Add @ValidateNested() to check it.`);
    return undefined;
  }
  if (level.hint === cls || describesProperties(cls)) return cls;
  facts.report(
    finding(
      'CT323',
      `${className(cls)} says nothing of its properties. Decorate them, or give a schema with @Field({ type: … }).`,
    ),
  );
  return undefined;
}

function unionShape(facts: PropertyFacts): Shape {
  const discriminator = facts.type?.options?.discriminator;
  const union: UnionModel = {
    property: discriminator?.property ?? '',
    keep: facts.type?.options?.keepDiscriminatorProperty === true,
    variants: (discriminator?.subTypes ?? []).map(({ name, value }) => ({ name, model: facts.model(value) })),
  };
  if (union.variants.length === 0) facts.report(finding('CT324', 'its discriminator has no subTypes. List them.'));
  return { kind: 'union', keywords: {}, union, nullable: false };
}

/** The kind by `@Type`, `@Field` or the emitted type, where no validator says one. */
function fallbackKind(facts: PropertyFacts, level: Level): Kind {
  const given = level.hint ?? level.emitted;
  if (level.element === true && given === undefined) return 'any';
  if (facts.all.some(({ type }) => type === RecordType.Promise) && given === Object) return 'any';
  const known = KINDS.get(given);
  if (known !== undefined) return known;
  if (given === undefined) {
    facts.report(
      finding(
        'CT325',
        'its type is unknown, because the compiler emitted none. Turn on emitDecoratorMetadata, ' +
          'or add a type validator, @Type(() => …) or @Field({ type: … }).',
      ),
    );
  } else {
    const name = isClass(given) ? className(given) : typeof given === 'function' ? given.name : typeof given;
    const cause = causeOfLostType(given);
    const remedy = cause === '' ? 'Give' : `${IMPORT_THE_CLASS}, give`;
    facts.report(
      finding(
        'CT326',
        `${name}${cause} cannot be made from JSON. ${remedy} its schema with @Field({ type: … }), or another type.`,
      ),
    );
  }
  return 'any';
}

const KINDS: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Object, 'any'],
]);

function scalarShape(kind: Kind, fragments: readonly Fragment[], records: readonly ValidationRecord[]): Shape {
  const nullable = fragments.some((fragment) => fragment.nullable === true);
  const values = fragments
    .map((fragment) => fragment.values)
    .filter((list) => list !== undefined)
    .reduce<readonly unknown[] | undefined>((kept, list) => kept?.filter((v) => list.includes(v)) ?? list, undefined);
  const parts = fragments.map((fragment) => fragment.keywords ?? {});
  const has = (name: string): boolean => records.some((record) => record.name === name);
  if (kind === 'string' && has('isNotEmpty') && values === undefined) parts.push({ minLength: 1 });
  if (kind === 'any' && has('isDefined') && values === undefined) parts.push({ not: { type: 'null' } });
  const keywords = mergeKeywords(
    values === undefined || parts.some((part) => 'const' in part) ? parts : [...parts, { enum: values }],
  );
  if (kind === 'any' && values === undefined && Object.keys(keywords).length === 0 && !nullable) return ANY;
  const all = kind === 'any' && nullable && values !== undefined ? [...values, null] : values;
  return { kind, keywords: nullValues(kind, keywords, nullable), values: all, nullable: nullable && kind !== 'any' };
}

/** An untyped list of values names null itself; a typed one says it beside the type. */
function nullValues(kind: Kind, keywords: JsonSchema, nullable: boolean): JsonSchema {
  if (kind !== 'any' || !nullable || !Array.isArray(keywords.enum)) return keywords;
  return { ...keywords, enum: [...(keywords.enum as unknown[]), null] };
}
