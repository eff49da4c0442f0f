import {
  type Call,
  CancelledError,
  type Change,
  ConfigurationError,
  type Container,
  currentContext,
  McpLayer,
  McpService,
  type Middleware,
  Registry,
  Tool,
  type ToolContext,
} from 'cartouche';
import { deferred, layerOf, MemoryLogger, principal } from '../support/layers.js';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('middleware', () => {
  const spy =
    (order: string[], label: string): Middleware =>
    async (call, next) => {
      order.push(`${label} before ${call.kind} ${call.name}`);
      const answer = await next();
      order.push(`${label} after`);
      return answer;
    };

  test('wraps all four kinds and lists, outermost first', async () => {
    const order: string[] = [];
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 't' }, () => void order.push('handler'));
        registry.resource({ uri: 'r://x' }, () => 'x');
        registry.prompt({ name: 'p', arguments: [{ name: 'a' }], completions: { a: () => ['x'] } }, () => 'x');
      },
      { middleware: [spy(order, 'outer')] },
    );
    layer.use(spy(order, 'inner'));
    await layer.callTool('t');
    expect(order).toEqual(['outer before tool t', 'inner before tool t', 'handler', 'inner after', 'outer after']);
    order.length = 0;
    await layer.readResource('r://x');
    await layer.getPrompt('p');
    await layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' });
    await layer.list('tools');
    expect(order.filter((line) => line.startsWith('inner before'))).toEqual([
      'inner before resource r://x',
      'inner before prompt p',
      'inner before completion p#a',
      'inner before list tools',
    ]);
  });

  test('sees requests for what is not there', async () => {
    const order: string[] = [];
    const layer = layerOf(() => undefined, { middleware: [spy(order, 'm')] });
    await layer.callTool('nope').catch(() => undefined);
    await layer.complete({ type: 'ref/prompt', name: 'nope' }, { name: 'a', value: '' });
    expect(order).toEqual(['m before tool nope', 'm before completion nope#a']);
  });

  test('an object handles the kinds that it has a function for', async () => {
    const seen: string[] = [];
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 't' }, () => 1);
        registry.resource({ uri: 'r://x' }, () => 'x');
      },
      {
        middleware: [
          { name: 'tools-only', tool: async (call, next) => (seen.push(call.kind), next()) },
          {
            name: 'rest',
            tool: async (_call, next) => next(),
            all: async (call, next) => (seen.push(`all ${call.kind}`), next()),
          },
        ],
      },
    );
    await layer.callTool('t');
    await layer.readResource('r://x');
    expect(seen).toEqual(['tool', 'all resource']);
    expect(layer.middlewareNames).toEqual(['tools-only', 'rest']);
  });

  test('may answer itself, change the answer, and see what is thrown', async () => {
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 'own' }, () => 'handler');
        registry.tool({ name: 'changed' }, () => 'handler');
        registry.tool({ name: 'thrown' }, () => {
          throw new TypeError('raw');
        });
      },
      {
        middleware: [
          {
            name: 'm',
            tool: async (call, next) => {
              const { ToolResult } = await import('cartouche');
              if (call.name === 'own') return ToolResult.text('mine');
              try {
                return (await next()).withMeta({ seen: true });
              } catch (error) {
                return ToolResult.text((error as Error).constructor.name);
              }
            },
          },
        ],
      },
    );
    expect((await layer.callTool('own')).content).toMatchObject([{ text: 'mine' }]);
    expect((await layer.callTool('changed')).meta).toMatchObject({ seen: true });
    expect((await layer.callTool('thrown')).content).toMatchObject([{ text: 'TypeError' }]);
  });

  test('that throws at once, or returns nothing, breaks only the call', async () => {
    const logger = new MemoryLogger();
    let mode = 'throw';
    const bad = ((_call: unknown, next: () => Promise<unknown>) => {
      if (mode === 'throw') throw new Error('at once');
      void next();
      return mode === 'nothing' ? undefined : Promise.resolve(undefined);
    }) as unknown as Middleware;
    const outer: Middleware = async (_call, next) => {
      try {
        return await next();
      } catch (error) {
        throw new Error('seen', { cause: error });
      }
    };
    const layer = layerOf((registry) => void registry.tool({ name: 't', capabilities: [] }, () => 1), {
      logger,
      middleware: [outer, bad],
    });
    for (mode of ['throw', 'nothing', 'promise of nothing']) expect((await layer.callTool('t')).isError).toBe(true);
    expect(logger.lines.map(({ fields }) => `${String(fields['error'])} ${String(fields['cause'])}`)).toEqual([
      'Error: seen Error: at once',
      expect.stringContaining('The middleware around tool t returned nothing. Return what next() gives.'),
      expect.stringContaining('returned nothing'),
    ]);
  });

  test('cannot be added once a request was served', async () => {
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, () => 1));
    layer.use(async (_call, next) => next());
    await layer.callTool('t');
    expect(() => layer.use(async (_call, next) => next())).toThrow('the first request was served already');
    expect(() => layerOf(() => undefined, { middleware: [5 as never] })).toThrow(ConfigurationError);
  });
});

