import { BOUNDS } from '../core/bounds.js';
import type { Readable, Writable } from 'node:stream';
import { checkOptions, hasMethods, isCount, isDelay, isFlag, type OptionCheck } from '../core/check-options.js';
import { ErrorCode } from '../core/errors.js';
import type { Layer } from '../layer/layer.js';
import { parseJsonBytes } from './json-bytes.js';
import { failure, type JsonRpcMessage, parseFailure, type Reply } from './messages.js';
import { NativeMcpServer } from './native-server.js';
import type { NativeSession } from './native-session.js';
import { type NativeServerOptions, SERVER_CHECKS, serverOptionsOf } from './options.js';
import { serialise } from './prepared.js';
import { LineReader } from './stdio/line-reader.js';
import { LineWriter, type Write } from './stdio/line-writer.js';
import { onSignals } from './stdio/signals.js';
import { isStrayErrors, ownStrayErrors, type StrayErrors } from './stray-errors.js';
import { guardStdout, type StdoutGuard } from './stdio/stdout-guard.js';

/** How a layer is served over standard input and output. */
export interface StdioOptions extends NativeServerOptions {
  /** Default: standard input. */
  readonly input?: Readable | undefined;
  /** Default: standard output, which is guarded then. */
  readonly output?: Writable | undefined;
  /** How long one line may be, in bytes. Default: 16 MiB. */
  readonly maxLineBytes?: number | undefined;
  /** How long running calls may go on once the client has gone or a signal came. Default: 500. */
  readonly graceMs?: number | undefined;
  /** How long `onStop` and the rest of the layer may take to close. Default: 5,000. */
  readonly closeMs?: number | undefined;
  /**
   * Whether the process ends with the conversation, with 0 after everything was closed, and listens to SIGTERM, SIGINT
   * and SIGHUP; a second one ends it at once. Default: true where neither `input` nor `output` is given.
   */
  readonly exit?: boolean | undefined;
  /**
   * What becomes of rejections that nobody waits for and exceptions that nobody catches, where the process ends with the
   * conversation: `handle` logs a rejection and goes on, and after an exception ends with 1 once what runs is finished;
   * `node` leaves both to Node. Default: `handle`.
   */
  readonly strayErrors?: StrayErrors | undefined;
}

const STDIO_CHECKS: Readonly<Record<keyof StdioOptions, OptionCheck>> = {
  ...SERVER_CHECKS,
  input: hasMethods('on', 'pause', 'resume'),
  output: hasMethods('on', 'write'),
  maxLineBytes: isCount,
  graceMs: (value) => (value === 0 ? undefined : isDelay(value)),
  closeMs: isDelay,
  exit: isFlag,
  strayErrors: isStrayErrors,
};

/** A layer that is being served. */
export interface StdioServing {
  readonly session: NativeSession;
  /** Resolves once everything was closed. */
  readonly closed: Promise<void>;
  /** Ends the conversation as the end of input does. */
  close(): Promise<void>;
}

/** How long a reader that takes nothing is waited for. */
const STALLED_MS = 1000;

const GRACE_MS = 500;
const CLOSE_MS = 5000;

/** Messages that a slow reader is spared. Source: MCP 2026-07-28, "Progress" and "Logging": both may be rate-limited. */
const DISPENSABLE: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

/**
 * Serves a layer over standard input and output, one message a line, in every revision at once. Resolves when serving
 * has begun. When the input ends, running calls get their grace, the layer closes, and the process exits with 0, whatever
 * timers and sockets are still alive.
 *
 * @throws {ConfigurationError} With every option that cannot be used.
 */
export async function serveStdio(layer: Layer, options: StdioOptions = {}): Promise<StdioServing> {
  checkOptions('stdio', options, STDIO_CHECKS);
  const server = new NativeMcpServer(layer, serverOptionsOf(options));
  const owned = options.input === undefined && options.output === undefined;
  const guard = options.output === undefined ? guardStdout() : undefined;
  if (guard !== undefined) warnOfNoise(layer);
  try {
    await layer.start();
  } catch (error) {
    guard?.release();
    server.close();
    throw error;
  }
  return new StdioConversation(server, options, guard, options.exit ?? owned);
}

let warned = false;

/** Clients read the first line as a message, whoever wrote it. */
function warnOfNoise(layer: Layer): void {
  // A file does not say.
  const { bytesWritten = 0 } = process.stdout as { bytesWritten?: number };
  if (warned || bytesWritten === 0) return;
  warned = true;
  layer.logger.warn(
    `serve('stdio'): ${bytesWritten} bytes were written to standard output before, and clients read them as messages. ` +
      "Make import 'cartouche/stdio' the first line of the program, or print with console.error.",
  );
}

/** The one conversation of a process. */
class StdioConversation implements StdioServing {
  readonly session: NativeSession;
  readonly closed: Promise<void>;
  readonly #server: NativeMcpServer;
  readonly #options: StdioOptions;
  readonly #guard: StdoutGuard | undefined;
  #exits: boolean;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #unlisten: () => void;
  #running = 0;
  #onIdle: (() => void) | undefined;
  #closing: Promise<void> | undefined;
  #resolveClosed!: () => void;
  #dropped = 0;
  #exitCode = 0;

