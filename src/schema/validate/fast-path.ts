import { canGenerateCode, isRefusedCode } from '../base/codegen.js';
import { checksOf, failsWhen } from './fast-checks.js';
import { member, ShapeWriter } from './fast-shapes.js';
import { passesCheck, runtime } from './fast-runtime.js';
import type { ClassModel, Kind, PropertyModel, UnionModel } from '../read/model.js';
import { takesNull } from './null-shape.js';
import { reachableModels } from '../read/reflect.js';
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
  return (value) => (run ??= compiled(model, options))(value);
}

function compiled(model: ClassModel, options: ClassValidationOptions): FastPath {
  try {
    return new Generator(options).compile(model);
  } catch (error) {
    if (isRefusedCode(error)) return () => undefined;
    throw error;
  }
}

function isCompilable({ checks, transforms }: PropertyModel): boolean {
  return transforms.length === 0 && !checks.some((check) => check.async);
}

class Generator extends ShapeWriter {
  readonly #functions: string[] = [];
  readonly #named = new Map<string, string>();
  readonly #modelIds = new Map<ClassModel, number>();

  compile(model: ClassModel): FastPath {
    const entry = this.functionFor(model);
    const constants = this.constants.map((_, index) => `k${index} = K[${index}]`);
    const source = [
      '"use strict";',
      `const { ${Object.keys(runtime).join(', ')} } = R;`,
      constants.length > 0 ? `const ${constants.join(', ')};` : '',
      ...this.#functions,
      `return (value) => { try { return ${entry}(value, 1); } catch { return undefined; } };`,
    ].join('\n');
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the purpose of this file; see the class comment.
    const make = new Function('R', 'K', source) as (r: typeof runtime, k: readonly unknown[]) => FastPath;
    return make(runtime, this.constants);
  }

  protected override functionFor(model: ClassModel, union?: UnionModel): string {
    const id = this.#modelIds.get(model) ?? this.#modelIds.size;
    this.#modelIds.set(model, id);
    const tag = union === undefined || model.byWire.has(union.property) ? undefined : union;
    const key = tag === undefined ? `${id}` : `${id}:${tag.keep}:${tag.property}`;
    const known = this.#named.get(key);
    if (known !== undefined) return known;
    const name = `read${this.#named.size}`;
    this.#named.set(key, name);
    this.#functions.push(this.#writeFunction(name, model, tag));
    return name;
  }

  #writeFunction(name: string, model: ClassModel, tag: UnionModel | undefined): string {
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
    for (const property of model.properties) lines.push(this.#writeProperty(property, model, late));
    if (!this.options.open) lines.push('for (const k in r) n--;', 'if (n !== 0) return;');
    lines.push(...late, 'return o;', '}');
    return lines.join('\n');
  }

  #writeProperty(property: PropertyModel, model: ClassModel, late: string[]): string {
    const { shape, required, conditions, name, wire } = property;
    const value = this.variable();
    const target = `o${member(name)}`;
    const present = this.#writePresent(property, value, target).join('\n');
    late.push(...this.#lateChecks(property, model, target));
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

  #lateChecks(property: PropertyModel, model: ClassModel, target: string): string[] {
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

  /** Statements that return when `value` is not what the property may hold, and store it in `target` when it is. */
  #writePresent(property: PropertyModel, value: string, target: string): string[] {
    const { overlay, shape } = property;
    const lines = this.writeShape(shape, value, target, 'd', checksOf(property, true));
    const checks = this.writeChecks(checksOf(property, false), value, shape);
    if (overlay === undefined) return [...lines, ...checks];
    const satisfied = this.satisfies(overlay, value, 'd');
    // What is plain was converted first; and its length is judged before an expression of the author's meets it.
    return PLAIN.has(shape.kind) ? [...lines, ...checks, satisfied] : [satisfied, ...lines, ...checks];
  }
}

const PLAIN: ReadonlySet<Kind> = new Set<Kind>(['string', 'number', 'integer', 'boolean']);
