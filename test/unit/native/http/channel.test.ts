import { type EventStore, MemoryEventStore, type StoredEvent } from 'cartouche';
import type { ByteStream } from '../../../../src/native/http/wire/carrier.js';
import { Channel, readEventId } from '../../../../src/native/http/streams/channel.js';
import { EventStream } from '../../../../src/native/http/streams/event-stream.js';
import { Heartbeat } from '../../../../src/native/http/streams/heartbeat.js';

class Bytes implements ByteStream {
  text = '';
  pending = 0;
  closed = false;
  destroyed = false;
  write(text: string): void {
    this.text += text;
  }
  end(): void {
    this.closed = true;
  }
  destroy(): void {
    this.closed = this.destroyed = true;
  }
}

const HEARTBEAT = new Heartbeat(0);
const streamOf = (bytes: Bytes): EventStream => new EventStream(bytes, HEARTBEAT);
const keyed = (store: EventStore): Channel => new Channel({ store, session: 's', stream: 7 });

describe('a channel', () => {
  it('gives its events ids where they can be resumed, and none where they cannot', () => {
    const [plain, kept] = [new Bytes(), new Bytes()];
    const channel = new Channel();
    channel.connect(streamOf(plain), { retryMs: 5 });
    channel.send('m', '{}');
    const resumable = keyed(new MemoryEventStore());
    resumable.connect(streamOf(kept), { retryMs: 5 });
    resumable.send('m', '{}');
    expect(plain.text).toBe('data: {}\n\n');
    expect(kept.text).toBe('id: 7-0\ndata: \n\nretry: 5\n\nid: 7-1\ndata: {}\n\n');
  });

  it('keeps what was sent while nobody was connected', async () => {
    const channel = keyed(new MemoryEventStore());
    const [first, second] = [new Bytes(), new Bytes()];
    channel.connect(streamOf(first));
    channel.send('m', '1');
    channel.disconnect();
    channel.send('m', '2');
    expect(await channel.resume(1, () => streamOf(second))).toBe(true);
    channel.send('m', '3');
    expect(first.text).toBe('id: 7-1\ndata: 1\n\n');
    expect(second.text).toBe('id: 7-2\ndata: 2\n\nid: 7-3\ndata: 3\n\n');
  });

  it('that ended gives the rest and ends again', async () => {
    const channel = keyed(new MemoryEventStore());
    channel.send('m', '1');
    channel.end();
    const bytes = new Bytes();
    expect(await channel.resume(0, () => streamOf(bytes))).toBe(true);
    expect(bytes).toMatchObject({ text: 'id: 7-1\ndata: 1\n\n', closed: true });
  });

  it('of which only the store knows is read out of it', async () => {
    const store = new MemoryEventStore();
    keyed(store).send('m', '1');
    const bytes = new Bytes();
    const past = Channel.past({ store, session: 's', stream: 7 });
    expect(await past.resume(0, () => streamOf(bytes))).toBe(true);
    expect(bytes).toMatchObject({ text: 'id: 7-1\ndata: 1\n\n', closed: true });
  });

  it('says when what is asked for is gone, without opening a stream', async () => {
    const channel = keyed(new MemoryEventStore({ maxEvents: 1 }));
    channel.send('m', '1');
    channel.send('m', '2');
    const open = jest.fn(() => streamOf(new Bytes()));
    expect(await channel.resume(0, open)).toBe(false);
    expect(open).not.toHaveBeenCalled();
  });

  it('loses nothing that comes while a slow store is asked, and keeps the order', async () => {
    const kept: StoredEvent[] = [];
    const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const store: EventStore = {
      append: async (_session, _stream, event) => {
        await later();
        kept.push(event);
      },
      after: async (_session, _stream, sequence) => {
        await later();
        return kept.filter((event) => event.sequence > sequence);
      },
      drop: () => undefined,
    };
    const channel = keyed(store);
    channel.send('m', '1');
    const bytes = new Bytes();
    const resumed = channel.resume(0, () => streamOf(bytes));
    channel.send('m', '2');
    await later();
    channel.send('m', '3');
    expect(await resumed).toBe(true);
    channel.send('m', '4');
    expect([...bytes.text.matchAll(/data: (\d)/g)].map(([, data]) => data)).toEqual(['1', '2', '3', '4']);
  });

  it('goes on when its store fails', async () => {
    const store: EventStore = {
      append: () => Promise.reject(new Error('down')),
      after: () => undefined,
      drop: () => undefined,
    };
    const channel = keyed(store);
    const bytes = new Bytes();
    channel.connect(streamOf(bytes));
    channel.send('m', '1');
    channel.send('m', '2');
    await new Promise((resolve) => setImmediate(resolve));
    expect(bytes.text).toContain('data: 2');
  });

  it('forgets a connection that was lost, and not the one that took over', () => {
    const channel = keyed(new MemoryEventStore());
    const [first, second] = [new Bytes(), new Bytes()];
    channel.connect(streamOf(first));
    first.closed = true;
    channel.connect(streamOf(second));
    channel.lose();
    expect(channel.connected).toBe(true);
    second.closed = true;
    channel.lose();
    expect(channel.connected).toBe(false);
  });
});

describe('a slow reader', () => {
  it('is spared progress and log messages, and still gets the answer', () => {
    const bytes = new Bytes();
    const channel = new Channel();
    channel.connect(streamOf(bytes));
    bytes.pending = 2 * 1024 * 1024;
    channel.send('notifications/progress', '{"p":1}');
    channel.send('notifications/message', '{"m":1}');
    channel.send('notifications/tools/list_changed', '{"c":1}');
    channel.send(undefined, '{"answer":1}');
    expect(bytes.text).toBe('data: {"c":1}\n\ndata: {"answer":1}\n\n');
  });

  it('for whom too much waits is cut off', () => {
    const bytes = new Bytes();
    const channel = new Channel();
    channel.connect(streamOf(bytes));
    bytes.pending = 17 * 1024 * 1024;
    channel.send(undefined, '{}');
    expect(bytes.destroyed).toBe(true);
    expect(channel.connected).toBe(false);
  });

  it('that takes nothing for several beats is cut off, and one that takes a little is not', () => {
    const [still, slow] = [new Bytes(), new Bytes()];
    const streams = [streamOf(still), streamOf(slow)];
    still.pending = 100;
    slow.pending = 100;
    for (let beat = 0; beat < 6; beat++) {
      for (const stream of streams) stream.beat();
      slow.pending--;
    }
    expect(still.destroyed).toBe(true);
    expect(slow.destroyed).toBe(false);
    expect(still.text + slow.text).toBe('');
  });

  it('that keeps up gets a comment with every beat', () => {
    const bytes = new Bytes();
    streamOf(bytes).beat();
    expect(bytes.text).toBe(': \n\n');
  });
});

describe('event ids', () => {
  it('name a stream and a place in it', () => {
    expect(readEventId('7-12')).toEqual({ stream: 7, sequence: 12 });
  });

  it.each(['', '7', '7-', '-1', 'a-1', '7-1-1', '7-1 ', '9'.repeat(20) + '-1'])('%j is none', (id) => {
    expect(readEventId(id)).toBeUndefined();
  });
});
