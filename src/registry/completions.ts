import type { AnyClass } from '../core/class.js';
import { emittedParameters, read } from '../core/metadata.js';
import { isContextType } from '../core/context.js';
import { COMPLETE } from '../core/records.js';
import type { ServiceReader } from './service-reader.js';
import type { CompletionHandler } from './spec.js';
import { finding } from '../core/finding.js';

/** The completions that a class's `@Complete` methods offer, until the primitives they belong to take them. */
export class Completions {
  readonly findings: string[] = [];
  readonly #byMethod = new Map<string, Map<string, { readonly site: string; readonly handler: CompletionHandler }>>();

  constructor(reader: ServiceReader) {
    for (const [member, { declaredBy, records }] of read(COMPLETE, reader.cls)) {
      const site = reader.site(String(member));
      for (const { method, argument, isStatic } of records) {
        const isNamed = [method, argument].every((name: unknown) => typeof name === 'string');
        const known = this.#byMethod.get(method) ?? new Map<string, { site: string; handler: CompletionHandler }>();
        if (!isNamed)
          this.findings.push(
            finding('CT103', `${site}: @Complete takes the names of a method and an argument. Pass two texts.`),
          );
        else if (isStatic)
          this.findings.push(finding('CT201', `${site}: @Complete on a static member. Make it an instance method.`));
        else if (known.has(argument))
          this.findings.push(finding('CT215', `${site}: '${argument}' of ${method} is completed twice. Keep one.`));
        else {
          const sources = sourcesOf(reader, String(member), declaredBy, (problem) =>
            this.findings.push(`${site}: ${problem}`),
          );
          const handler = handlerOf(reader, String(member), sources);
          this.#byMethod.set(method, known.set(argument, { site, handler }));
        }
      }
    }
  }

  /** What completes the arguments of one method. Those that it has none of are findings. */
  take(method: string, known: readonly string[]): Record<string, CompletionHandler> {
    const taken: Record<string, CompletionHandler> = {};
    for (const [argument, { site, handler }] of this.#byMethod.get(method) ?? []) {
      if (known.includes(argument)) taken[argument] = handler;
      else
        this.findings.push(
          finding('CT216', `${site}: ${method} has no argument '${argument}'. It has ${known.join(', ') || 'none'}.`),
        );
    }
    this.#byMethod.delete(method);
    return taken;
  }

  /** Adds a finding for each completion whose method is neither a prompt nor a resource template. */
  reportLeftOver(): void {
    for (const [method, completions] of this.#byMethod) {
      for (const { site } of completions.values()) {
        this.findings.push(
          finding(
            'CT217',
            `${site}: no @Prompt or @ResourceTemplate method '${method}'. Name the method, not its wire name.`,
          ),
        );
      }
    }
  }
}

/** What one parameter of a `@Complete` method receives. */
type Source = 'partial' | 'context' | 'given' | { readonly argument: string };

/** The order where neither types nor decorators say another. */
const ORDER: readonly Source[] = ['partial', 'context', 'given'];

/**
 * Binds parameters as everywhere: by what a decorator says (`@Ctx()`, `@Args()` for all arguments that are given,
 * `@Arg('name')` for one of them), else by type (`ToolContext`, a text for the text so far, an object for the given
 * arguments), else by place.
 */
function sourcesOf(
  reader: ServiceReader,
  member: string,
  declaredBy: AnyClass,
  report: (problem: string) => void,
): Source[] {
  const types = emittedParameters(reader.cls, member);
  const records = reader.parameters(member, declaredBy);
  const arity = (reader.cls.prototype as Record<string, { length: number } | undefined>)[member]?.length ?? 0;
  const count = Math.max(types?.length ?? arity, ...records.map(({ index }) => index + 1));
  const sources: (Source | undefined)[] = Array.from({ length: count }, (_, index) => {
    const record = records.find((candidate) => candidate.index === index);
    if (record === undefined) return byType(types?.[index]);
    if (record.bind === 'argument') return { argument: record.name };
    return record.bind === 'context' ? 'context' : 'given';
  });
  const open = sources.filter((source) => source === undefined).length;
  const left = ORDER.filter((source) => !sources.includes(source));
  // One object beside the text is the arguments: the context has a type of its own.
  const places = left[0] === 'partial' ? left : left.slice(-open);
  return sources.map((source, index) => {
    if (source !== undefined) return source;
    const type = types?.[index];
    const place = type === undefined || type === Object ? places.shift() : undefined;
    if (place === undefined) report(unbound(index));
    return place ?? 'partial';
  });
}

function unbound(index: number): string {
  return finding(
    'CT225',
    `parameter ${index + 1} of a completion is neither the text so far, the context nor the arguments. ` +
      "Use string, ToolContext, Record<string, string>, or @Arg('name').",
  );
}

function byType(type: unknown): Source | undefined {
  if (isContextType(type)) return 'context';
  return type === String ? 'partial' : undefined;
}

function handlerOf({ cls }: ServiceReader, member: string, sources: readonly Source[]): CompletionHandler {
  return async (partial, context, given, scope) => {
    const instance = (await scope.resolve(cls)) as Record<string, (...values: unknown[]) => unknown>;
    const values = { partial, context, given };
    return instance[member]?.(...sources.map((s) => (typeof s === 'string' ? values[s] : given[s.argument])));
  };
}
