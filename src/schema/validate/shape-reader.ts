import { booleanFromText, dateFromText, integerFromText, isInexactInteger, numberFromText } from './coerce.js';
import { notOneOfMessage, type IssueList, type Path } from '../base/issues.js';
import { isShallow, type ValidationLimits } from '../base/limits.js';
import type { ClassModel, Shape, UnionModel } from '../read/model.js';
import { issuesOfSchema } from '../raw/shape.js';

/** Stands for a value that was refused; a list keeps its other elements, so that their problems are found too. */
export const FAILED = Symbol('failed');

/** How a value is read. */
export interface ReaderOptions {
  readonly limits: ValidationLimits;
  readonly issues: IssueList;
  /** Unknown keys are dropped instead of refused. */
  readonly open: boolean;
  /** JSON text is parsed where an array or an object is declared. */
  readonly acceptJsonText: boolean;
}

/** A plain object of the input. */
export type Raw = Readonly<Record<string, unknown>>;

/** Reads values by their shape: types, sizes and lossless conversions. How objects of a class are read is left open. */
export abstract class ShapeReader {
  constructor(protected readonly options: ReaderOptions) {}

  abstract readObject(
    model: ClassModel,
    raw: unknown,
    path: Path | undefined,
    depth: number,
    union?: UnionModel,
  ): unknown;

  protected readShape(shape: Shape, value: unknown, path: Path, depth: number): unknown {
    switch (shape.kind) {
      case 'string':
        return typeof value === 'string' ? this.#allowed(shape, value, path) : this.refuse(path, 'string');
      case 'number':
        return this.#readNumber(shape, value, path);
      case 'integer':
        return this.#readInteger(shape, value, path);
      case 'boolean': {
        const read = typeof value === 'string' && shape.values === undefined ? booleanFromText(value) : value;
        return typeof read === 'boolean' ? this.#allowed(shape, read, path) : this.refuse(path, 'boolean');
      }
      case 'date': {
        const read = typeof value === 'string' ? dateFromText(value) : copyDate(value);
        return read ?? this.refuse(path, 'date-time', 'expected date-time (ISO 8601, with an offset)');
      }
      case 'array':
      case 'set':
        return this.#readList(shape, value, path, depth);
      case 'map':
        return this.#readMap(shape, value, path, depth);
      case 'class':
        return shape.model === undefined ? FAILED : this.#readNested(shape, shape.model, value, path, depth);
      case 'union':
        return shape.union === undefined ? FAILED : this.#readUnion(shape.union, value, path, depth);
      case 'raw':
        return this.satisfies(shape.keywords, value, path, depth) ? value : FAILED;
      case 'object':
        return this.#readFree(this.#fromText(value, '{'), path, depth, true);
      case 'any': {
        const read = this.#readFree(value, path, depth, false);
        return read === FAILED ? read : this.#allowed(shape, read, path);
      }
    }
  }

