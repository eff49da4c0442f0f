import { BOUNDS } from '../core/bounds.js';
import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';

/** Where finished lines go. Neither function may throw: what fails is told to `onError`. */
export interface LineSink {
  write(line: string): void;
  /** Waits until everything is written. */
  close(): Promise<void>;
}

/** Called with what failed, each time that lines are lost. */
export type SinkFailure = (error: unknown) => void;

/** So much is written at once; more would only fill the memory. */
const CHUNK_CHARS = 65_536;

/** What a stream may hold back: a reader that stopped must not fill the memory. */
const MAX_BACKLOG_BYTES = BOUNDS.auditBacklogBytes.default;

/**
 * Appends to a file that only its owner may read. Lines of one turn of the event loop are written together, and
 * synchronously: they keep their order and none waits in a process that may end.
 */
export class FileSink implements LineSink {
  readonly #file: number;
  readonly #onError: SinkFailure;
  #pending = '';
  #scheduled: NodeJS.Immediate | undefined;

  /** @throws {ConfigurationError} When the file cannot be opened. */
  constructor(path: string, onError: SinkFailure) {
    this.#onError = onError;
    try {
      this.#file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
      // The mode above is only for a file that is made; one that was there may be open to all.
      if (fstatSync(this.#file).isFile()) fchmodSync(this.#file, 0o600);
    } catch (error) {
      throw new ConfigurationError(
        finding(
          'CT804',
          `auditLog: '${path}' cannot be written (${(error as Error).message}). Name a file in a folder of yours.`,
        ),
      );
    }
  }

  write(line: string): void {
    this.#pending += line;
    if (this.#pending.length >= CHUNK_CHARS) this.#flush();
    else this.#scheduled ??= setImmediate(() => this.#flush());
  }

  close(): Promise<void> {
    this.#flush();
    closeSync(this.#file);
    return Promise.resolve();
  }

  #flush(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    const bytes = Buffer.from(this.#pending);
    this.#pending = '';
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** Writes to a stream, which stays its owner's to end. */
export class StreamSink implements LineSink {
  readonly #stream: Writable;
  readonly #onError: SinkFailure;
  readonly #failed = (error: unknown): void => this.#onError(error);

  constructor(stream: Writable, onError: SinkFailure) {
    this.#stream = stream;
    this.#onError = onError;
    // Without a listener, an error of the stream would end the process.
    stream.on('error', this.#failed);
  }

  write(line: string): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) this.#onError('the stream has ended');
    else if (this.#stream.writableLength > MAX_BACKLOG_BYTES) this.#onError('too much waits to be written');
    else this.#stream.write(line);
  }

  async close(): Promise<void> {
    if (this.#stream.writableLength > 0 && !this.#stream.destroyed) {
      await new Promise<void>((resolve) => void this.#stream.write('', () => resolve()));
    }
    this.#stream.off('error', this.#failed);
  }
}