  constructor(server: NativeMcpServer, options: StdioOptions, guard: StdoutGuard | undefined, exits: boolean) {
    const { input = process.stdin, output = process.stdout, maxLineBytes = BOUNDS.maxLineBytes.default } = options;
    this.#server = server;
    this.#options = options;
    this.#guard = guard;
    this.#exits = exits;
    this.#input = input;
    this.#output = output;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    const write = guard?.write ?? output.write.bind(output);
    this.#writer = new LineWriter(output, write as Write, () => this.#onRoom());
    this.#reader = new LineReader(
      maxLineBytes,
      (line) => this.#onLine(line),
      () => this.#onTooLong(maxLineBytes),
    );
    this.session = server.createSession({ transport: 'stdio', send: (message) => this.#send(message) });
    this.#unlisten = exits ? this.#own() : () => undefined;
    server.layer.onClose(() => this.#layerClosed());
    input.on('data', this.#onData);
    input.once('end', this.#onEnd);
    input.once('close', this.#onEnd);
    input.once('error', this.#onEnd);
    output.on('error', this.#onGone);
    output.once('close', this.#onGone);
  }

  /** Ends with the process's signals, and after an exception that nobody caught. */
  #own(): () => void {
    const { graceMs = GRACE_MS, closeMs = CLOSE_MS, strayErrors } = this.#options;
    const unlisten = onSignals(() => void this.close());
    if (strayErrors === 'node') return unlisten;
    const disown = ownStrayErrors({
      layer: this.#server.layer,
      boundMs: graceMs + closeMs + STALLED_MS,
      finish: () => {
        this.#exitCode = 1;
        return this.close();
      },
    });
    return () => {
      unlisten();
      disown();
    };
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Whoever closes the layer has more to do, maybe: the process is theirs to end. */
  #layerClosed(): void {
    if (this.#closing !== undefined) return;
    this.#exits = false;
    void this.close();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    if (this.#writer.full) this.#input.pause();
  };

  readonly #onEnd = (): void => {
    if (this.#closing === undefined) this.#reader.end();
    void this.close();
  };

  /** The client closed its end: there is nobody left to write to. */
  readonly #onGone = (): void => {
    this.#writer.break();
    void this.close();
  };

  #onRoom(): void {
    if (this.#dropped > 0 && !this.#writer.crowded) {
      this.#server.layer.logger.warn('the client reads slowly: progress and log messages were left out', {
        count: this.#dropped,
      });
      this.#dropped = 0;
    }
    if (this.#closing === undefined && !this.#writer.full) this.#input.resume();
  }

  #onLine(line: Buffer): void {
    let message: unknown;
    try {
      message = parseJsonBytes(line);
    } catch {
      if (line.toString().trim() !== '') this.#writer.line(serialise(parseFailure()));
      return;
    }
    this.#running++;
    void this.session.handle(message).then(this.#onReply);
  }

  readonly #onReply = (reply: Reply | undefined): void => {
    const idle = --this.#running === 0;
    if (reply !== undefined) this.#writer.line(serialise(reply), idle);
    if (idle) this.#onIdle?.();
  };

  #onTooLong(maxBytes: number): void {
    this.#writer.line(
      serialise(failure(null, ErrorCode.InvalidRequest, `Invalid request: a line of more than ${maxBytes} bytes.`)),
    );
  }

  #send(message: JsonRpcMessage): void {
    if (this.#writer.crowded && 'method' in message && DISPENSABLE.has(message.method)) this.#dropped++;
    else this.#writer.line(serialise(message));
  }

  /** What runs gets its grace, then the layer closes, then what was written reaches the client. */
  async #close(): Promise<void> {
    const { graceMs = GRACE_MS, closeMs = CLOSE_MS } = this.#options;
    this.#input.removeListener('data', this.#onData);
    this.#input.pause();
    this.#server.endStreams();
    await within(graceMs, this.#whenIdle());
    this.#server.close();
    await within(closeMs, this.#server.layer.close());
    await this.#flush();
    this.#resolveClosed();
    if (this.#exits) process.exit(this.#exitCode);
    this.#guard?.release();
    this.#unlisten();
    this.#output.removeListener('error', this.#onGone);
    this.#output.removeListener('close', this.#onGone);
  }

  #whenIdle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#onIdle = resolve));
  }

  /** Waits as long as the client goes on reading: a large result may need its time. */
  async #flush(): Promise<void> {
    const drained = this.#writer.drained();
    for (let before = Infinity; this.#writer.backlog > 0 && this.#writer.backlog < before;) {
      before = this.#writer.backlog;
      await within(STALLED_MS, drained);
    }
  }
}

/** Waits for `work`, but not longer than `ms`. What it throws is its own business. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
