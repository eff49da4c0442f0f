import { BOUNDS } from '../../core/bounds.js';
import type { Writable } from 'node:stream';

/** How much may wait before what can be left out is left out, in bytes or UTF-16 code units. */
const CROWDED = BOUNDS.crowdedLineChars.default;

/** How much may wait before no more is read. */
const FULL = BOUNDS.fullLineChars.default;

/** What is written at once: small enough that a slow reader can be told from one that has gone. */
const PIECE_BYTES = 64 * 1024;

/** Writes to a stream: `callback` when the operating system has it. */
export type Write = (data: string | Uint8Array, callback: (error?: Error | null) => void) => boolean;

/**
 * Writes lines in order. The lines of one turn of the event loop go out in one write, at its end or with its last line; while the reader is slower, they
 * wait here, and nothing more is given to the stream.
 */
export class LineWriter {
  readonly #output: Pick<Writable, 'once'>;
  readonly #write: Write;
  readonly #onRoom: () => void;
  #lines: string[] = [];
  #pieces: Uint8Array[] = [];
  #nextPiece = 0;
  /** What waits in lines, and what was made of lines and not yet taken. */
  #waiting = 0;
  #unwritten = 0;
  #scheduled = false;
  #blocked = false;
  #broken = false;
  #idle: (() => void)[] = [];

  /** @param onRoom Called when the reader has caught up after it was behind. */
  constructor(output: Pick<Writable, 'once'>, write: Write, onRoom: () => void) {
    this.#output = output;
    this.#write = write;
    this.#onRoom = onRoom;
  }

  /** Whether the reader is so far behind that progress and log messages should be left out. */
  get crowded(): boolean {
    return this.backlog > CROWDED;
  }

  /** Whether nothing more should be asked of the server until the reader has caught up. */
  get full(): boolean {
    return this.backlog > FULL;
  }

  /** How much the reader has not taken yet: as long as it falls, there is someone who reads. */
  get backlog(): number {
    return this.#waiting + this.#unwritten;
  }

  /** @param last Whether nothing more is expected in this turn, so that waiting for it would only cost time. */
  line(text: string, last = false): void {
    if (this.#broken) return;
    this.#lines.push(text);
    this.#waiting += text.length;
    if (this.#blocked) return;
    if (last) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#flushLater);
    }
  }

  /** Nobody reads any more: what waits, and what will come, is dropped. */
  break(): void {
    this.#broken = true;
    this.#lines = [];
    this.#pieces = [];
    this.#waiting = 0;
    this.#unwritten = 0;
    this.#settle();
  }

  /** Resolves when everything was handed to the operating system, or nobody reads any more. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#settle();
    });
  }

  readonly #flushLater = (): void => {
    this.#scheduled = false;
    this.#flush();
  };

  #flush(): void {
    if (this.#blocked || this.#lines.length === 0) return;
    const [first] = this.#lines;
    const text = this.#lines.length === 1 ? `${String(first)}\n` : `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#waiting = 0;
    if (text.length <= PIECE_BYTES) {
      this.#put(text, text.length);
      return;
    }
    const bytes = Buffer.from(text);
    this.#unwritten += bytes.length;
    for (let start = 0; start < bytes.length; start += PIECE_BYTES)
      this.#pieces.push(bytes.subarray(start, start + PIECE_BYTES));
    this.#pump();
  }

  #put(data: string | Uint8Array, size: number): void {
    if (typeof data === 'string') this.#unwritten += size;
    const goesOn = this.#write(data, (error) => {
      if (this.#broken) return;
      if (error) {
        this.break();
        return;
      }
      this.#unwritten -= size;
      this.#settle();
    });
    if (goesOn || this.#broken) return;
    this.#blocked = true;
    this.#output.once('drain', this.#unblock);
  }

  #pump(): void {
    while (!this.#blocked) {
      const piece = this.#pieces[this.#nextPiece++];
      if (piece === undefined) break;
      this.#put(piece, piece.length);
    }
    if (this.#nextPiece < this.#pieces.length) return;
    this.#pieces = [];
    this.#nextPiece = 0;
  }

  readonly #unblock = (): void => {
    this.#blocked = false;
    this.#pump();
    this.#flush();
    if (!this.crowded) this.#onRoom();
  };

  #settle(): void {
    if (this.backlog > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
