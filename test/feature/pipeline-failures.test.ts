import { runInNewContext } from 'node:vm';
import {
  AccessDeniedError,
  ConfigurationError,
  InvalidArgumentsError,
  type McpLayer,
  type McpLayerOptions,
  McpLayerError,
  NotFoundError,
  type Policy,
  RateLimitedError,
  type Registry,
  TimeoutError,
  ToolError,
} from 'cartouche';
import { layerOf, MemoryLogger, principal } from '../support/layers.js';

type Behaviour = () => unknown;

/** One primitive of each kind that all behave alike. */
function fill(registry: Registry, behaviour: Behaviour): void {
  const input = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  };
  registry.tool({ name: 'tool', input, timeoutMs: 20, capabilities: ['read_state'] }, behaviour);
  registry.resource({ uri: 'r://x' }, behaviour);
  registry.prompt(
    { name: 'prompt', arguments: [{ name: 'a', required: true }], completions: { a: behaviour }, timeoutMs: 20 },
    behaviour,
  );
}

const requests = {
  tool: (layer: McpLayer, args: unknown = { n: 1 }, name = 'tool') => layer.callTool(name, args),
  resource: (layer: McpLayer, _args?: unknown, uri = 'r://x') => layer.readResource(uri),
  prompt: (layer: McpLayer, args: unknown = { a: 'x' }, name = 'prompt') => layer.getPrompt(name, args),
  completion: (layer: McpLayer, _args?: unknown, name = 'prompt') =>
    layer.complete({ type: 'ref/prompt', name }, { name: 'a', value: 'x' }),
};

type Kind = keyof typeof requests;

/** What a request came to, in the words of the contract's table. */
async function outcome(request: Promise<unknown>): Promise<string> {
  try {
    const answer = (await request) as { isError?: boolean; meta?: Record<string, unknown>; values?: unknown[] };
    if (answer.isError === true) return `isError ${String(answer.meta?.['cartouche/error_code'])}`;
    return !Array.isArray(answer) && answer.values?.length === 0 ? 'empty' : 'ok';
  } catch (error) {
    return error instanceof McpLayerError ? `error ${error.code}` : `raw ${String(error)}`;
  }
}

const deny = (hidden: boolean): Policy => ({
  name: 'deny',
  scopeOf: () => '',
  decide: () => ({ allowed: false, hidden, reason: 'because' }),
});

const limit: Policy = {
  name: 'limit',
  scopeOf: () => '',
  decide: () => ({ allowed: true }),
  admit: () => {
    throw new RateLimitedError('Too often.', { retry_after: 1 });
  },
};

const hangs = (): Promise<never> => new Promise(() => undefined);
const throws = (error: unknown) => () => {
  throw error;
};

