import { EventEmitter, getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { IsString } from 'class-validator';
import { auditLog, cache, type CacheStore, concurrency, MemoryEventStore, retry, type ToolContext } from 'cartouche';
import { createTestClient } from '../../../src/testing/test-client.js';
import { HttpSession } from '../../../src/native/http/sessions/http-session.js';
import { layerOf } from '../../support/layers.js';

class Name {
  @IsString()
  name!: string;
}

const abortListeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('listeners on the signal of a call', () => {
  it('are gone after a pause of retry', async () => {
    const counts: number[] = [];
    const layer = layerOf(
      (registry) =>
        registry.tool({ name: 'shaky', capabilities: [] }, (_args, { signal }) => {
          counts.push(abortListeners(signal));
          if (counts.length < 4) throw Object.assign(new Error('no'), { code: 'ESHAKY' });
          return 1;
        }),
      { middleware: [retry({ on: ['ESHAKY'], attempts: 4, initialDelayMs: 1 })] },
    );
    await layer.callTool('shaky');
    expect(counts).toEqual(Array(4).fill(counts[0]));
  });

  it('are gone after a question was answered', async () => {
    const counts: number[] = [];
    const layer = layerOf((registry) =>
      registry.tool({ name: 'asks' }, async (_args, context) => {
        for (let i = 0; i < 4; i++) {
          counts.push(abortListeners(context.signal));
          await context.elicit(`k${i}`, Name, { message: 'Who?' });
        }
      }),
    );
    const answer = () => ({ action: 'accept', content: { name: 'Ann' } });
    await createTestClient(layer, { answer }).call('asks');
    expect(counts).toEqual(Array(4).fill(counts[0]));
  });

  it('are gone when a slot was waited for', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const contexts: ToolContext[] = [];
    const counts: number[] = [];
    const layer = layerOf(
      (registry) =>
        registry.tool({ name: 'waits' }, async (_args, context) => {
          counts.push(abortListeners(context.signal));
          contexts.push(context);
          await gate;
        }),
      { middleware: [concurrency({ total: 1 })] },
    );
    const calls = [layer.callTool('waits'), layer.callTool('waits')];
    await sleep(5);
    release();
    await Promise.all(calls);
    expect(contexts).toHaveLength(2);
    expect(counts[1]).toBe(counts[0]);
  });

  it('that a caller passed are gone after each call', async () => {
    const { signal } = new AbortController();
    const layer = layerOf((registry) => registry.tool({ name: 'one' }, () => 1));
    const client = createTestClient(layer);
    for (let i = 0; i < 20; i++) {
      await client.call('one', {}, { signal });
      await layer.callTool('one', {}, { signal });
    }
    expect(abortListeners(signal)).toBe(0);
  });
});

it('a cache that closes no longer hears of changes, and clears itself once', async () => {
  let cleared = 0;
  const store = { get: () => undefined, set: () => undefined, clear: () => cleared++ } as unknown as CacheStore;
  const layer = layerOf((registry) => registry.tool({ name: 'one', capabilities: [] }, () => 1), {
    middleware: [cache({ store })],
  });
  await layer.callTool('one');
  layer.notifyChange('tools');
  await sleep(5);
  expect(cleared).toBe(1);
  await layer.close();
  const closed = cleared;
  layer.notifyChange('tools');
  await sleep(5);
  expect(cleared).toBe(closed);
});

it('an audit log leaves no listener on a stream that it did not make', async () => {
  const stream = new PassThrough().resume();
  const before = stream.listenerCount('error');
  for (let i = 0; i < 3; i++) {
    const layer = layerOf((registry) => registry.tool({ name: 'one' }, () => 1), {
      middleware: [auditLog({ stream })],
    });
    await layer.callTool('one');
    await layer.close();
  }
  expect(stream.listenerCount('error')).toBe(before);
});

it('a session keeps no stream of an answer that is complete: the rest is in the store', () => {
  const session = new HttpSession('s', 'ann', new MemoryEventStore());
  for (let i = 0; i < 1000; i++) {
    const channel = session.openPost();
    const { stream } = channel.key!;
    expect(session.find(stream)).toBe(channel);
    session.closePost(channel);
    expect([session.find(stream) === channel, session.find(stream)?.ended]).toEqual([false, true]);
  }
});

it('serving leaves no listener on the process', async () => {
  const events = ['SIGTERM', 'SIGINT', 'SIGHUP', 'unhandledRejection', 'uncaughtException'];
  const counts = () => events.map((event) => (process as EventEmitter).listenerCount(event));
  const before = counts();
  for (let i = 0; i < 3; i++) {
    const { close } = await layerOf((registry) => registry.tool({ name: 'one' }, () => 1)).serve('http', { port: 0 });
    await close();
  }
  expect(counts()).toEqual(before);
});
