import type { AnyClass, Class } from '../core/class.js';
import { BUILT_IN_CLASSES, isClass } from '../core/class.js';
import { isContextType, type ToolContext } from '../core/context.js';
import { causeOfLostType, IMPORT_THE_CLASS } from '../core/lost-type.js';
import { emittedParameters } from '../core/metadata.js';
import type { ParameterRecord, SchemaSource } from '../core/records.js';
import { finding } from '../core/finding.js';

type ArgumentRecord = Extract<ParameterRecord, { bind: 'argument' }> & { readonly type: unknown };

/** How the parameters of one method are filled, and what that says about its arguments. */
export interface Binding {
  /** The class or schema of the parameter that takes all arguments. */
  readonly source: SchemaSource | undefined;
  /** The parameters that take one argument each. */
  readonly single: readonly ArgumentRecord[];
  /** Whether any parameter takes all arguments. */
  readonly takesArguments: boolean;
  /** Makes the list of values to call the method with. */
  readonly bind: (args: unknown, context: ToolContext) => unknown[];
  readonly findings: readonly string[];
}

type Source =
  { readonly bind: 'context' } | { readonly bind: 'arguments' } | { readonly bind: 'argument'; name: string };

/**
 * Decides, parameter by parameter, what a method receives: what a decorator says, else by the emitted type, else (where
 * the compiler emits none but `declared` gives the schema) the arguments first and the context second.
 */
export function bindParameters(
  cls: AnyClass,
  method: string,
  records: readonly ParameterRecord[],
  declared: SchemaSource | undefined,
): Binding {
  const site = `${cls.name}.${method}`;
  const types = emittedParameters(cls, method);
  const arity = (cls.prototype as Record<string, { length: number }>)[method]?.length ?? 0;
  const count = Math.max(types?.length ?? arity, 0, ...records.map((record) => record.index + 1));
  const sources: Source[] = [];
  const single: ArgumentRecord[] = [];
  const findings: string[] = [];
  let source: SchemaSource | undefined;
  for (let index = 0; index < count; index++) {
    const type = types?.[index];
    const record = records.find((candidate) => candidate.index === index) ?? infer(index, type, types, declared);
    if (record === undefined) {
      findings.push(unbound(site, index, type, types));
      continue;
    }
    if (record.bind === 'argument') {
      single.push({ ...record, type });
      sources.push({ bind: 'argument', name: record.name });
    } else {
      if (record.bind === 'arguments') source = record.source ?? (isDto(type) ? type : undefined);
      sources.push({ bind: record.bind });
    }
  }
  const whole = sources.filter(({ bind }) => bind === 'arguments').length;
  if (whole > 1) findings.push(finding('CT209', `${site}: two parameters take all arguments. Keep one.`));
  if (whole > 0 && single.length > 0) {
    findings.push(
      finding(
        'CT210',
        `${site}: one parameter takes all arguments and others take one each. Use one way or the other.`,
      ),
    );
  }
  return { source: declared ?? source, single, takesArguments: whole > 0, bind: binder(sources), findings };
}

function infer(
  index: number,
  type: unknown,
  types: readonly unknown[] | undefined,
  declared: SchemaSource | undefined,
): ParameterRecord | undefined {
  if (isContextType(type)) return { index, bind: 'context' };
  if (isDto(type)) return { index, bind: 'arguments' };
  if (declared === undefined) return undefined;
  if (types !== undefined) return { index, bind: 'arguments' };
  return index > 1 ? undefined : { index, bind: index === 0 ? 'arguments' : 'context' };
}

function isDto(type: unknown): type is Class {
  return isClass(type) && !BUILT_IN_CLASSES.has(type);
}

function unbound(site: string, index: number, type: unknown, types: readonly unknown[] | undefined): string {
  if (types === undefined) {
    return finding(
      'CT207',
      `${site}: the compiler emitted no types for its parameters. Set "emitDecoratorMetadata" ` +
        `(esbuild and tsx cannot: use tsc or swc), or pass input: and write @Args() and @Ctx().`,
    );
  }
  const name = typeof type === 'function' ? type.name : String(type);
  const cause = causeOfLostType(type);
  return finding(
    'CT208',
    `${site}: parameter ${index + 1} has the type ${name}, which says nothing of arguments${cause}. ` +
      `${cause === '' ? 'Use a DTO class' : `${IMPORT_THE_CLASS}, use a DTO class`}, or @Arg('name').`,
  );
}

/** The common shapes have closures of their own: binding runs on every call. */
function binder(sources: readonly Source[]): Binding['bind'] {
  const shape = sources.map(({ bind }) => bind).join(' ');
  if (shape === '') return () => [];
  if (shape === 'arguments') return (args) => [args];
  if (shape === 'context') return (_args, context) => [context];
  if (shape === 'arguments context') return (args, context) => [args, context];
  if (shape === 'context arguments') return (args, context) => [context, args];
  return (args, context) =>
    sources.map((source) => {
      if (source.bind === 'context') return context;
      return source.bind === 'arguments' ? args : (args as Record<string, unknown>)[source.name];
    });
}