describe('the table of failures', () => {
  const table: [
    string,
    Behaviour,
    Partial<McpLayerOptions>,
    Record<Kind, [args: unknown, name: string | undefined, expected: string]>,
  ][] = [
    [
      'unknown name',
      () => 'x',
      {},
      {
        tool: [undefined, 'nope', 'error -32602'],
        resource: [undefined, 'r://nope', 'error -32602'],
        prompt: [undefined, 'nope', 'error -32602'],
        completion: [undefined, 'nope', 'empty'],
      },
    ],
    [
      'hidden name',
      () => 'x',
      { policy: deny(true) },
      {
        tool: [undefined, undefined, 'error -32602'],
        resource: [undefined, undefined, 'error -32602'],
        prompt: [undefined, undefined, 'error -32602'],
        completion: [undefined, undefined, 'empty'],
      },
    ],
    [
      'invalid arguments',
      () => 'x',
      {},
      {
        tool: [{ n: 'many' }, undefined, 'isError -32602'],
        resource: [undefined, undefined, 'ok'],
        prompt: [{}, undefined, 'error -32602'],
        completion: [undefined, undefined, 'ok'],
      },
    ],
    [
      'policy denial',
      () => 'x',
      { policy: deny(false) },
      {
        tool: [undefined, undefined, 'isError -31001'],
        resource: [undefined, undefined, 'error -31001'],
        prompt: [undefined, undefined, 'error -31001'],
        completion: [undefined, undefined, 'error -31001'],
      },
    ],
    [
      'rate limit',
      () => 'x',
      { policy: limit },
      {
        tool: [undefined, undefined, 'isError -31029'],
        resource: [undefined, undefined, 'error -31029'],
        prompt: [undefined, undefined, 'error -31029'],
        completion: [undefined, undefined, 'error -31029'],
      },
    ],
    [
      'not found in the handler',
      throws(new NotFoundError('No such asset.')),
      {},
      {
        tool: [undefined, undefined, 'isError -32602'],
        resource: [undefined, undefined, 'error -32602'],
        prompt: [undefined, undefined, 'error -32602'],
        completion: [undefined, undefined, 'empty'],
      },
    ],
    [
      'time-out',
      hangs,
      { defaultTimeoutMs: 20 },
      {
        tool: [undefined, undefined, 'isError timeout'],
        resource: [undefined, undefined, 'error -32603'],
        prompt: [undefined, undefined, 'error -32603'],
        completion: [undefined, undefined, 'empty'],
      },
    ],
    [
      'unexpected exception',
      throws(new Error('postgres://u:pw@10.0.0.5/db')),
      {},
      {
        tool: [undefined, undefined, 'isError handler_error'],
        resource: [undefined, undefined, 'error -32603'],
        prompt: [undefined, undefined, 'error -32603'],
        completion: [undefined, undefined, 'empty'],
      },
    ],
    [
      'a rejected promise',
      () => Promise.reject(new Error('pw')),
      {},
      {
        tool: [undefined, undefined, 'isError handler_error'],
        resource: [undefined, undefined, 'error -32603'],
        prompt: [undefined, undefined, 'error -32603'],
        completion: [undefined, undefined, 'empty'],
      },
    ],
    [
      'a word to the model',
      throws(new ToolError('Ask for less.')),
      {},
      {
        tool: [undefined, undefined, 'isError handler_error'],
        resource: [undefined, undefined, 'error -32603'],
        prompt: [undefined, undefined, 'error -32603'],
        completion: [undefined, undefined, 'empty'],
      },
    ],
  ];

  const rows = table.flatMap(([failure, behaviour, options, cells]) =>
    (Object.keys(cells) as Kind[]).map((kind) => [failure, kind, behaviour, options, cells[kind]] as const),
  );

  test.each(rows)('%s: %s', async (_failure, kind, behaviour, options, [args, name, expected]) => {
    for (const middleware of [[], [async (_call: unknown, next: () => Promise<any>) => next()]]) {
      const layer = layerOf((registry) => fill(registry, behaviour), { ...options, middleware });
      expect(await outcome(requests[kind](layer, args, name))).toBe(expected);
    }
  });

  test('hidden and missing names are answered alike', async () => {
    const hidden = layerOf((registry) => fill(registry, () => 'x'), { policy: deny(true) });
    const empty = layerOf(() => undefined);
    for (const kind of ['tool', 'resource', 'prompt'] as const) {
      const [a, b] = await Promise.all(
        [hidden, empty].map((layer) => requests[kind](layer).catch((error: unknown) => error)),
      );
      expect({ message: (a as Error).message, data: (a as McpLayerError).data }).toEqual({
        message: (b as Error).message,
        data: (b as McpLayerError).data,
      });
    }
  });

  test.each(['nonsense', 3, true, [], [1]])(
    'arguments that are no object (%p) are a malformed request',
    async (args) => {
      const layer = layerOf((registry) => fill(registry, () => 'x'));
      expect(await outcome(layer.callTool('tool', args))).toBe('error -32602');
      expect(await outcome(layer.getPrompt('prompt', args))).toBe('error -32602');
    },
  );

  test('no arguments stand for an empty object', async () => {
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, (args) => args));
    for (const args of [undefined, null, {}]) expect((await layer.callTool('t', args)).structuredContent).toEqual({});
  });
});

