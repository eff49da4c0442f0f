import { failsWhen, isExpression } from './fast-checks.js';
import type { Check, ClassModel, Shape, UnionModel } from '../read/model.js';
import type { ClassValidationOptions } from './slow-path.js';

/** Writes the code that reads values of each shape. How classes are read is left open. */
export abstract class ShapeWriter {
  protected readonly constants: unknown[] = [];
  #counter = 0;

  constructor(protected readonly options: ClassValidationOptions) {}

  /** The name of the function that reads one class, as a union's variant or by itself. */
  protected abstract functionFor(model: ClassModel, union?: UnionModel): string;

  /** The checks that can be written as code; those that need a call run when the instance stands. */
  protected writeChecks(checks: readonly Check[], value: string, shape: Shape): string[] {
    // Lengths come first: what is too long meets no expression.
    const ordered = [...checks].sort((a, b) => Number(isExpression(a)) - Number(isExpression(b)));
    const conditions = ordered
      .map((check) =>
        failsWhen(check, value, shape, (constant) => this.constant(constant), this.options.limits.maxPatternChars),
      )
      .filter((condition) => condition !== undefined && condition !== '');
    return conditions.map((condition) => `if (${condition}) return;`);
  }

  protected satisfies(schema: Shape['keywords'], value: string, depth: string): string {
    const { limits } = this.options;
    const levels = `${limits.maxDepth} - ${depth}`;
    return `if (!satisfies(${this.constant(schema)}, ${value}, ${levels}, ${this.constant(limits)})) return;`;
  }

  protected writeShape(shape: Shape, value: string, target: string, depth: string, each: readonly Check[]): string[] {
    const levels = `${this.options.limits.maxDepth} - ${depth} - 1`;
    const store = `${target} = ${value};`;
    switch (shape.kind) {
      case 'string':
        return [`if (typeof ${value} !== 'string') return;`, ...this.#allowed(shape, value), store];
      case 'number':
      case 'integer': {
        const [convert, test] =
          shape.kind === 'integer' ? ['integerFromText', 'isSafeInteger'] : ['numberFromText', 'isFinite'];
        return [
          `if (typeof ${value} === 'string') ${value} = ${convert}(${value});`,
          `if (!Number.${test}(${value})) return;`,
          ...this.#allowed(shape, value),
          store,
        ];
      }
      case 'boolean': {
        const convert = `if (typeof ${value} === 'string') ${value} = booleanFromText(${value});`;
        return [
          ...(shape.values === undefined ? [convert] : []),
          `if (typeof ${value} !== 'boolean') return;`,
          ...this.#allowed(shape, value),
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
          ...this.#allowed(shape, value),
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
        return this.#writeClass(shape, value, target, depth);
      case 'union':
        return this.#writeUnion(shape, value, target, depth);
      case 'array':
      case 'set':
        return this.#writeList(shape, value, target, depth, each);
      case 'map':
        return this.#writeMap(shape, value, target, depth, each);
    }
  }

  #allowed({ values }: Shape, value: string): string[] {
    if (values === undefined) return [];
    if (values.length > MAX_INLINE_VALUES) return [`if (!${this.constant(new Set(values))}.has(${value})) return;`];
    const tests = values.map((allowed) => `${value} !== ${JSON.stringify(allowed)}`);
    return [`if (${tests.length === 0 ? 'true' : tests.join(' && ')}) return;`];
  }

  #writeClass({ model, keywords }: Shape, value: string, target: string, depth: string): string[] {
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

  #writeUnion({ union }: Shape, value: string, target: string, depth: string): string[] {
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

  #writeList(shape: Shape, value: string, target: string, depth: string, each: readonly Check[]): string[] {
    const { maxItems, maxDepth } = this.options.limits;
    const lines = [`if (!Array.isArray(${value}) || ${value}.length > ${maxItems} || ${depth} >= ${maxDepth}) return;`];
    const list = this.variable();
    const item = this.variable();
    const index = this.variable();
    const { items } = shape;
    const body =
      items === undefined || isFree(items)
        ? undefined
        : this.#writeItem(items, item, `${list}[${index}]`, `(${depth} + 1)`, each);
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

  #writeMap({ items }: Shape, value: string, target: string, depth: string, each: readonly Check[]): string[] {
    const { maxItems, maxDepth } = this.options.limits;
    const map = this.variable();
    const item = this.variable();
    const key = this.variable();
    const read = this.variable();
    const body =
      items === undefined ? [`${read} = ${item};`] : this.#writeItem(items, item, read, `(${depth} + 1)`, each);
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

  #writeItem(items: Shape, item: string, target: string, depth: string, each: readonly Check[]): string[] {
    const checks = this.writeChecks(each, item, items);
    const body = [...this.writeShape(items, item, target, depth, []), ...checks];
    if (!items.nullable) return body;
    return [`if (${item} === null) ${target} = null; else {`, ...body, '}'];
  }

  protected variable(): string {
    return `v${this.#counter++}`;
  }

  protected constant(value: unknown): string {
    const known = this.constants.indexOf(value);
    if (known >= 0) return `k${known}`;
    this.constants.push(value);
    return `k${this.constants.length - 1}`;
  }
}

const MAX_INLINE_VALUES = 8;

/** A member access that cannot be anything but one, whatever the name holds. */
export function member(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A shape that takes every JSON value as it is. */
function isFree({ kind, values }: Shape): boolean {
  return kind === 'any' && values === undefined;
}