describe('cancellation and time', () => {
  test('a call that is cancelled before it begins never reaches its handler', async () => {
    let runs = 0;
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, () => ++runs));
    await expect(layer.callTool('t', {}, { signal: AbortSignal.abort() })).rejects.toBeInstanceOf(CancelledError);
    expect(runs).toBe(0);
  });

  test("aborts the handler's signal, drops what comes late, and gives the slot back at once", async () => {
    const gate = deferred<string>();
    let seen!: ToolContext;
    const progress: unknown[] = [];
    const layer = layerOf((registry) => {
      registry.tool({ name: 't' }, async (_args, ctx) => {
        seen = ctx;
        ctx.signal.addEventListener('abort', () => ctx.reportProgress(2));
        ctx.reportProgress(1);
        return gate.promise;
      });
    });
    const controller = new AbortController();
    const call = layer.callTool(
      't',
      {},
      { signal: controller.signal, context: { sink: { progress: (...args) => void progress.push(args) } } },
    );
    await settle();
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'CancelledError' });
    expect(seen.signal.aborted).toBe(true);
    gate.resolve('late');
    seen.reportProgress(3);
    seen.log('info', 'late');
    await settle();
    expect(progress).toEqual([[1, undefined, undefined]]);
  });

  test('a time-out aborts the signal, and says after how long', async () => {
    let seen!: ToolContext;
    const layer = layerOf((registry) => {
      registry.tool({ name: 't', timeoutMs: 5 }, (_args, ctx) => {
        seen = ctx;
        return new Promise(() => undefined);
      });
    });
    expect((await layer.callTool('t')).content).toMatchObject([{ text: 't timed out after 5 ms.' }]);
    expect(seen.signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  test('a handler that aborts its own request before it first waits is noticed', async () => {
    const controller = new AbortController();
    const layer = layerOf((registry) => {
      registry.tool({ name: 't' }, () => {
        controller.abort();
        return new Promise(() => undefined);
      });
    });
    await expect(layer.callTool('t', {}, { signal: controller.signal })).rejects.toBeInstanceOf(CancelledError);
  });

  test('a generator is closed when its request is cancelled', async () => {
    let closed = false;
    const gate = deferred();
    const layer = layerOf((registry) => {
      registry.tool({ name: 't' }, async function* () {
        try {
          yield 1;
          await gate.promise;
          yield 2;
        } finally {
          closed = true;
        }
      });
    });
    const controller = new AbortController();
    const call = layer.callTool('t', {}, { signal: controller.signal });
    await settle();
    controller.abort();
    await expect(call).rejects.toBeInstanceOf(CancelledError);
    gate.resolve();
    await settle();
    expect(closed).toBe(true);
  });

  test('a nested call ends with its parent, and is whoever its parent is', async () => {
    const seen: string[] = [];
    const layer = layerOf((registry) => {
      registry.tool({ name: 'inner' }, (_args, ctx) => {
        seen.push(ctx.principal.id);
        return new Promise((_resolve, reject) =>
          ctx.signal.addEventListener('abort', () => {
            seen.push('aborted');
            reject(new Error('x'));
          }),
        );
      });
      registry.tool({ name: 'outer' }, (_args, ctx) => ctx.layer.callTool('inner', {}, { context: ctx }));
    });
    const controller = new AbortController();
    const call = layer.callTool('outer', {}, { signal: controller.signal, principal: principal('ann') });
    await settle();
    controller.abort();
    await expect(call).rejects.toBeInstanceOf(CancelledError);
    expect(seen).toEqual(['ann', 'aborted']);
  });

  test('progress must grow, and is only sent where it was asked for', async () => {
    const layer = layerOf((registry) => {
      registry.tool({ name: 't' }, (_args, ctx) => {
        for (const value of [1, 1, 3, 2, Number.NaN, 4]) ctx.reportProgress(value, 4);
      });
    });
    const seen: number[] = [];
    await layer.callTool('t', {}, { context: { sink: { progress: (value) => void seen.push(value) } } });
    expect(seen).toEqual([1, 3, 4]);
    expect((await layer.callTool('t')).isError).toBe(false);
  });
});

describe('the current context', () => {
  test('is found deep below a handler, and is the own one of calls that take turns', async () => {
    const deep = async (): Promise<string> => {
      await settle();
      return currentContext().principal.id;
    };
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, deep));
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((id) => layer.callTool('t', {}, { principal: principal(id) })),
    );
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual([
      { result: 'a' },
      { result: 'b' },
      { result: 'c' },
    ]);
    expect(() => currentContext()).toThrow(ConfigurationError);
  });

  test('is not there where the layer was built without it', async () => {
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, () => currentContext().principal.id), {
      asyncContext: false,
    });
    expect((await layer.callTool('t')).isError).toBe(true);
  });
});