describe('an unexpected exception', () => {
  test('is told by the tool and an id, and nothing else; the log has it under that id', async () => {
    const logger = new MemoryLogger();
    const layer = layerOf((registry) => fill(registry, throws(new Error('postgres://u:pw@10.0.0.5/db'))), { logger });
    const wire = (await layer.callTool('tool', { n: 1 })).toWire();
    expect(wire).toEqual({
      content: [{ type: 'text', text: 'Tool tool failed. Error id: id-1.' }],
      isError: true,
      _meta: {
        'cartouche/error_code': 'handler_error',
        'cartouche/error_data': { error_id: 'id-1' },
        'cartouche/duration_ms': expect.any(Number),
      },
    });
    expect(logger.lines).toEqual([
      {
        level: 'error',
        message: 'tool tool failed',
        fields: {
          errorId: 'id-1',
          error: 'Error: postgres://u:pw@10.0.0.5/db',
          stack: expect.stringContaining('postgres://u:pw@10.0.0.5/db'),
        },
      },
    ]);
    for (const [index, kind] of (['resource', 'prompt'] as const).entries()) {
      const error: unknown = await requests[kind](layer).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: -32603, data: { error_id: `id-${index + 2}` } });
      expect(`${(error as Error).message} ${JSON.stringify((error as McpLayerError).data)}`).not.toContain('pw');
    }
  });

  test('shows its message where the layer exposes errors', async () => {
    const layer = layerOf((registry) => fill(registry, throws(new Error('why'))), { exposeErrors: true });
    expect((await layer.callTool('tool', { n: 1 })).toWire()['content']).toEqual([
      { type: 'text', text: 'Tool tool failed. Error id: id-1. Error: why' },
    ]);
  });

  const throwingGetters = {
    get message(): string {
      throw new Error('no message');
    },
    get code(): number {
      throw new Error('no code');
    },
  };
  const unreadable = (): unknown =>
    Object.defineProperty(new ToolError('x'), 'message', {
      get: throws(new Error('no message')),
    });
  test.each<[string, () => unknown]>([
    ['text', () => 'just text'],
    ['null', () => null],
    ['undefined', () => undefined],
    ['a number', () => 5],
    ['a symbol', () => Symbol('s')],
    ['a function', () => () => 1],
    ['an object', () => ({ a: 1n })],
    [
      'an object with a cycle',
      () => {
        const a: Record<string, unknown> = {};
        a['a'] = a;
        return a;
      },
    ],
    ['an object whose getters throw', () => throwingGetters],
    [
      'a proxy that refuses everything',
      () =>
        new Proxy(
          {},
          { get: throws(new Error('no')), has: throws(new Error('no')), getPrototypeOf: throws(new Error('no')) },
        ),
    ],
    [
      'a revoked proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
    ['a rejected promise', () => Promise.reject(new Error('inner'))],
    ['a pending promise', () => hangs()],
    ['a frozen error', () => Object.freeze(new Error('frozen'))],
    ['an error of another realm', () => runInNewContext('new TypeError("elsewhere")')],
    [
      'an aggregate with causes',
      () => new AggregateError([new Error('a')], 'many', { cause: new Error('b', { cause: 'c' }) }),
    ],
    ['a mistake of the developer', () => new ConfigurationError('Here: wrong. Mend it.')],
    ['an error of ours that cannot be read', unreadable],
  ])('may be %s', async (_name, make) => {
    for (const behaviour of [
      () => {
        throw make();
      },
      async () => {
        await Promise.resolve();
        throw make();
      },
    ]) {
      const logger = new MemoryLogger();
      const layer = layerOf((registry) => fill(registry, behaviour), { logger });
      const result = await layer.callTool('tool', { n: 1 });
      expect(result.isError).toBe(true);
      expect(() => JSON.stringify(result.toWire())).not.toThrow();
      await expect(layer.readResource('r://x')).rejects.toBeInstanceOf(McpLayerError);
      for (const line of logger.lines) expect(typeof line.fields['error']).toBe('string');
    }
  });

  test('is one message for an error of another realm too', async () => {
    const logger = new MemoryLogger();
    const layer = layerOf(
      (registry) =>
        fill(registry, () => {
          throw runInNewContext('new TypeError("elsewhere")');
        }),
      { logger },
    );
    await layer.callTool('tool', { n: 1 });
    expect(logger.lines[0]?.fields['error']).toBe('TypeError: elsewhere');
  });

  test('is answered even when the logger fails', async () => {
    const broken = throws(new Error('disk full'));
    const logger = { debug: broken, info: broken, warn: broken, error: broken };
    const layer = layerOf((registry) => fill(registry, throws(new Error('why'))), { logger });
    expect(await outcome(layer.callTool('tool', { n: 1 }))).toBe('isError handler_error');
  });
});

