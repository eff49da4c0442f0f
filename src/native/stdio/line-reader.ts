const NEWLINE = 10;

/**
 * Cuts a stream of bytes into lines. A line beyond the limit is reported once, when the limit is passed, and skipped up
 * to its end; the line after it is read as any other.
 */
export class LineReader {
  readonly #maxBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onTooLong: () => void;
  /** The beginning of a line whose end has not come yet. */
  #parts: Buffer[] = [];
  #size = 0;
  #skipping = false;

  constructor(maxBytes: number, onLine: (line: Buffer) => void, onTooLong: () => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk, start, end);
      this.#finishLine();
      start = end + 1;
    }
    this.#keep(chunk, start, chunk.length);
  }

  /** Takes what is left as a line: a client may close its end right after the last request. */
  end(): void {
    this.#finishLine();
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    if (this.#skipping || start === end) return;
    this.#size += end - start;
    if (this.#size > this.#maxBytes) {
      this.#skipping = true;
      this.#parts = [];
      this.#onTooLong();
      return;
    }
    this.#parts.push(chunk.subarray(start, end));
  }

  #finishLine(): void {
    const parts = this.#parts;
    const [first] = parts;
    this.#skipping = false;
    this.#size = 0;
    if (first === undefined) return;
    this.#parts = [];
    this.#onLine(parts.length === 1 ? first : Buffer.concat(parts));
  }
}
