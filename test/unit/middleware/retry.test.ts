import {
  type Call,
  ConfigurationError,
  InvalidArgumentsError,
  McpLayer,
  NotFoundError,
  RateLimitedError,
  retry,
  type RetryOptions,
  ToolError,
} from 'cartouche';
import { layerOf } from '../../support/layers.js';

class Flaky extends Error {
  readonly code = 'ECONNRESET';
}

function flaky(
  failures: number,
  options: Partial<RetryOptions> = {},
  error: () => unknown = () => new Flaky('down'),
  tool: Record<string, unknown> = {},
) {
  const seen = { runs: 0 };
  const layer = layerOf(
    (registry) => {
      const run = (): string => {
        seen.runs += 1;
        if (seen.runs <= failures) throw error();
        return 'done';
      };
      registry.tool({ name: 't', capabilities: ['read_state'], ...tool }, run);
      registry.resource({ uri: 'r://x' }, run);
      registry.prompt({ name: 'p' }, run);
    },
    { middleware: [retry({ on: [Flaky], initialDelayMs: 1, random: () => 0, ...options })] },
  );
  return { layer, seen };
}

describe('retry', () => {
  test('tries again and says how often', async () => {
    const { layer, seen } = flaky(2);
    const result = await layer.callTool('t');
    expect(seen.runs).toBe(3);
    expect(result.toWire()).toMatchObject({ isError: false, _meta: { 'cartouche/retries': 2 } });
  });

  test('says nothing where the first attempt was good', async () => {
    const { layer } = flaky(0);
    expect((await layer.callTool('t')).meta).not.toHaveProperty('cartouche/retries');
  });

  test('gives up after so many attempts, with the last error', async () => {
    const { layer, seen } = flaky(99, { attempts: 4 });
    expect((await layer.callTool('t')).isError).toBe(true);
    expect(seen.runs).toBe(4);
  });

  test.each<[string, RetryOptions['on']]>([
    ['a class', [Flaky]],
    ['a base class', [Error]],
    ['a code', ['ECONNRESET']],
    ['an arrow function', [(error) => (error as Error).message === 'down']],
    [
      'a function',
      [
        function isDown(error: unknown) {
          return (error as Error).message === 'down';
        },
      ],
    ],
  ])('knows causes by %s', async (_name, on) => {
    const { layer, seen } = flaky(1, { on });
    expect((await layer.callTool('t')).isError).toBe(false);
    expect(seen.runs).toBe(2);
  });

  test.each<[string, RetryOptions['on']]>([
    ['another class', [TypeError]],
    ['another code', ['EPIPE', -32603]],
    ['a function that says no', [() => false]],
    [
      'a function that throws',
      [
        () => {
          throw new Error('x');
        },
      ],
    ],
  ])('does not try again for %s', async (_name, on) => {
    const { layer, seen } = flaky(1, { on });
    expect((await layer.callTool('t')).isError).toBe(true);
    expect(seen.runs).toBe(1);
  });

  test.each<[string, Record<string, unknown>]>([
    ['writes', { capabilities: ['write_state'] }],
    ['reaches outside', { capabilities: ['cloud_access'] }],
    ['is declared not to be idempotent', { idempotent: false }],
  ])('never runs a tool again that %s', async (_name, tool) => {
    const { layer, seen } = flaky(1, {}, undefined, tool);
    expect((await layer.callTool('t')).isError).toBe(true);
    expect(seen.runs).toBe(1);
  });

  test('runs resources again, and prompts not', async () => {
    const resource = flaky(1);
    expect((await resource.layer.readResource('r://x'))[0]?.toWire()).toMatchObject({ text: 'done' });
    const prompt = flaky(1);
    await expect(prompt.layer.getPrompt('p')).rejects.toMatchObject({ code: -32603 });
    expect(prompt.seen.runs).toBe(1);
  });

  test.each([() => new InvalidArgumentsError('no'), () => new NotFoundError('no'), () => new RateLimitedError('no')])(
    'never repeats a refusal, even when everything is a cause (%#)',
    async (error) => {
      const { layer, seen } = flaky(1, { on: [() => true] }, error);
      await layer.callTool('t');
      expect(seen.runs).toBe(1);
    },
  );

  test('an error of ours can be a cause when it is named', async () => {
    const { layer, seen } = flaky(1, { on: [ToolError] }, () => new ToolError('busy'));
    expect((await layer.callTool('t')).isError).toBe(false);
    expect(seen.runs).toBe(2);
  });

  test('what the error hook makes of an exception is the cause', async () => {
    let runs = 0;
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 't', capabilities: [] }, () => {
          runs += 1;
          if (runs === 1) throw new Error('raw');
          return 'done';
        });
      },
      { onError: () => new Busy('mapped'), middleware: [retry({ on: [Busy], random: () => 0 })] },
    );
    expect((await layer.callTool('t')).isError).toBe(false);
  });
  class Busy extends ToolError {}

  test('a call never outlives its time', async () => {
    const { layer, seen } = flaky(
      99,
      { attempts: 1000, initialDelayMs: 40, maxDelayMs: 40, random: () => 1 },
      undefined,
      { timeoutMs: 100 },
    );
    expect((await layer.callTool('t')).isError).toBe(true);
    expect(seen.runs).toBeLessThanOrEqual(3);
  });

  test('a timed out call is not tried again', async () => {
    let runs = 0;
    const layer = layerOf(
      (registry) =>
        void registry.tool({ name: 't', timeoutMs: 5, capabilities: [] }, () => {
          runs += 1;
          return new Promise(() => undefined);
        }),
      { middleware: [retry({ on: [() => true], random: () => 0 })] },
    );
    expect((await layer.callTool('t')).meta).toMatchObject({ 'cartouche/error_code': 'timeout' });
    expect(runs).toBe(1);
  });

  test('a call that is cancelled during a pause ends at once', async () => {
    const { layer, seen } = flaky(99, { initialDelayMs: 60_000, maxDelayMs: 60_000, random: () => 1 });
    const controller = new AbortController();
    const call = layer.callTool('t', {}, { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'CancelledError' });
    expect(seen.runs).toBe(1);
  });

  test('pauses grow to their limit and are random below it', async () => {
    const { layer } = flaky(5, { attempts: 6, initialDelayMs: 100, maxDelayMs: 400, random: () => 0.02 });
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      await layer.callTool('t');
      expect(timers.mock.calls.map(([, delay]) => delay)).toEqual([2, 4, 8, 8, 8]);
    } finally {
      timers.mockRestore();
    }
  });

  test('links of a failed attempt are not in the answer', async () => {
    let runs = 0;
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 't', capabilities: [] }, (_args, ctx) => {
          ctx.link('a://b', `attempt ${++runs}`);
          if (runs === 1) throw new Flaky('down');
          return undefined;
        });
      },
      { middleware: [retry({ on: [Flaky], random: () => 0 })] },
    );
    expect((await layer.callTool('t')).content).toMatchObject([{ name: 'attempt 2' }]);
  });

  test('sits inside what stands before it in the list', async () => {
    const order: string[] = [];
    const spy = (label: string) => async (_call: Call<any>, next: () => Promise<any>) => {
      order.push(label);
      return next();
    };
    let runs = 0;
    const layer = new McpLayer({
      name: 'x',
      version: '1',
      middleware: [spy('outer'), retry({ on: [Flaky], random: () => 0 }), spy('inner')],
    });
    layer.registry.tool({ name: 't', capabilities: [] }, () => {
      if (++runs === 1) throw new Flaky('x');
      return 1;
    });
    await layer.callTool('t');
    expect(order).toEqual(['outer', 'inner', 'inner']);
    expect(layer.middlewareNames).toEqual(['anonymous', 'retry', 'anonymous']);
  });

  test.each<[unknown, string]>([
    [{}, 'no causes'],
    [{ on: [] }, 'no causes'],
    [{ on: Flaky }, 'must be a list of causes'],
    [{ on: [Flaky], attempts: 0 }, 'attempts is 0'],
    [{ on: [Flaky], initialDelayMs: -1 }, 'initialDelayMs is -1'],
    [{ on: [Flaky], attempt: 2 }, "Did you mean 'attempts'?"],
    [undefined, 'the options must be an object'],
  ])('%p is a mistake', (options, message) => {
    expect(() => retry(options as RetryOptions)).toThrow(ConfigurationError);
    expect(() => retry(options as RetryOptions)).toThrow(message);
  });
});
