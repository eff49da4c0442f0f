import type { AnyClass } from '../../core/class.js';
import { docComment } from '../../core/doc-comments.js';
import { FIELD, type FieldRecord } from '../../core/field-record.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { lineage, readOwnClass } from '../../core/metadata.js';
import { makeChecks } from './checks.js';
import { readConditions, type Conditions } from './conditions.js';
import { stableDefault, sampleInstances, type Samples } from './defaults.js';
import { doubtsOf } from './doubts.js';
import { className } from './dto-class.js';
import { fieldProblems } from './field-problems.js';
import { isGenuineRecord } from './genuine.js';
import { readOverlay, type Overlay } from './keywords.js';
import { mappedFields, mappedSources, mappedType } from './mapped-record.js';
import type { ClassModel, PropertyModel, Shape } from './model.js';
import { slowPatternProblems } from './slow-expressions.js';
import { propertyShape } from './shape.js';
import { transformerFacts, type Direction, type TransformerFacts } from './transformer-metadata.js';
import { isValidatorRecord, RecordType, validationRecords, type ValidationRecord } from './validator-metadata.js';
import { finding } from '../../core/finding.js';

/** Which records of a class count. */
export interface ReflectOptions {
  readonly direction: Direction;
  /** Validation groups; without them every validator applies. */
  readonly groups?: readonly string[];
}

const models = new WeakMap<AnyClass, Map<string, ClassModel>>();

/** Reads a DTO class, once. What cannot work is in `findings`, of this class and of the classes it refers to. */
export function reflectClass(cls: AnyClass, options: ReflectOptions): ClassModel {
  const key = `${options.direction}:${options.groups?.join(' ') ?? ''}`;
  const known = models.get(cls) ?? new Map<string, ClassModel>();
  models.set(cls, known);
  const model = known.get(key);
  if (model !== undefined) return model;
  const created: ClassModel = {
    cls,
    name: className(cls),
    properties: [],
    byWire: new Map(),
    annotations: Object.assign({}, ...readOwnClass(FIELD, cls).map(({ keywords }) => keywords)) as JsonSchema,
    findings: [],
    warnings: [],
  };
  known.set(key, created);
  new ClassReader(created, options).read();
  return created;
}

/** Every class that `model` refers to, itself first. */
export function reachableModels(model: ClassModel): Set<ClassModel> {
  const found = new Set<ClassModel>();
  const visitShape = (shape: Shape | undefined): void => {
    if (shape?.model !== undefined) visit(shape.model);
    for (const variant of shape?.union?.variants ?? []) visit(variant.model);
    if (shape?.items !== undefined) visitShape(shape.items);
  };
  const visit = (next: ClassModel): void => {
    if (found.has(next)) return;
    found.add(next);
    for (const { shape } of next.properties) visitShape(shape);
  };
  visit(model);
  return found;
}

class ClassReader {
  readonly #model: ClassModel;
  readonly #options: ReflectOptions;
  readonly #cls: AnyClass;
  #optional: ReadonlySet<string> = new Set();
  #samples: Samples = { first: {}, second: {} };

  constructor(model: ClassModel, options: ReflectOptions) {
    this.#model = model;
    this.#options = options;
    this.#cls = model.cls;
  }

