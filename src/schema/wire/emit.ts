import type { JsonSchema } from '../../core/json-schema.js';
import type { ClassModel, PropertyModel, Shape, UnionModel } from '../read/model.js';
import { directModels, sharedModels } from './sizes.js';
import { reachableModels } from '../read/reflect.js';

/** How a class becomes a schema. */
export interface EmitOptions {
  /** Whether objects say `additionalProperties: false`. */
  readonly closed: boolean;
}

/**
 * JSON Schema 2020-12 of a class. Everything is written in place: many hosts resolve no references. In `$defs` are only
 * classes that contain themselves, directly or through others, and those that repeat where all of it would be too large.
 */
export function emitSchema(model: ClassModel, options: EmitOptions): JsonSchema {
  return new Emitter(options).root(model);
}

class Emitter {
  readonly #options: EmitOptions;
  readonly #names = new Map<ClassModel, Map<string, string>>();
  readonly #definitions: Record<string, JsonSchema> = {};
  readonly #recursive = new Map<ClassModel, boolean>();
  #shared: ReadonlySet<ClassModel> = new Set();

  constructor(options: EmitOptions) {
    this.#options = options;
  }

  root(model: ClassModel): JsonSchema {
    this.#shared = sharedModels(model);
    const body = this.#object(model);
    const hasDefinitions = Object.keys(this.#definitions).length > 0;
    return { ...body, ...model.annotations, ...(hasDefinitions ? { $defs: this.#definitions } : {}) };
  }

  #object(model: ClassModel): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of model.properties) {
      properties[property.wire] = this.#property(property);
      if (property.required) required.push(property.wire);
    }
    return {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      ...(this.#options.closed ? { additionalProperties: false } : {}),
    };
  }

  #property({ shape, overlay, annotations, default: fallback }: PropertyModel): JsonSchema {
    const { items, ...schema } = this.#shape(shape);
    // `items` counts as looking at every element, which would leave nothing for `unevaluatedItems`.
    const yields = shape.items?.kind === 'any' && overlay !== undefined && 'unevaluatedItems' in overlay;
    return {
      ...schema,
      ...(items === undefined || yields ? {} : { items }),
      ...overlay,
      ...annotations,
      ...(fallback === undefined ? {} : { default: fallback.json }),
    };
  }

  #shape(shape: Shape): JsonSchema {
    const schema = this.#bare(shape);
    return shape.nullable && shape.kind !== 'any' ? { anyOf: [schema, { type: 'null' }] } : schema;
  }

  #bare(shape: Shape): JsonSchema {
    const { kind, keywords, items } = shape;
    switch (kind) {
      case 'any':
      case 'raw':
        return keywords;
      case 'date':
        return { type: 'string', format: 'date-time', ...keywords };
      case 'array':
      case 'set':
        // Three hosts refuse a list without `items`, so one that may hold anything says so.
        return { type: 'array', items: items === undefined ? {} : this.#shape(items), ...keywords };
      case 'map':
        return { type: 'object', ...this.#values(items), ...keywords };
      case 'class':
        return { ...(shape.model === undefined ? {} : this.#reference(shape.model)), ...keywords };
      case 'union':
        return shape.union === undefined ? {} : this.#union(shape.union);
      default:
        return { type: kind, ...keywords };
    }
  }

  #values(items: Shape | undefined): JsonSchema {
    const schema = items === undefined ? {} : this.#shape(items);
    return Object.keys(schema).length === 0 ? {} : { additionalProperties: schema };
  }

  #union({ property, variants }: UnionModel): JsonSchema {
    return { anyOf: variants.map(({ name, model }) => this.#reference(model, { property, name })) };
  }

  /** The schema of a nested class: in place, or as a reference when it is in `$defs`. */
  #reference(model: ClassModel, tag?: { readonly property: string; readonly name: string }): JsonSchema {
    const body = (): JsonSchema => {
      const object = { ...this.#object(model), ...model.annotations };
      return tag === undefined ? object : tagged(object, tag.property, tag.name);
    };
    if (!this.#shared.has(model) && !this.#isRecursive(model)) return body();
    const names = this.#names.get(model) ?? new Map<string, string>();
    this.#names.set(model, names);
    const key = tag === undefined ? '' : `${tag.property}=${tag.name}`;
    let name = names.get(key);
    if (name === undefined) {
      name = this.#freeName(model.name);
      names.set(key, name);
      // Holds the place, so that definitions stand in the order they are met.
      this.#definitions[name] = {};
      this.#definitions[name] = body();
    }
    return { $ref: `#/$defs/${name}` };
  }

  #freeName(name: string): string {
    const safe = name.replace(/[^A-Za-z0-9_.-]/g, '_');
    let free = safe;
    for (let n = 2; free in this.#definitions; n++) free = `${safe}_${n}`;
    return free;
  }

  #isRecursive(model: ClassModel): boolean {
    const known = this.#recursive.get(model);
    if (known !== undefined) return known;
    const found = directModels(model).some((next) => reachableModels(next).has(model));
    this.#recursive.set(model, found);
    return found;
  }
}

/** One alternative of a union: its object with the discriminator, first and required, fixed to its name. */
function tagged(object: JsonSchema, property: string, name: string): JsonSchema {
  const { [property]: declared, ...others } = object.properties as Record<string, JsonSchema>;
  const tag = { ...onlyAnnotations(declared), const: name, type: 'string' };
  const required = ((object.required ?? []) as string[]).filter((key) => key !== property);
  return { ...object, properties: { [property]: tag, ...others }, required: [property, ...required] };
}

function onlyAnnotations(schema: JsonSchema | undefined): JsonSchema {
  const kept = ['title', 'description', 'examples'].filter((key) => schema !== undefined && key in schema);
  return Object.fromEntries(kept.map((key) => [key, schema?.[key]]));
}

/** A copy of a JSON value that nobody can change, and that shares nothing with the original. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item))) as T;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = frozenCopy((value as Readonly<Record<string, unknown>>)[key]);
    if (key === '__proto__') Object.defineProperty(copy, key, { value: item, enumerable: true });
    else copy[key] = item;
  }
  return Object.freeze(copy) as T;
}
