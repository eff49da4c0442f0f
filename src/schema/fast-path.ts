import { canGenerateCode } from './codegen.js';
import { checksOf, failsWhen } from './fast-checks.js';
import { passesCheck, runtime } from './fast-runtime.js';
import type { Check, ClassModel, PropertyModel, Shape, UnionModel } from './model.js';
import { takesNull } from './null-shape.js';
import { reachableModels } from './reflect.js';
import type { ClassValidationOptions } from './slow-path.js';

/** Returns the instance, or `undefined` when in doubt. */
export type FastPath = (value: unknown) => object | undefined;

/**
 * Compiles the accepting path of a class and of all it refers to into one function, at its first call. Generated code
 * only ever says yes; on any doubt the slow path decides and words the refusal. A mistake here can therefore cost time,
 * and a wrong yes is the only kind that matters.
 *
 * @returns `undefined` where code may not be generated, or where a class needs the slow path for every value.
 */
export function compileFastPath(model: ClassModel, options: ClassValidationOptions): FastPath | undefined {
  if (!canGenerateCode()) return undefined;
  const models = [...reachableModels(model)];
  if (!models.every((next) => next.properties.every(isCompilable))) return undefined;
  let run: FastPath | undefined;
  // Names for the wire form of each property are written with JSON.stringify: they may hold anything.
  return (value) => (run ??= new Generator(options).compile(model))(value);
}

function isCompilable({ checks, transforms }: PropertyModel): boolean {
  return transforms.length === 0 && !checks.some((check) => check.async);
}

class Generator {
  private readonly constants: unknown[] = [];
  private readonly functions: string[] = [];
  private readonly named = new Map<string, string>();
  private readonly modelIds = new Map<ClassModel, number>();
  private counter = 0;

  constructor(private readonly options: ClassValidationOptions) {}

  compile(model: ClassModel): FastPath {
    const entry = this.functionFor(model);
    const constants = this.constants.map((_, index) => `k${index} = K[${index}]`);
    const source = [
      '"use strict";',
      `const { ${Object.keys(runtime).join(', ')} } = R;`,
      constants.length > 0 ? `const ${constants.join(', ')};` : '',
      ...this.functions,
      `return (value) => { try { return ${entry}(value, 1); } catch { return undefined; } };`,
    ].join('\n');
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the purpose of this file; see the class comment.
    const make = new Function('R', 'K', source) as (r: typeof runtime, k: readonly unknown[]) => FastPath;
    return make(runtime, this.constants);
  }

  /** The name of the function that reads one class, as a union's variant or by itself. */
  private functionFor(model: ClassModel, union?: UnionModel): string {
    const id = this.modelIds.get(model) ?? this.modelIds.size;
    this.modelIds.set(model, id);
    const tag = union === undefined || model.byWire.has(union.property) ? undefined : union;
    const key = tag === undefined ? `${id}` : `${id}:${tag.keep}:${tag.property}`;
    const known = this.named.get(key);
    if (known !== undefined) return known;
    const name = `read${this.named.size}`;
    this.named.set(key, name);
    this.functions.push(this.writeFunction(name, model, tag));
    return name;
  }

  private writeFunction(name: string, model: ClassModel, tag: UnionModel | undefined): string {
    const lines = [
      `function ${name}(r, d) {`,
      `if (typeof r !== 'object' || r === null || protoOf(r) !== proto || d > ${this.options.limits.maxDepth}) return;`,
      `const o = new ${this.constant(model.cls)}();`,
    ];
    // Keys are counted at the end, less those that were found: what is left over is unknown, whatever its name.
    lines.push('let n = 0;');
    if (tag !== undefined) {
      lines.push('n++;');
      if (tag.keep) lines.push(`o${member(tag.property)} = r${member(tag.property)};`);
    }
    const late: string[] = [];
    for (const property of model.properties) lines.push(this.writeProperty(property, model, late));
    if (!this.options.open) lines.push('for (const k in r) n--;', 'if (n !== 0) return;');
    lines.push(...late, 'return o;', '}');
    return lines.join('\n');
  }

  private writeProperty(property: PropertyModel, model: ClassModel, late: string[]): string {
    const { shape, required, conditions, name, wire } = property;
    const value = this.variable();
    const target = `o${member(name)}`;
    const body = this.writeValue(shape, value, target, 'd', checksOf(property, true), property);
    const checks = this.writeChecks(checksOf(property, false), value, shape);
    late.push(...this.lateChecks(property, model, target));
    const present = [...checks.before, ...body, ...checks.after].join('\n');
    const lines = [`let ${value} = r${member(wire)};`];
    if (required && (shape.kind === 'any' || !shape.nullable)) {
      lines.push(`if (${value} === undefined) return;`, 'n++;', present);
      return lines.join('\n');
    }
    // Where null or nothing means something that is not written here, the slow path knows what.
    const asks = conditions.length > 0 || property.default?.written === true || shape.kind === 'raw';
    const isNull = shape.nullable ? `${target} = null;` : asks || takesNull(shape) ? 'return;' : '';
    lines.push(`if (${value} !== undefined) {`, 'n++;', `if (${value} !== null) {`, present, `} else { ${isNull} }`);
    lines.push(required || asks ? '} else return;' : '}');
    return lines.join('\n');
  }