describe('an error of ours', () => {
  test('reaches the model with its message and data', async () => {
    const layer = layerOf((registry) => fill(registry, throws(new ToolError('Ask for less.', { max: 10n }))));
    expect((await layer.callTool('tool', { n: 1 })).toWire()).toEqual({
      content: [{ type: 'text', text: 'Ask for less.' }],
      isError: true,
      _meta: {
        'cartouche/error_code': 'handler_error',
        'cartouche/error_data': { max: 10 },
        'cartouche/duration_ms': expect.any(Number),
      },
    });
  });

  test('frozen, it is still one', async () => {
    const layer = layerOf((registry) => fill(registry, throws(Object.freeze(new ToolError('Frozen.')))));
    expect((await layer.callTool('tool', { n: 1 })).content).toMatchObject([{ text: 'Frozen.' }]);
  });

  test('whose data cannot be sent is told without any of it', async () => {
    const data: Record<string, unknown> = { secret: 'x' };
    data['self'] = data;
    const layer = layerOf((registry) => fill(registry, throws(new ToolError('Message.', data))));
    expect((await layer.callTool('tool', { n: 1 })).content).toMatchObject([
      { text: 'Tool tool failed. Error id: id-1.' },
    ]);
  });

  test('invalid arguments name what is wrong and never a value', async () => {
    const layer = layerOf((registry) => fill(registry, () => 'x'));
    const result = await layer.callTool('tool', { n: 'hunter2' });
    expect(result.meta).toMatchObject({ 'cartouche/error_code': -32602, 'cartouche/error_data': [{ loc: 'n' }] });
    expect(JSON.stringify(result.toWire())).not.toContain('hunter2');
  });

  test('an error result that a handler returns carries no code', async () => {
    const { ToolResult } = await import('cartouche');
    const layer = layerOf((registry) => fill(registry, () => ToolResult.error('nope', { mine: 1 })));
    expect((await layer.callTool('tool', { n: 1 })).toWire()).toEqual({
      content: [{ type: 'text', text: 'nope' }],
      isError: true,
      _meta: { mine: 1, 'cartouche/duration_ms': expect.any(Number) },
    });
  });

  test('the keys follow the prefix of the layer', async () => {
    const layer = layerOf((registry) => fill(registry, throws(new ToolError('x', 1))), { metaPrefix: 'acme.example/' });
    expect(Object.keys((await layer.callTool('tool', { n: 1 })).meta ?? {})).toEqual([
      'acme.example/error_code',
      'acme.example/error_data',
      'acme.example/duration_ms',
    ]);
  });

  test('a withdrawn nested call is a failure of its own, not a withdrawal of this one', async () => {
    const layer = layerOf((registry) => {
      registry.tool({ name: 'slow' }, hangs);
      registry.tool({ name: 'outer' }, (_args, ctx) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 1);
        return ctx.layer.callTool('slow', {}, { signal: controller.signal, context: ctx });
      });
    });
    expect(await outcome(layer.callTool('outer'))).toBe('isError handler_error');
  });
});

describe('onError', () => {
  class DatabaseError extends Error {}
  const layerWith = (onError: McpLayerOptions['onError'], error: unknown = new DatabaseError('down')): McpLayer =>
    layerOf((registry) => fill(registry, throws(error)), { onError });

  test('maps what nobody expected to an error of ours', async () => {
    const layer = layerWith((error) => (error instanceof DatabaseError ? new ToolError('Try later.') : undefined));
    expect((await layer.callTool('tool', { n: 1 })).content).toMatchObject([{ text: 'Try later.' }]);
    expect(await outcome(layer.readResource('r://x'))).toBe('error -32603');
    await expect(layer.readResource('r://x')).rejects.toThrow('Try later.');
  });

  test('one per kind wins over the one for all', async () => {
    const layer = layerWith({ tool: () => new NotFoundError('as a tool'), all: () => new ToolError('as any') });
    expect(await outcome(layer.callTool('tool', { n: 1 }))).toBe('isError -32602');
    await expect(layer.readResource('r://x')).rejects.toThrow('as any');
  });

  test('is told where', async () => {
    const sites: unknown[] = [];
    const layer = layerWith((_error, { kind, name, context }) => void sites.push([kind, name, context.principal.id]));
    await layer.callTool('tool', { n: 1 }, { principal: principal('ann') });
    await outcome(layer.readResource('r://x'));
    expect(sites).toEqual([
      ['tool', 'tool', 'ann'],
      ['resource', 'r://x', 'local'],
    ]);
  });

  test('is asked once, and not for errors of ours', async () => {
    let asked = 0;
    const passing = async (_call: unknown, next: () => Promise<any>): Promise<any> => next();
    const options = {
      middleware: [passing, passing],
      onError: () => {
        asked += 1;
      },
    };
    await layerOf((registry) => fill(registry, throws(new Error('x'))), options).callTool('tool', { n: 1 });
    expect(asked).toBe(1);
    await layerOf((registry) => fill(registry, throws(new ToolError('x'))), options).callTool('tool', { n: 1 });
    expect(asked).toBe(1);
  });

  test('that fails, or gives no error of ours, leaves the exception unexpected', async () => {
    for (const onError of [throws(new Error('hook')), () => new Error('still secret'), () => 'text', () => undefined]) {
      const result = await layerWith(onError).callTool('tool', { n: 1 });
      expect(result.content).toMatchObject([{ text: 'Tool tool failed. Error id: id-1.' }]);
    }
  });

  test.each([[5], ['x'], [{ tools: () => undefined }], [{ tool: 5 }]])('%p is a mistake', (onError) => {
    expect(() => layerWith(onError as never)).toThrow(ConfigurationError);
  });
});