describe('primitives that come and go', () => {
  const changesOf = (layer: McpLayer): Change[] => {
    const changes: Change[] = [];
    layer.onChange((change) => void changes.push(change));
    return changes;
  };

  test('are served, replaced in place and gone at once, and each moment is told once', async () => {
    const layer = layerOf((registry) => ['a', 'b', 'c'].forEach((name) => registry.tool({ name }, () => `${name}1`)));
    const changes = changesOf(layer);
    for (let i = 0; i < 10; i++) layer.registry.tool({ name: `t${i}` }, () => i);
    layer.registry.tool({ name: 'b', replace: true, title: 'B' }, () => 'b2');
    layer.registry.remove('tool', 'c');
    layer.registry.resource({ uri: 'r://x' }, () => 1);
    layer.registry.prompt({ name: 'p' }, () => 'x');
    await settle();
    expect(changes).toEqual([{ kind: 'tools' }, { kind: 'resources' }, { kind: 'prompts' }]);
    expect((await layer.list('tools')).map(({ name }) => name)).toEqual([
      'a',
      'b',
      ...Array.from({ length: 10 }, (_, i) => `t${i}`),
    ]);
    expect((await layer.callTool('b')).structuredContent).toEqual({ result: 'b2' });
    await expect(layer.callTool('c')).rejects.toMatchObject({ code: -32602 });
  });

  test('of the registry that the options gave are followed, in every layer that has it, until it closes', async () => {
    const registry = new Registry();
    const make = (options = {}): McpLayer =>
      new McpLayer({ name: 'x', version: '1', registry, logger: new MemoryLogger(), ...options });
    const [one, two] = [make(), make({ excludeTools: ['t'] })];
    const [changes, others] = [changesOf(one), changesOf(two)];
    registry.tool({ name: 't' }, () => 1);
    await settle();
    expect([one.listTools().length, two.listTools().length]).toEqual([1, 0]);
    expect([changes, others]).toEqual([[{ kind: 'tools' }], []]);
    await one.close();
    registry.tool({ name: 'u' }, () => 1);
    expect([one.listTools().length, two.listTools().length]).toEqual([1, 1]);
  });

  test('that a layer refuses are nowhere', () => {
    const registry = new Registry();
    const make = (prefix: string): McpLayer =>
      new McpLayer({ name: 'x', version: '1', registry, prefix, logger: new MemoryLogger() });
    const first = make('');
    const second = make('p'.repeat(64));
    expect(() => registry.tool({ name: 'n'.repeat(100) }, () => 1)).toThrow(ConfigurationError);
    expect([registry.size, first.listTools().length, second.listTools().length]).toEqual([0, 0, 0]);
    registry.tool({ name: 'fits' }, () => 1);
    expect([first.listTools().length, second.listTools().length]).toEqual([1, 1]);
  });

  test('that are replaced by what the filters keep out are gone', () => {
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, () => 1), { excludeCategories: ['hidden'] });
    layer.registry.tool({ name: 't', category: 'hidden', replace: true }, () => 2);
    expect(layer.listTools()).toHaveLength(0);
    layer.registry.tool({ name: 't', replace: true }, () => 3);
    expect(layer.listTools()).toHaveLength(1);
  });

  test('a listener that throws stops nobody else', async () => {
    const layer = layerOf(() => undefined);
    layer.onChange(() => {
      throw new Error('x');
    });
    const changes = changesOf(layer);
    layer.notifyChange('resource', 'r://x');
    layer.notifyChange('resource', 'r://x');
    layer.notifyChange('resource', 'r://y');
    await settle();
    expect(changes).toEqual([
      { kind: 'resource', uri: 'r://x' },
      { kind: 'resource', uri: 'r://y' },
    ]);
  });

  test('a new prefix that a name cannot take changes nothing', () => {
    const layer = layerOf((registry) => {
      registry.tool({ name: 'short' }, () => 1);
      registry.tool({ name: 'n'.repeat(100) }, () => 1);
    });
    expect(() => layer.setPrefix('p'.repeat(64))).toThrow(ConfigurationError);
    expect(layer.toolsWire().map(({ name }) => name)).toEqual(['short', 'n'.repeat(100)]);
    layer.setPrefix('p_');
    expect(layer.toolsWire().map(({ name }) => name)).toEqual(['p_short', `p_${'n'.repeat(100)}`]);
  });
});