  /** Checks in code, before or after the value was stored; those that need a call run when the instance stands. */
  private writeChecks(checks: readonly Check[], value: string, shape: Shape): { before: string[]; after: string[] } {
    const conditions = checks
      .map((check) =>
        failsWhen(check, value, shape, (constant) => this.constant(constant), this.options.limits.maxPatternChars),
      )
      .filter((condition) => condition !== undefined && condition !== '');
    return { before: [], after: conditions.map((condition) => `if (${condition}) return;`) };
  }

  private lateChecks(property: PropertyModel, model: ClassModel, target: string): string[] {
    const { shape, checks, overlay } = property;
    const calls = checks.filter((check) => {
      const on = check.each ? (shape.items ?? shape) : shape;
      return failsWhen(check, 'v', on, () => 'k', 0) === undefined;
    });
    const lines = calls.map((check) => {
      const passes = this.constant(passesCheck(check, property, model, this.options.limits.maxPatternChars));
      return `if (!${passes}(o, ${target})) return;`;
    });
    if (lines.length === 0 && overlay === undefined) return [];
    const skipsNull = property.required && !shape.nullable ? '' : ` && r${member(property.wire)} !== null`;
    return [`if (r${member(property.wire)} !== undefined${skipsNull}) {`, ...lines, '}'];
  }

  /** Statements that return when `value` does not have the shape, and store it in `target` when it does. */
  private writeValue(
    shape: Shape,
    value: string,
    target: string,
    depth: string,
    eachChecks: readonly Check[],
    property?: PropertyModel,
  ): string[] {
    const overlay = property?.overlay;
    const plain = ['string', 'number', 'integer', 'boolean'].includes(shape.kind);
    const before = overlay !== undefined && !plain ? [this.satisfies(overlay, value, depth)] : [];
    const lines = this.writeShape(shape, value, target, depth, eachChecks);
    const after = overlay !== undefined && plain ? [this.satisfies(overlay, value, depth)] : [];
    return [...before, ...lines, ...after];
  }

  private satisfies(schema: Shape['keywords'], value: string, depth: string): string {
    return `if (!satisfies(${this.constant(schema)}, ${value}, ${this.options.limits.maxDepth} - ${depth})) return;`;
  }

  private writeShape(shape: Shape, value: string, target: string, depth: string, each: readonly Check[]): string[] {
    const levels = `${this.options.limits.maxDepth} - ${depth} - 1`;
    const store = `${target} = ${value};`;
    switch (shape.kind) {
      case 'string':
        return [`if (typeof ${value} !== 'string') return;`, ...this.allowed(shape, value), store];
      case 'number':
      case 'integer': {
        const test = shape.kind === 'integer' ? `Number.isInteger(${value})` : `Number.isFinite(${value})`;
        return [
          `if (typeof ${value} === 'string') ${value} = numberFromText(${value});`,
          `if (!${test}) return;`,
          ...this.allowed(shape, value),
          store,
        ];
      }
      case 'boolean': {
        const convert = `if (typeof ${value} === 'string') ${value} = booleanFromText(${value});`;
        return [
          ...(shape.values === undefined ? [convert] : []),
          `if (typeof ${value} !== 'boolean') return;`,
          ...this.allowed(shape, value),
          store,
        ];
      }
      case 'date':
        return [
          `if (typeof ${value} !== 'string') return;`,
          `${value} = dateFromText(${value});`,
          `if (${value} === undefined) return;`,
          store,
        ];
      case 'any':
        return [
          `if (typeof ${value} === 'object' && !shallow(${value}, ${levels})) return;`,
          ...this.allowed(shape, value),
          store,
        ];
      case 'object':
        return [
          `if (typeof ${value} !== 'object' || ${value} === null || Array.isArray(${value}) || !shallow(${value}, ${levels})) return;`,
          store,
        ];
      case 'raw':
        return [this.satisfies(shape.keywords, value, depth), store];
      case 'class':
        return this.writeClass(shape, value, target, depth);
      case 'union':
        return this.writeUnion(shape, value, target, depth);
      case 'array':
      case 'set':
        return this.writeList(shape, value, target, depth, each);
      case 'map':
        return this.writeMap(shape, value, target, depth, each);
    }
  }