describe('what a policy hides', () => {
  const masking: Policy = {
    name: 'mask',
    scopeOf: () => '',
    decide: () => ({ allowed: true }),
    pipeline: () => ({
      output: (value) => JSON.parse(JSON.stringify(value).replaceAll('hunter2', '•••')) as unknown,
    }),
  };
  const leaks = 'hunter2';

  test('is hidden in every channel', async () => {
    const seen: unknown[] = [];
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 'ok' }, (_args, ctx) => {
          ctx.reportProgress(1, 2, leaks);
          ctx.log('info', { leaks });
          ctx.link(`a://${leaks}`, leaks, { title: leaks, description: leaks });
          return { a: leaks };
        });
        registry.tool({ name: 'fails' }, throws(new ToolError(leaks, { leaks })));
        registry.resource({ uri: 'r://x' }, () => ({ leaks }));
        registry.resource({ uri: 'r://fails' }, throws(new ToolError(leaks, { leaks })));
        registry.prompt({ name: 'p', arguments: [{ name: 'a' }], completions: { a: () => [leaks] } }, () => leaks);
      },
      { policy: masking },
    );
    const sink = {
      progress: (...args: unknown[]) => void seen.push(args),
      log: (...args: unknown[]) => void seen.push(args),
    };
    seen.push((await layer.callTool('ok', {}, { context: { sink } })).toWire());
    seen.push((await layer.callTool('fails')).toWire());
    seen.push((await layer.readResource('r://x')).map((contents) => contents.toWire()));
    const error = await layer.readResource('r://fails').catch((thrown: unknown) => thrown as McpLayerError);
    seen.push((error as McpLayerError).message, (error as McpLayerError).data, (error as McpLayerError).code);
    seen.push((await layer.getPrompt('p')).toWire());
    seen.push(await layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }));
    const transcript = JSON.stringify(seen);
    expect(transcript).not.toContain(leaks);
    expect(transcript.match(/•••/g)?.length).toBeGreaterThanOrEqual(14);
    expect(error).toBeInstanceOf(ToolError);
  });

  test('and a rewriting that fails lets nothing through', async () => {
    const policy: Policy = { ...masking, pipeline: () => ({ output: throws(new Error('broken')) }) };
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 'ok' }, () => leaks);
        registry.tool({ name: 'fails' }, throws(new ToolError(leaks, { leaks })));
      },
      { policy },
    );
    for (const name of ['ok', 'fails']) {
      const wire = (await layer.callTool(name)).toWire();
      expect(JSON.stringify(wire)).not.toContain(leaks);
      expect(wire['isError']).toBe(true);
    }
  });
});

test('error classes carry their codes', () => {
  expect(
    [
      new McpLayerError('x'),
      new InvalidArgumentsError('x'),
      new NotFoundError('x'),
      new AccessDeniedError('x'),
      new RateLimitedError('x'),
      new TimeoutError('x'),
    ].map(({ code }) => code),
  ).toEqual([-32603, -32602, -32602, -31001, -31029, -32603]);
});