describe('the life of services', () => {
  const events: string[] = [];
  beforeEach(() => void (events.length = 0));

  @McpService()
  class Database {
    async onStart(): Promise<void> {
      await settle();
      events.push('database up');
    }

    async onStop(): Promise<void> {
      await settle();
      events.push('database down');
    }
  }

  @McpService()
  class Reports {
    constructor(readonly database: Database) {}

    onStart(): void {
      events.push('reports up');
    }

    onStop(): void {
      events.push('reports down');
    }

    @Tool()
    report(): string {
      return 'report';
    }
  }

  @McpService({ scope: 'request' })
  class PerRequest {
    constructor(readonly database: Database) {}

    dispose(): void {
      events.push('request over');
    }

    @Tool()
    hangs(): Promise<never> {
      return new Promise(() => undefined);
    }
  }

  const make = (services: (typeof Reports | typeof PerRequest)[]): McpLayer =>
    new McpLayer({ name: 'x', version: '1', services, logger: new MemoryLogger() });

  test('begins once, dependencies first, and ends once in reverse, after the requests', async () => {
    const layer = make([Reports, PerRequest]);
    await Promise.all([layer.start(), layer.start()]);
    expect(events).toEqual(['database up', 'reports up']);
    const hanging = layer.callTool('hangs').catch((error: unknown) => error);
    await settle();
    await Promise.all([layer.close(), layer.close()]);
    expect(await hanging).toBeInstanceOf(CancelledError);
    expect(events).toEqual(['database up', 'reports up', 'request over', 'reports down', 'database down']);
  });

  test('includes what only request-scoped services depend on', async () => {
    const layer = make([PerRequest]);
    await layer.start();
    expect(events).toEqual(['database up']);
    await layer.close();
  });

  test('what was never started has nothing to stop', async () => {
    const layer = make([Reports]);
    await layer.callTool('report');
    await layer.close();
    expect(events).toEqual([]);
  });

  test('a service that fails to stop, or a middleware that fails to close, stops no other', async () => {
    const logger = new MemoryLogger();
    @McpService()
    class Stubborn {
      /** Does not. */
      onStop(): void {
        throw new Error('no');
      }

      @Tool({ capabilities: [] })
      stubborn(): string {
        return 'x';
      }
    }
    const layer = new McpLayer({
      name: 'x',
      version: '1',
      services: [Reports, Stubborn],
      logger,
      defaultCapabilities: ['read_state'],
      middleware: [
        { name: 'outer', close: () => void events.push('outer closed') },
        { name: 'inner', close: () => Promise.reject(new Error('no')) },
      ],
    });
    await layer.start();
    await layer.close();
    expect(events).toEqual(['database up', 'reports up', 'reports down', 'database down', 'outer closed']);
    expect(logger.lines.map(({ message }) => message)).toEqual([
      'Stubborn.onStop failed while closing',
      'the middleware inner failed to close',
    ]);
  });

  test('instances may come later, from a container that makes them so', async () => {
    let made = 0;
    const container: Container = {
      check: () => [],
      lifetimeOf: () => 'shared',
      resolve: async (cls) => {
        made += 1;
        await settle();
        return new (cls as unknown as new (database: Database) => never)(new Database());
      },
      openScope: () => ({ resolve: (cls) => container.resolve(cls), dispose: () => undefined }),
      dispose: () => undefined,
    };
    const layer = new McpLayer({ name: 'x', version: '1', services: [Reports], container, logger: new MemoryLogger() });
    const results = await Promise.all([layer.callTool('report'), layer.callTool('report')]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false]);
    expect(made).toBe(1);
  });
});

test('a call says of itself what middleware needs to know', async () => {
  const calls: Call[] = [];
  const layer = layerOf(
    (registry) => {
      registry.tool(
        { name: 'read', capabilities: ['read_state'], input: { type: 'object', properties: { a: {} } } },
        () => 1,
      );
      registry.tool({ name: 'write', capabilities: ['write_state'] }, (_args, ctx) =>
        ctx.layer.callTool('read', {}, { context: ctx }),
      );
      registry.tool({ name: 'cloud', capabilities: ['cloud_access'] }, () => 1);
    },
    { middleware: [async (call, next) => (calls.push(call), next())], prefix: 'x_' },
  );
  await layer.callTool('x_read');
  await layer.callTool('x_cloud');
  await layer.callTool('x_write').catch(() => undefined);
  expect(
    calls.map(({ name, readOnly, repeatable, nested, primitive }) => [
      name,
      readOnly,
      repeatable,
      nested,
      primitive?.id,
    ]),
  ).toEqual([
    ['x_read', true, true, false, 'read'],
    ['x_cloud', true, false, false, 'cloud'],
    ['x_write', false, false, false, 'write'],
    ['read', true, false, true, undefined],
  ]);
  expect([...(calls[0]?.argumentNames ?? [])]).toEqual(['a']);
});