  private allowed({ values }: Shape, value: string): string[] {
    if (values === undefined) return [];
    if (values.length > MAX_INLINE_VALUES) return [`if (!${this.constant(new Set(values))}.has(${value})) return;`];
    const tests = values.map((allowed) => `${value} !== ${JSON.stringify(allowed)}`);
    return [`if (${tests.length === 0 ? 'true' : tests.join(' && ')}) return;`];
  }

  private writeClass({ model, keywords }: Shape, value: string, target: string, depth: string): string[] {
    if (model === undefined) return ['return;'];
    const read = this.variable();
    const least = keywords.minProperties;
    return [
      ...(typeof least === 'number'
        ? [`if (typeof ${value} !== 'object' || keyCount(${value}) < ${least}) return;`]
        : []),
      `const ${read} = ${this.functionFor(model)}(${value}, ${depth} + 1);`,
      `if (${read} === undefined) return;`,
      `${target} = ${read};`,
    ];
  }

  private writeUnion({ union }: Shape, value: string, target: string, depth: string): string[] {
    if (union === undefined) return ['return;'];
    const read = this.variable();
    const cases = union.variants.map(
      ({ name, model }) =>
        `case ${JSON.stringify(name)}: ${read} = ${this.functionFor(model, union)}(${value}, ${depth} + 1); break;`,
    );
    return [
      `if (typeof ${value} !== 'object' || ${value} === null) return;`,
      `let ${read};`,
      `switch (${value}${member(union.property)}) { ${cases.join(' ')} default: return; }`,
      `if (${read} === undefined) return;`,
      `${target} = ${read};`,
    ];
  }

  private writeList(shape: Shape, value: string, target: string, depth: string, each: readonly Check[]): string[] {
    const { maxItems, maxDepth } = this.options.limits;
    const lines = [`if (!Array.isArray(${value}) || ${value}.length > ${maxItems} || ${depth} >= ${maxDepth}) return;`];
    const list = this.variable();
    const item = this.variable();
    const index = this.variable();
    const { items } = shape;
    const body =
      items === undefined || isFree(items)
        ? undefined
        : this.writeItem(items, item, `${list}[${index}]`, `(${depth} + 1)`, each);
    if (body === undefined) {
      lines.push(`const ${list} = ${value}.slice();`);
      if (items !== undefined) lines.push(`if (!shallow(${list}, ${maxDepth} - ${depth} - 1)) return;`);
    } else {
      lines.push(
        `const ${list} = new Array(${value}.length);`,
        `for (let ${index} = 0; ${index} < ${value}.length; ${index}++) {`,
        `let ${item} = ${value}[${index}];`,
        ...body,
        '}',
      );
    }
    if (shape.kind === 'array') return [...lines, `${target} = ${list};`];
    const set = this.variable();
    return [
      ...lines,
      `const ${set} = new Set(${list});`,
      `if (${set}.size !== ${list}.length) return;`,
      `${target} = ${set};`,
    ];
  }

  private writeMap({ items }: Shape, value: string, target: string, depth: string, each: readonly Check[]): string[] {
    const { maxItems, maxDepth } = this.options.limits;
    const map = this.variable();
    const item = this.variable();
    const key = this.variable();
    const read = this.variable();
    const body =
      items === undefined ? [`${read} = ${item};`] : this.writeItem(items, item, read, `(${depth} + 1)`, each);
    return [
      `if (typeof ${value} !== 'object' || ${value} === null || protoOf(${value}) !== proto || ${depth} >= ${maxDepth}) return;`,
      `if (keyCount(${value}) > ${maxItems}) return;`,
      `const ${map} = new Map();`,
      `for (const ${key} in ${value}) {`,
      `let ${read}, ${item} = ${value}[${key}];`,
      ...body,
      `${map}.set(${key}, ${read});`,
      '}',
      `${target} = ${map};`,
    ];
  }

  private writeItem(items: Shape, item: string, target: string, depth: string, each: readonly Check[]): string[] {
    const checks = this.writeChecks(each, item, items);
    const body = [...this.writeShape(items, item, target, depth, []), ...checks.after];
    if (!items.nullable) return body;
    return [`if (${item} === null) ${target} = null; else {`, ...body, '}'];
  }

  private variable(): string {
    return `v${this.counter++}`;
  }

  private constant(value: unknown): string {
    const known = this.constants.indexOf(value);
    if (known >= 0) return `k${known}`;
    this.constants.push(value);
    return `k${this.constants.length - 1}`;
  }
}

const MAX_INLINE_VALUES = 8;

/** A member access that cannot be anything but one, whatever the name holds. */
function member(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A shape that takes every JSON value as it is. */
function isFree({ kind, values }: Shape): boolean {
  return kind === 'any' && values === undefined;
}
