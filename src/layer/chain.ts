import { describeThrown } from '../core/describe-thrown.js';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import type { Call, CallKind, Middleware, Next, ResultByKind } from '../core/middleware.js';
import type { Logger } from '../core/ports.js';

type Runner = (call: Call, next: Next) => Promise<ResultByKind[CallKind]>;

/** The middleware of a layer, as one list that closes when the first request is served. */
export class Chain {
  readonly #middleware: Middleware[] = [];
  readonly #byKind = new Map<CallKind, readonly Runner[]>();

  /** Adds a middleware inside those that are there. @throws {ConfigurationError} Once a request was served. */
  use(middleware: Middleware): void {
    if (this.#byKind.size > 0) {
      throw new ConfigurationError(
        finding('CT105', 'layer.use: the first request was served already. Add middleware before it.'),
      );
    }
    const isObject = typeof middleware === 'object' && (middleware as unknown) !== null;
    if (typeof middleware !== 'function' && !isObject) {
      throw new ConfigurationError(
        finding(
          'CT106',
          `layer.use: middleware cannot be of type ${typeof middleware}. Pass a function, or an object with one per kind.`,
        ),
      );
    }
    this.#middleware.push(middleware);
  }

  /** What each is called, outermost first. */
  get names(): readonly string[] {
    return this.#middleware.map(({ name }) => name || 'anonymous');
  }

  /** Closes the middleware, innermost first. An error in one is logged and stops no other. */
  async close(logger: Logger): Promise<void> {
    for (const middleware of [...this.#middleware].reverse()) {
      if (typeof middleware === 'function') continue;
      try {
        await middleware.close?.();
      } catch (error) {
        logger.error(`the middleware ${middleware.name} failed to close`, describeThrown(error));
      }
    }
  }

  /** Whether any middleware wants to see calls of this kind. */
  handles(kind: CallKind): boolean {
    return this.#runnersFor(kind).length > 0;
  }

  /** Runs `terminal` inside the middleware of the call's kind. */
  async run<K extends CallKind>(call: Call<K>, terminal: Next<K>): Promise<ResultByKind[K]> {
    const answer = (await onion(this.#runnersFor(call.kind), 0, call, terminal)) as ResultByKind[K] | undefined;
    if (answer !== undefined) return answer;
    throw new ConfigurationError(
      finding('CT807', `The middleware around ${call.kind} ${call.name} returned nothing. Return what next() gives.`),
    );
  }

  #runnersFor(kind: CallKind): readonly Runner[] {
    let runners = this.#byKind.get(kind);
    if (runners === undefined) {
      runners = this.#middleware.flatMap((middleware) => {
        if (typeof middleware === 'function') return [middleware];
        const own = middleware[kind] ?? middleware.all;
        return own === undefined ? [] : [own.bind(middleware) as Runner];
      });
      this.#byKind.set(kind, runners);
    }
    return runners;
  }
}

/** Calls the runner at `i` with all that are further in as its `next`, which gives a promise whatever happens there. */
function onion(runners: readonly Runner[], i: number, call: Call, terminal: Next): ReturnType<Next> {
  const runner = runners[i];
  if (runner === undefined) return terminal();
  try {
    return runner(call, () => onion(runners, i + 1, call, terminal));
  } catch (error) {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever was thrown
    return Promise.reject(error);
  }
}
