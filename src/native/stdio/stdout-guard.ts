/** Standard output, while it belongs to the protocol. */
export interface StdoutGuard {
  /** Writes to the real standard output. */
  readonly write: NodeJS.WriteStream['write'];
  /** Gives standard output back, unless somebody else guards it too. */
  release(): void;
}

interface Diverted {
  readonly write: NodeJS.WriteStream['write'];
  readonly restore: () => void;
  holders: number;
}

/** Shared between loaded copies of this package: the second must not take the first one's diversion for the real thing. */
const DIVERTED = Symbol.for('cartouche.stdout');
const shared = globalThis as { [DIVERTED]?: Diverted | undefined };

/**
 * Sends what anything else writes to standard output (`console.log`, `process.stdout.write`, a chatty library) to
 * standard error, where clients show it as a log instead of failing on it. Whoever ends it ends nothing. Code that kept a
 * reference to the real `write`, or writes to the descriptor itself, is not caught.
 */
export function guardStdout(): StdoutGuard {
  const diverted = (shared[DIVERTED] ??= divert());
  diverted.holders++;
  let held = true;
  return {
    write: diverted.write,
    release: () => {
      if (!held) return;
      held = false;
      if (--diverted.holders > 0) return;
      diverted.restore();
      shared[DIVERTED] = undefined;
    },
  };
}

function divert(): Diverted {
  const { stdout, stderr } = process;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- given back as they were
  const { write, end } = stdout;
  const diverted = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof stdout.write;
  const unended = ((...args: readonly unknown[]) => {
    const [chunk] = args;
    const done = args.find((arg) => typeof arg === 'function') as (() => void) | undefined;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) stderr.write(chunk);
    if (done !== undefined) process.nextTick(done);
    return stdout;
  }) as typeof stdout.end;
  // A client that closes its end of standard error does not want to end the server.
  const ignore = (): void => undefined;
  stderr.on('error', ignore);
  stdout.write = diverted;
  stdout.end = unended;
  return {
    holders: 0,
    write: write.bind(stdout),
    restore: () => {
      stderr.removeListener('error', ignore);
      // Somebody may have wrapped it since; theirs goes on to stderr then, which does no harm.
      if (stdout.write === diverted) stdout.write = write;
      if (stdout.end === unended) stdout.end = end;
    },
  };
}
