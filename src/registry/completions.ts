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
    for (const [member, { records }] of read(COMPLETE, reader.cls)) {
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
        else this.#byMethod.set(method, known.set(argument, { site, handler: handlerOf(reader, String(member)) }));
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

/** The text so far, the context and the arguments that are known, in that order unless the types say otherwise. */
function handlerOf(reader: ServiceReader, member: string): CompletionHandler {
  const { cls } = reader;
  const contextFirst = isContextType(emittedParameters(cls, member)?.[0]);
  return async (partial, context, given, scope) => {
    const instance = (await scope.resolve(cls)) as Record<string, (...values: unknown[]) => unknown>;
    return contextFirst ? instance[member]?.(context, partial, given) : instance[member]?.(partial, context, given);
  };
}
