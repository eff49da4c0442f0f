import { controlOf, runningContext } from '../core/context.js';
import { describeThrown } from '../core/describe-thrown.js';
import { isOneOf } from '../core/check-options.js';
import type { Layer } from '../layer/layer.js';

/** What becomes of errors that nobody waits for, while serving owns the process. */
export type StrayErrors = 'handle' | 'node';

/** Checks the option `strayErrors`. */
export const isStrayErrors = isOneOf('handle', 'node');

/** A layer whose serving owns the process. */
export interface ProcessOwner {
  readonly layer: Layer;
  /** How long {@link finish} may take. */
  readonly boundMs: number;
  /** Takes no new work, lets what runs come to its end, and closes. */
  finish(): Promise<unknown>;
}

const OWNERS = new Set<ProcessOwner>();
let crashing = false;

/**
 * Keeps one caller's mistake from ending everybody's calls. A rejection that nobody waits for is logged, with the call it
 * came from, and the process goes on. After an exception that nobody caught, nothing can be trusted: it is logged, what
 * runs gets its time, and the process ends with 1.
 *
 * @returns What gives both back to Node.
 */
export function ownStrayErrors(owner: ProcessOwner): () => void {
  if (OWNERS.size === 0) {
    process.on('unhandledRejection', onRejection);
    process.on('uncaughtException', onException);
  }
  OWNERS.add(owner);
  return () => {
    if (!OWNERS.delete(owner) || OWNERS.size > 0) return;
    process.removeListener('unhandledRejection', onRejection);
    process.removeListener('uncaughtException', onException);
  };
}

function onRejection(reason: unknown): void {
  log('a promise was rejected, and nobody waited for it', reason);
}

function onException(error: unknown): void {
  log('an exception was not caught. What runs is finished, and the process ends', error);
  if (crashing) return;
  crashing = true;
  const owners = [...OWNERS];
  const end = (): never => process.exit(1);
  setTimeout(end, Math.max(...owners.map(({ boundMs }) => boundMs)));
  void Promise.allSettled(owners.map((owner) => owner.finish())).then(end);
}

function log(message: string, thrown: unknown): void {
  const context = runningContext();
  const [first] = OWNERS;
  const layer = [...OWNERS].find((owner) => owner.layer === context?.layer)?.layer ?? first?.layer;
  if (layer === undefined) return;
  const site = context === undefined ? undefined : controlOf(context).site;
  try {
    layer.logger.error(message, {
      errorId: layer.ids.next(),
      ...(site === undefined ? {} : { call: `${site.kind} ${site.name}` }),
      ...(context?.requestId === undefined ? {} : { requestId: context.requestId }),
      ...describeThrown(thrown),
    });
  } catch {
    // A logger that throws would bring this about again.
    return;
  }
}
