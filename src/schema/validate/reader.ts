import type { Class } from '../../core/class.js';
import type { CheckJob } from './check-runner.js';
import { forget, isPromise } from '../../core/guards.js';
import { unknownKeyMessage, type Path } from '../base/issues.js';
import type { ClassModel, PropertyModel, Shape, UnionModel } from '../read/model.js';
import { takesNull } from './null-shape.js';
import { isOverLength } from './text-checks.js';
import { FAILED, ShapeReader, type Raw } from './shape-reader.js';

/**
 * Turns plain JSON into instances of DTO classes: keys, shapes, sizes and lossless conversions, in an order in which
 * nothing large or hostile is touched before it was measured. What the validators have to say comes after, from the
 * jobs that are left behind.
 */
export class Reader extends ShapeReader {
  jobs: CheckJob[] = [];
  readonly #broken = new Set<object>();

  override readObject(
    model: ClassModel,
    raw: unknown,
    path: Path | undefined,
    depth: number,
    union?: UnionModel,
  ): unknown {
    const source = this.objectFrom(raw, path, depth);
    if (source === undefined) return FAILED;
    this.#refuseUnknownKeys(model, source, path, union);
    const instance = new (model.cls as Class<Record<string, unknown>>)();
    if (union?.keep === true && !model.byWire.has(union.property)) instance[union.property] = source[union.property];
    for (const property of model.properties) this.#readProperty(property, model, source, instance, path, depth);
    return instance;
  }

  /** Whether a property of this instance was refused, so that conditions on it cannot be trusted. */
  isBroken(instance: object): boolean {
    return this.#broken.has(instance);
  }

  #refuseUnknownKeys(model: ClassModel, raw: Raw, path: Path | undefined, union?: UnionModel): void {
    if (this.options.open) return;
    // A map answers for `__proto__` and `constructor` as for any other name.
    for (const key of Object.keys(raw)) {
      if (model.byWire.has(key) || key === union?.property) continue;
      this.options.issues.add({ parent: path, key }, 'extra_forbidden', unknownKeyMessage(key, model.byWire.keys()));
    }
  }

  #readProperty(
    property: PropertyModel,
    model: ClassModel,
    raw: Raw,
    instance: Record<string, unknown>,
    parent: Path | undefined,
    depth: number,
  ): void {
    const path: Path = { parent, key: property.wire };
    const outer = this.jobs;
    // What is nested in a conditional property is checked only when its condition holds.
    if (property.conditions.length > 0) this.jobs = [];
    const given = Object.hasOwn(raw, property.wire) ? raw[property.wire] : undefined;
    const value = this.#readValue(property, given, raw, path, depth);
    const nested = property.conditions.length > 0 ? this.jobs : undefined;
    this.jobs = outer;
    if (value === FAILED) {
      this.#broken.add(instance);
      return;
    }
    if (value !== undefined) instance[property.name] = value;
    // null that is declared is a value by itself; an absent property has nothing to check, unless a condition asks for it.
    const declaredNull = value === null && property.shape.nullable;
    if ((value !== undefined && !declaredNull) || (value === undefined && property.conditions.length > 0)) {
      if (property.checks.length > 0 || nested !== undefined) {
        this.jobs.push({ property, model, instance, value, path, nested });
      }
    }
  }

  #readValue(property: PropertyModel, given: unknown, raw: Raw, path: Path, depth: number): unknown {
    const { shape, transforms, required } = property;
    const fallback = property.default?.written === true ? property.default.json : undefined;
    const isAbsent =
      given === undefined || (given === null && !required && transforms.length === 0 && !takesNull(shape));
    let value = isAbsent ? structuredClone(fallback) : given;
    if (shape.kind === 'raw' && value !== undefined) {
      if (!this.satisfies(shape.keywords, value, path, depth)) return FAILED;
      if (transforms.length === 0) return value;
    }
    if (transforms.length > 0 && value !== undefined) {
      value = this.#transform(property, value, raw, path);
      if (value === FAILED) return FAILED;
    }
    if (value === undefined) return required ? this.#refuseMissing(path) : undefined;
    if (value === null && (shape.nullable || !required) && shape.kind !== 'any')
      return shape.nullable ? null : undefined;
    const read =
      transforms.length > 0
        ? this.#readTransformed(shape, value, path, depth)
        : this.readShape(shape, value, path, depth + 1);
    if (property.overlay === undefined || read === FAILED) return read;
    // Its length validator refuses it; until then no expression may meet it.
    if (typeof read === 'string' && isOverLength(property.checks, false, read)) return read;
    const plain = typeof read === 'object' ? value : read;
    return this.satisfies(property.overlay, plain, path, depth) ? read : FAILED;
  }

  #transform(property: PropertyModel, given: unknown, raw: Raw, path: Path): unknown {
    try {
      let value = given;
      for (const transform of property.transforms) {
        value = transform({ value, key: property.wire, obj: { ...raw }, type: 0, options: {} });
        if (isPromise(value)) forget(value);
      }
      return value;
    } catch {
      // A transform that expects text and meets a number throws; that is the input's fault, not the server's.
      this.options.issues.add(path, 'transform', 'is invalid');
      return FAILED;
    }
  }

  /** A transform may make anything; what is still plain JSON takes its shape, the rest is for the validators. */
  #readTransformed(shape: Shape, value: unknown, path: Path, depth: number): unknown {
    switch (shape.kind) {
      case 'string':
      case 'boolean':
        return typeof value === 'object' || typeof value === shape.kind ? value : this.refuse(path, shape.kind);
      case 'number':
      case 'integer':
        return typeof value === 'object' || typeof value === 'number' ? value : this.refuse(path, shape.kind);
      case 'class':
        return value instanceof (shape.model?.cls ?? Object) ? value : this.readShape(shape, value, path, depth + 1);
      case 'array':
      case 'set':
      case 'map':
        return value instanceof Set || value instanceof Map ? value : this.readShape(shape, value, path, depth + 1);
      case 'date':
        return value instanceof Date ? value : this.readShape(shape, value, path, depth + 1);
      default:
        return value;
    }
  }

  #refuseMissing(path: Path): typeof FAILED {
    this.options.issues.add(path, 'missing', 'is required');
    return FAILED;
  }
}
