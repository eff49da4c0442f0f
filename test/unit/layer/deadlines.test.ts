import { CancelledError, type McpLayer } from 'cartouche';
import { fixedClock } from 'cartouche/testing';
import { layerOf } from '../../support/layers.js';

const hangs = (...times: number[]): McpLayer =>
  layerOf((registry) => {
    for (const timeoutMs of times)
      registry.tool({ name: `t${timeoutMs}`, timeoutMs }, () => new Promise(() => undefined));
    registry.tool({ name: 'quick' }, async () => 'done');
  });

async function ended(layer: McpLayer, name: string, ends: string[]): Promise<void> {
  const { meta } = await layer.callTool(name);
  ends.push(`${name} ${String(meta?.['cartouche/error_code'])}`);
}

describe('time-outs', () => {
  test('come in their own order, however the calls came', async () => {
    jest.useFakeTimers();
    try {
      const layer = hangs(60, 5, 30);
      const ends: string[] = [];
      const calls = ['t60', 't5', 't30', 't5'].map((name) => ended(layer, name, ends));
      await jest.advanceTimersByTimeAsync(40);
      expect(ends).toEqual(['t5 timeout', 't5 timeout', 't30 timeout']);
      await jest.advanceTimersByTimeAsync(40);
      await Promise.all(calls);
      expect(ends.at(-1)).toBe('t60 timeout');
    } finally {
      jest.useRealTimers();
    }
  });

  test('come in their own order when a busy process finds all of them due at once', async () => {
    const layer = hangs(160, 5, 80);
    await layer.callTool('quick');
    const ends: string[] = [];
    const calls = ['t160', 't5', 't80'].map((name) => ended(layer, name, ends));
    for (const until = performance.now() + 200; performance.now() < until;);
    await Promise.all(calls);
    expect(ends).toEqual(['t5 timeout', 't80 timeout', 't160 timeout']);
  });

  test('keep real time when the clock of the layer stands still', async () => {
    const layer = layerOf(
      (registry) => void registry.tool({ name: 't', timeoutMs: 5 }, () => new Promise(() => undefined)),
      {
        clock: fixedClock(),
      },
    );
    expect((await layer.callTool('t')).meta).toMatchObject({ 'cartouche/error_code': 'timeout' });
  });

  test('follow the timers of a test runner, even on a layer that was used before', async () => {
    const layer = hangs(1_000, 60_000);
    await layer.callTool('quick');
    jest.useFakeTimers();
    try {
      const ends: string[] = [];
      const calls = [ended(layer, 't60000', ends), ended(layer, 't1000', ends)];
      await jest.advanceTimersByTimeAsync(1_001);
      expect(ends).toEqual(['t1000 timeout']);
      await jest.advanceTimersByTimeAsync(60_000);
      await Promise.all(calls);
      expect(ends).toEqual(['t1000 timeout', 't60000 timeout']);
    } finally {
      jest.useRealTimers();
    }
  });

  test('leave no timer that keeps the process alive once nothing waits', async () => {
    const active = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = active();
    const layer = hangs(60_000);
    await layer.callTool('quick');
    expect(active()).toBe(before);
    const controller = new AbortController();
    const hanging = layer.callTool('t60000', {}, { signal: controller.signal });
    expect(active()).toBe(before + 1);
    controller.abort();
    await expect(hanging).rejects.toBeInstanceOf(CancelledError);
    expect(active()).toBe(before);
  });

  test('end with the layer', async () => {
    const layer = hangs(60_000);
    const hanging = layer.callTool('t60000');
    await layer.close();
    await expect(hanging).rejects.toThrow('The server is closing.');
  });
});