  #readNumber(shape: Shape, value: unknown, path: Path): unknown {
    const read = typeof value === 'string' ? numberFromText(value) : value;
    return Number.isFinite(read) ? this.#allowed(shape, read, path) : this.refuse(path, shape.kind);
  }

  #readInteger(shape: Shape, value: unknown, path: Path): unknown {
    const read = typeof value === 'string' ? integerFromText(value) : value;
    if (Number.isSafeInteger(read)) return this.#allowed(shape, read, path);
    if (!isInexactInteger(value)) return this.refuse(path, shape.kind);
    this.options.issues.add(path, 'unsafe_integer', UNSAFE_INTEGER);
    return FAILED;
  }

  #allowed({ values, nullable }: Shape, value: unknown, path: Path): unknown {
    if (values === undefined || values.includes(value) || (value === null && nullable)) return value;
    this.options.issues.add(path, 'enum', notOneOfMessage(value, values));
    return FAILED;
  }

  #readFree(value: unknown, path: Path, depth: number, object: boolean): unknown {
    if (object && (typeof value !== 'object' || value === null || Array.isArray(value)))
      return this.refuse(path, 'object');
    return isShallow(value, this.options.limits.maxDepth - depth) ? value : this.refuseDepth(path);
  }

  #readNested(shape: Shape, model: ClassModel, value: unknown, path: Path, depth: number): unknown {
    const least = shape.keywords.minProperties;
    if (typeof least === 'number' && typeof value === 'object' && value !== null && Object.keys(value).length < least) {
      this.options.issues.add(path, 'isNotEmptyObject', 'must be a non-empty object');
      return FAILED;
    }
    return this.readObject(model, value, path, depth);
  }

  #readList(shape: Shape, given: unknown, path: Path, depth: number): unknown {
    const value = this.#fromText(given, '[');
    if (!Array.isArray(value)) return this.refuse(path, 'array');
    if (depth > this.options.limits.maxDepth) return this.refuseDepth(path);
    if (!this.#fitsSize(shape, value.length, path)) return FAILED;
    const items = shape.items;
    const list: unknown[] = [];
    let failed = false;
    for (let i = 0; i < value.length; i++) {
      const read =
        items === undefined ? (value[i] as unknown) : this.#readItem(items, value[i], { parent: path, key: i }, depth);
      failed ||= read === FAILED;
      list.push(read);
    }
    if (failed) return FAILED;
    if (shape.kind !== 'set') return list;
    const set = new Set(list);
    if (set.size === list.length) return set;
    this.options.issues.add(path, 'arrayUnique', 'must not hold an element twice');
    return FAILED;
  }

  #readMap(shape: Shape, given: unknown, path: Path, depth: number): unknown {
    const value = this.#fromText(given, '{');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.refuse(path, 'object');
    if (depth > this.options.limits.maxDepth) return this.refuseDepth(path);
    const keys = Object.keys(value);
    if (!this.#fitsSize(shape, keys.length, path)) return FAILED;
    const items = shape.items;
    const map = new Map<string, unknown>();
    let failed = false;
    for (const key of keys) {
      const item = (value as Raw)[key];
      const read = items === undefined ? item : this.#readItem(items, item, { parent: path, key }, depth);
      failed ||= read === FAILED;
      map.set(key, read);
    }
    return failed ? FAILED : map;
  }

  #readItem(items: Shape, value: unknown, path: Path, depth: number): unknown {
    if (value === null && items.nullable) return null;
    return this.readShape(items, value, path, depth + 1);
  }

  #readUnion(union: UnionModel, value: unknown, path: Path, depth: number): unknown {
    const source = this.objectFrom(value, path, depth);
    if (source === undefined) return FAILED;
    const tag = Object.hasOwn(source, union.property) ? source[union.property] : undefined;
    const variant = union.variants.find(({ name }) => name === tag);
    if (variant !== undefined) return this.readObject(variant.model, source, path, depth, union);
    const names = union.variants.map(({ name }) => name);
    const at: Path = { parent: path, key: union.property };
    if (tag === undefined) this.options.issues.add(at, 'missing', `is required; ${notOneOfMessage(tag, names)}`);
    else this.options.issues.add(at, 'union_tag_invalid', notOneOfMessage(tag, names));
    return FAILED;
  }

  #fitsSize({ keywords }: Shape, size: number, path: Path): boolean {
    const { maxItems: declared } = keywords;
    const { maxItems } = this.options.limits;
    if (typeof declared === 'number' && size > declared) {
      this.options.issues.add(path, 'arrayMaxSize', `must hold at most ${declared} elements`);
      return false;
    }
    if (size <= maxItems) return true;
    this.options.issues.add(path, 'too_many_items', `must hold at most ${maxItems} elements`);
    return false;
  }

  protected satisfies(schema: Shape['keywords'], value: unknown, path: Path, depth: number): boolean {
    if (!isShallow(value, this.options.limits.maxDepth - depth)) {
      this.refuseDepth(path);
      return false;
    }
    const problems = issuesOfSchema(schema, value, this.options.limits);
    for (const { loc, msg, type } of problems) {
      this.options.issues.add(loc === '' ? path : { parent: path, key: loc }, type, msg);
    }
    return problems.length === 0;
  }

  /** Some hosts send an array or an object as JSON text. Only where one is declared, and only when asked for. */
  #fromText(value: unknown, opening: '[' | '{'): unknown {
    if (!this.options.acceptJsonText || typeof value !== 'string' || !value.trimStart().startsWith(opening))
      return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  }

  protected objectFrom(raw: unknown, path: Path | undefined, depth: number): Raw | undefined {
    const value = this.#fromText(raw, '{');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.refuse(path, 'object');
      return undefined;
    }
    if (depth > this.options.limits.maxDepth) {
      this.refuseDepth(path);
      return undefined;
    }
    return value as Raw;
  }

  protected refuse(path: Path | undefined, kind: string, message = `expected ${kind}`): typeof FAILED {
    this.options.issues.add(path, `${kind.replace('-', '_')}_type`, message);
    return FAILED;
  }

  protected refuseDepth(path: Path | undefined): typeof FAILED {
    this.options.issues.add(path, 'too_deep', `is nested more than ${this.options.limits.maxDepth} levels deep`);
    return FAILED;
  }
}

const UNSAFE_INTEGER =
  `must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}: ` +
  'JSON does not keep every digit of larger ones';

function copyDate(value: unknown): Date | undefined {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? new Date(value) : undefined;
}
