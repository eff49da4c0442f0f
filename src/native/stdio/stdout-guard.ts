/** Standard output, while it belongs to the protocol. */
export interface StdoutGuard {
  /** Writes to the real standard output. */
  readonly write: NodeJS.WriteStream['write'];
  /** Gives standard output back. */
  release(): void;
}

/**
 * Sends what anything else writes to standard output (`console.log`, `process.stdout.write`, a chatty library) to
 * standard error, where clients show it as a log instead of failing on it. Code that kept a reference to the real
 * `write`, or writes to the descriptor itself, is not caught.
 */
export function guardStdout(): StdoutGuard {
  const { stdout, stderr } = process;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- given back as it was
  const original = stdout.write;
  const diverted = ((...args: Parameters<typeof stderr.write>) => stderr.write(...args)) as typeof stdout.write;
  // A client that closes its end of standard error does not want to end the server.
  const ignore = (): void => undefined;
  stderr.on('error', ignore);
  stdout.write = diverted;
  return {
    write: original.bind(stdout),
    release: () => {
      stderr.removeListener('error', ignore);
      // Somebody may have wrapped it since; theirs goes on to stderr then, which does no harm.
      if (stdout.write === diverted) stdout.write = original;
    },
  };
}