  read(): void {
    for (const { keywords } of readOwnClass(FIELD, this.#cls)) {
      for (const problem of fieldProblems(keywords)) this.#model.findings.push(`${this.#model.name}: ${problem}`);
    }
    const records = validationRecords(this.#cls, this.#options.groups);
    try {
      this.#samples = sampleInstances(this.#cls);
    } catch {
      this.#model.findings.push(
        finding(
          'CT315',
          `${this.#model.name}: its constructor throws when it is called without arguments. Let every argument be optional.`,
        ),
      );
    }
    const { fields, optional, unsure } = mappedFields(this.#cls, this.#samples.first);
    this.#optional = optional;
    for (const name of unsure) {
      this.#model.warnings.push(
        `${this.#model.name}.${name}: it has @Field alone, of which @nestjs/mapped-types keeps no trace, so it is not an ` +
          'argument. Add a validator to it, or use the mapped types of this package.',
      );
    }
    const names = this.#propertyNames(records, fields.keys());
    const grouped = groupByName(records);
    for (const name of names) {
      const own = [...(grouped.get(name) ?? [])].reverse();
      this.#readProperty(name, withoutUndoneConditions(this.#cls, own), fields.get(name) ?? []);
    }
    this.#warnUndecorated(names);
  }

  /** Ancestors' properties first, each class's in the order of declaration. */
  #propertyNames(records: readonly ValidationRecord[], fields: Iterable<string | symbol>): Set<string> {
    const names = new Set<string>();
    for (const owner of lineage(this.#cls)) {
      const declared = owner === this.#cls ? records : validationRecords(owner, this.#options.groups);
      for (const { target, propertyName } of declared) {
        if (target === owner) names.add(propertyName);
      }
    }
    for (const { propertyName } of records) names.add(propertyName);
    for (const field of fields) if (typeof field === 'string') names.add(field);
    return names;
  }

  #readProperty(name: string, all: readonly ValidationRecord[], fields: readonly FieldRecord[]): void {
    const facts = transformerFacts(this.#cls, name, this.#options.direction);
    if (facts.excluded) return;
    const site = `${this.#model.name}.${name}`;
    const report = (problem: string): void => void this.#model.findings.push(`${site}: ${problem}`);
    const warn = (problem: string): void => void this.#model.warnings.push(`${site}: ${problem}`);
    if (!this.#checkName(name, facts.wireName, report)) return;
    const records = all.filter((record) => isValidatorRecord(record) && isGenuineRecord(record));
    const conditions = readConditions(all, name);
    const overlay = readOverlay(Object.assign({}, ...fields.map(({ keywords }) => keywords)) as JsonSchema);
    const declared = overlay.whole ? undefined : declaredType(fields, report);
    const shape = overlay.whole
      ? rawShape(overlay, fields)
      : propertyShape({
          site,
          records,
          all,
          emitted: mappedType(this.#cls, name),
          type: facts.type,
          declared,
          nullableItems: conditions.nullableItems,
          model: (cls) => reflectClass(cls, this.#options),
          report,
          warn,
        });
    for (const { keywords } of fields) {
      fieldProblems(keywords).forEach(report);
      if (isEmptyChoice(keywords)) report(EMPTY_CHOICE);
    }
    const doubts = doubtsOf(shape, {
      named: (declared ?? facts.type) !== undefined,
      overlay: overlay.assertions,
      emitted: mappedType(this.#cls, name),
      transformed: facts.transforms.length > 0,
      direction: this.#options.direction,
    });
    doubts.forEach(warn);
    slowPatternProblems(overlay.whole ? shape.keywords : overlay.assertions).forEach(warn);
    const property = this.#property(name, shape, all, new Set(records), conditions, overlay, facts);
    this.#model.properties.push(property);
    this.#model.byWire.set(property.wire, property);
  }

  #property(
    name: string,
    shape: Shape,
    all: readonly ValidationRecord[],
    genuine: ReadonlySet<ValidationRecord>,
    conditions: Conditions,
    overlay: Overlay,
    facts: TransformerFacts,
  ): PropertyModel {
    const site = `${this.#model.name}.${name}`;
    const written = 'default' in overlay.annotations;
    const published = written
      ? { json: overlay.annotations.default, written }
      : stableDefault(shape, name, this.#samples);
    const hasDefault = written || this.#samples.first[name] !== undefined;
    const nullable = conditions.nullable || shape.nullable || published?.json === null;
    const annotations = Object.fromEntries(Object.entries(overlay.annotations).filter(([key]) => key !== 'default'));
    return {
      name,
      wire: facts.wireName,
      shape: { ...shape, nullable: nullable && shape.kind !== 'any' },
      required: !conditions.optional && !this.#optional.has(name) && conditions.siblings.length === 0 && !hasDefault,
      default: published,
      conditions: conditions.siblings,
      checks: makeChecks(
        all,
        shape,
        genuine,
        (problem) => void this.#model.warnings.push(`${site}: ${problem}`),
        (problem) => void this.#model.findings.push(`${site}: ${problem}`),
      ),
      transforms: this.#options.direction === 'input' ? facts.transforms : [],
      annotations: this.#describe(name, annotations),
      overlay: overlay.whole || Object.keys(overlay.assertions).length === 0 ? undefined : overlay.assertions,
    };
  }

  #describe(name: string, annotations: JsonSchema): JsonSchema {
    if ('description' in annotations) return annotations;
    const description = mappedSources(this.#cls)
      .map((source) => docComment(source, name))
      .find((comment) => comment !== undefined);
    return description === undefined ? annotations : { ...annotations, description };
  }

  #checkName(name: string, wire: string, report: (problem: string) => void): boolean {
    const before = this.#model.findings.length;
    if (name in Object.prototype || wire in Object.prototype) {
      report(finding('CT316', 'its name belongs to every object, so it cannot carry an argument. Rename it.'));
    } else {
      const found = inheritedMember(this.#cls, name);
      if (typeof found?.value === 'function')
        report(finding('CT317', 'a method cannot be an argument. Remove its validators, or rename.'));
      if (found?.get !== undefined && found.set === undefined && this.#options.direction === 'input') {
        report(
          finding(
            'CT318',
            'it has a getter and no setter, so an argument cannot be stored. Add a setter, or @Exclude() it.',
          ),
        );
      }
    }
    const rival = this.#model.byWire.get(wire);
    if (rival !== undefined)
      report(finding('CT319', `${rival.name} has the wire name "${wire}" too. Give each its own name.`));
    return this.#model.findings.length === before;
  }

  #warnUndecorated(names: ReadonlySet<string>): void {
    for (const name of Object.keys(this.#samples.first)) {
      if (names.has(name) || transformerFacts(this.#cls, name, this.#options.direction).excluded) continue;
      this.#model.warnings.push(
        `${this.#model.name}.${name}: it has no validator, so it is not an argument. Add one, or @Exclude() it.`,
      );
    }
  }
}

function groupByName(records: readonly ValidationRecord[]): Map<string, ValidationRecord[]> {
  const groups = new Map<string, ValidationRecord[]>();
  for (const record of records) {
    const group = groups.get(record.propertyName);
    if (group === undefined) groups.set(record.propertyName, [record]);
    else group.push(record);
  }
  return groups;
}

const EMPTY_CHOICE = finding('CT328', 'no value can meet its enum, which is empty. List the values.');

function isEmptyChoice({ enum: values }: JsonSchema): boolean {
  return Array.isArray(values) && values.length === 0;
}

/** A property that a subclass declares anew is as optional as the subclass says, whatever its parent said. */
function withoutUndoneConditions(cls: AnyClass, records: readonly ValidationRecord[]): readonly ValidationRecord[] {
  if (records.every(({ target }) => target === records[0]?.target)) return records;
  const owner = lineage(cls)
    .reverse()
    .find((candidate) => records.some(({ target }) => target === candidate));
  const own = records.filter(({ target }) => target === owner);
  const declaredAnew = own.some(({ type }) => type !== RecordType.Conditional);
  return records.filter((record) => record.target === owner || record.type !== RecordType.Conditional || !declaredAnew);
}

/** What the function of `@Field(() => …)` returns. */
function declaredType(fields: readonly FieldRecord[], report: (problem: string) => void): unknown {
  const type = fields.find((field) => field.type !== undefined)?.type;
  if (type === undefined) return undefined;
  try {
    const declared = type();
    if ((Array.isArray(declared) ? declared[0] : declared) !== undefined) return declared;
  } catch {
    // A class that is not defined yet throws; a circular import gives undefined.
  }
  report(
    finding(
      'CT320',
      'the function of @Field returned no class. Check for a circular import, or declare the class above.',
    ),
  );
  return Object;
}

function rawShape(overlay: Overlay, fields: readonly FieldRecord[]): Shape {
  const written = Object.assign({}, ...fields.map(({ keywords }) => keywords)) as JsonSchema;
  const annotations = new Set(Object.keys(overlay.annotations));
  const keywords = Object.fromEntries(
    Object.entries(written).filter(([key]) => key === 'format' || !annotations.has(key)),
  );
  return { kind: 'raw', keywords, nullable: false };
}

function inheritedMember(cls: AnyClass, name: string): PropertyDescriptor | undefined {
  for (const owner of lineage(cls).reverse()) {
    const found = Object.getOwnPropertyDescriptor(owner.prototype as object, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
