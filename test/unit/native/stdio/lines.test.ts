import { PassThrough, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { LineReader } from '../../../../src/native/stdio/line-reader.js';
import { LineWriter } from '../../../../src/native/stdio/line-writer.js';

function reader(maxBytes = 100) {
  const lines: string[] = [];
  const instance = new LineReader(
    maxBytes,
    (line) => lines.push(line.toString()),
    () => lines.push('<too long>'),
  );
  return { lines, push: (text: string | Buffer) => instance.push(Buffer.from(text)), end: () => instance.end() };
}

describe('a line reader', () => {
  test('finds lines wherever chunks end, and the last one without an end', () => {
    const { lines, push, end } = reader();
    for (const chunk of ['one\ntw', 'o\n', '\n', 'th', 're', 'e\nfo', 'ur']) push(chunk);
    expect(lines).toEqual(['one', 'two', 'three']);
    end();
    end();
    expect(lines).toEqual(['one', 'two', 'three', 'four']);
  });

  test('puts characters together that chunks cut', () => {
    const { lines, push } = reader();
    for (const byte of Buffer.from('Grüße, 世界 👋\n')) push(Buffer.from([byte]));
    expect(lines).toEqual(['Grüße, 世界 👋']);
  });

  test('reports a line beyond the limit once, skips it and goes on with the next', () => {
    const { lines, push, end } = reader(5);
    for (const chunk of ['12345\n123456\nabc\n', '1234', '5678', '9012', '\nxyz\n', 'ö'.repeat(3), '\nok', '123456'])
      push(chunk);
    end();
    expect(lines).toEqual(['12345', '<too long>', 'abc', '<too long>', 'xyz', '<too long>', '<too long>']);
  });

  test('gives the same lines for any chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(20)), (texts, cuts) => {
        const wanted = texts.map((text) => text.replaceAll('\n', ' ')).filter((text) => text !== '');
        const bytes = Buffer.from(wanted.join('\n'));
        const { lines, push, end } = reader(10_000);
        let start = 0;
        for (const cut of cuts) push(bytes.subarray(start, (start += cut)));
        push(bytes.subarray(start));
        end();
        expect(lines).toEqual(wanted);
      }),
      { seed: 2 },
    );
  });
});

/** A stream that takes one write at a time, when it is told to. */
class SlowReader extends Writable {
  readonly chunks: string[] = [];
  bytes = Buffer.alloc(0);
  #next: (() => void)[] = [];

  constructor() {
    super({ highWaterMark: 1, decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: unknown, callback: () => void): void {
    this.chunks.push(chunk.toString());
    this.bytes = Buffer.concat([this.bytes, Buffer.from(chunk as string)]);
    this.#next.push(callback);
  }

  async take(): Promise<void> {
    this.#next.shift()?.();
    await turn();
    await turn();
  }
}

function writer(output: Writable, onRoom = () => {}) {
  return new LineWriter(output, (data, callback) => output.write(data, callback), onRoom);
}

describe('a line writer', () => {
  test('writes the lines of one turn at once', async () => {
    const output = new SlowReader();
    const lines = writer(output);
    for (const line of ['a', 'b', 'c']) lines.line(line);
    expect(output.chunks).toEqual([]);
    await turn();
    expect(output.chunks).toEqual(['a\nb\nc\n']);
  });

  test('keeps lines, in order, while the reader is behind, and tells when it has caught up', async () => {
    let room = 0;
    const output = new SlowReader();
    const lines = writer(output, () => room++);
    lines.line('a');
    await turn();
    lines.line('b');
    lines.line('c');
    await turn();
    expect(output.chunks).toEqual(['a\n']);
    expect(lines.backlog).toBe(4);
    await output.take();
    expect(output.chunks).toEqual(['a\n', 'b\nc\n']);
    await output.take();
    expect([lines.backlog, room]).toEqual([0, 2]);
  });

  test('cuts what is long into pieces, so that a slow reader is seen to read', async () => {
    const output = new SlowReader();
    const lines = writer(output);
    const long = '世'.repeat(70_000);
    lines.line('short');
    await turn();
    lines.line(long);
    const done = lines.drained();
    const backlog: number[] = [];
    while (lines.backlog > 0) {
      await output.take();
      backlog.push(lines.backlog);
    }
    expect(output.bytes.toString()).toBe(`short
${long}
`);
    expect(backlog).toEqual([...new Set(backlog)].sort((a, b) => b - a));
    expect(backlog.length).toBeGreaterThan(4);
    await done;
  });

  test('says when it is crowded and when it is full', async () => {
    const output = new SlowReader();
    const lines = writer(output);
    lines.line('x'.repeat(1024 * 1024));
    expect([lines.crowded, lines.full]).toEqual([false, false]);
    lines.line('x');
    expect([lines.crowded, lines.full]).toEqual([true, false]);
    lines.line('x'.repeat(8 * 1024 * 1024));
    expect(lines.full).toBe(true);
    lines.break();
    expect([lines.crowded, lines.full, lines.backlog]).toEqual([false, false, 0]);
  });

  test('drops everything once nobody reads', async () => {
    const output = new PassThrough();
    output.on('error', () => {});
    const lines = writer(output);
    output.destroy();
    lines.line('a');
    await lines.drained();
    lines.line('b');
    await turn();
    expect(lines.backlog).toBe(0);
  });
});
