import {
  McpLayer,
  McpService,
  NotFoundError,
  type Policy,
  Principal,
  PromptMessage,
  TextResourceContents,
  Tool,
  ToolError,
  ToolResult,
} from 'cartouche';
import {
  createTestClient,
  fixedClock,
  ProtocolFailure,
  sequentialIds,
  type TestClientOptions,
  ToolFailure,
} from 'cartouche/testing';
import { IsInt } from 'class-validator';
import { layerOf, principal } from '../support/layers.js';

class Sum {
  @IsInt()
  a!: number;

  @IsInt()
  b!: number;
}

@McpService()
class Calculator {
  started = 0;

  onStart(): void {
    this.started += 1;
  }

  /** Adds two numbers. */
  @Tool()
  add({ a, b }: Sum): number {
    return a + b;
  }

  @Tool()
  starts(): object {
    return { started: this.started };
  }
}

const hides: Policy = {
  name: 'hides',
  scopeOf: ({ id }) => id,
  decide: ({ id }, { id: who }) =>
    id === 'secret' && who !== 'ann' ? { allowed: false, hidden: true, reason: '' } : { allowed: true },
};

function sample(): McpLayer {
  return layerOf(
    (registry) => {
      registry.tool({ name: 'object' }, () => ({ a: 1 }));
      registry.tool({ name: 'text' }, () => ToolResult.text('one').text('two'));
      registry.tool({ name: 'blocks' }, () => ToolResult.text('one').image('AA', 'image/png'));
      registry.tool({ name: 'fails' }, () => {
        throw new ToolError('Ask for less.', { max: 3 });
      });
      registry.tool({ name: 'throws' }, () => {
        throw new Error('secret');
      });
      registry.tool({ name: 'secret' }, (_args, ctx) => ({ who: ctx.principal.id }));
      registry.tool(
        { name: 'hangs' },
        (_args, ctx) =>
          new Promise((_resolve, reject) => ctx.signal.addEventListener('abort', () => reject(new Error('x')))),
      );
      registry.tool({ name: 'talks' }, async (_args, ctx) => {
        ctx.reportProgress(1, 2, 'half');
        ctx.log('debug', { step: 1 }, 'talker');
        await Promise.resolve();
        ctx.reportProgress(2, 2);
        ctx.notifyChange('resource', 'r://json');
        ctx.notifyChange('tools');
        return { meta: ctx.meta['x/y'] };
      });
      registry.tool({ name: 'asks' }, async (_args, ctx) => {
        const roots = await ctx.ask({ where: { roots: true } });
        return roots;
      });
      registry.resource({ uri: 'r://json' }, () => ({ a: [1] }));
      registry.resource({ uri: 'r://text', mimeType: 'text/plain' }, () => 'hello');
      registry.resource({ uri: 'r://many' }, () => [
        new TextResourceContents('r://many/1', '{"a":1}', { mimeType: 'application/json' }),
        new TextResourceContents('r://many/2', 'two', { mimeType: 'text/plain' }),
      ]);
      registry.resource({ uri: 'r://bytes', mimeType: 'image/png' }, () => Buffer.from('hi'));
      registry.resourceTemplate({ uriTemplate: 'r://t/{id}' }, ({ id }) => {
        if (id === '0') throw new NotFoundError('No such thing.');
        return { id };
      });
      registry.prompt(
        {
          name: 'greet',
          description: 'Greets.',
          arguments: [{ name: 'name', required: true }],
          completions: { name: (partial) => [`${partial}a`, `${partial}b`] },
        },
        ({ name }) => [PromptMessage.user(`Hello ${name ?? ''}`)],
      );
    },
    { policy: hides, services: [Calculator] },
  );
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe.each<[string, TestClientOptions]>([
  ['handshake', { era: 'handshake' }],
  ['modern', { era: 'modern' }],
  ['2025-06-18', { version: '2025-06-18' }],
])('a test client that speaks %s', (_name, options) => {
  const connect = (more: TestClientOptions = {}) => createTestClient(sample(), { ...options, ...more });

  test('lists everything, page by page', async () => {
    const client = connect();
    expect((await client.listTools()).map(({ name }) => name)).toEqual([
      'add',
      'starts',
      'object',
      'text',
      'blocks',
      'fails',
      'throws',
      'hangs',
      'talks',
      'asks',
    ]);
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual([
      'r://json',
      'r://text',
      'r://many',
      'r://bytes',
    ]);
    expect((await client.listResourceTemplates()).map(({ uriTemplate }) => uriTemplate)).toEqual(['r://t/{id}']);
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['greet']);
    client.close();
  });

  test('gives the structured value of a call, else its text, else its blocks', async () => {
    const client = connect();
    expect(await client.call('object')).toEqual({ a: 1 });
    expect(await client.call('add', { a: 1, b: 2 })).toEqual({ result: 3 });
    expect(await client.call('text')).toBe('one\ntwo');
    expect(await client.call('blocks')).toMatchObject([{ type: 'text' }, { type: 'image', data: 'AA' }]);
    client.close();
  });

  test('throws what a tool says went wrong, with its code and data', async () => {
    const client = connect();
    const failure: unknown = await client.call('fails').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ToolFailure);
    expect(failure).toMatchObject({ message: 'Ask for less.', tool: 'fails', code: 'handler_error', data: { max: 3 } });
    await expect(client.call('add', { a: 'x', b: 2 })).rejects.toMatchObject({ code: -32602, data: [{ loc: 'a' }] });
    await expect(client.call('throws')).rejects.toMatchObject({
      code: 'handler_error',
      message: 'Tool throws failed. Error id: id-1.',
    });
    expect(await client.callResult('fails')).toMatchObject({ isError: true });
    client.close();
  });

  test('throws protocol errors', async () => {
    const client = connect();
    await expect(client.call('missing')).rejects.toBeInstanceOf(ProtocolFailure);
    await expect(client.call('missing')).rejects.toMatchObject({ code: -32602, method: 'tools/call' });
    const code = options.era === 'modern' ? -32602 : -32002;
    await expect(client.read('r://missing')).rejects.toMatchObject({ code });
    await expect(client.read('r://t/0')).rejects.toMatchObject({ code });
    await expect(client.prompt('greet')).rejects.toMatchObject({ code: -32602 });
    await expect(client.raw('no/such')).rejects.toMatchObject({ code: -32601 });
    client.close();
  });

  test('is whoever it says it is', async () => {
    const ann = connect({ principal: principal('ann') });
    expect(await ann.call('secret')).toEqual({ who: 'ann' });
    const bob = connect({ principal: new Principal({ id: 'bob' }) });
    await expect(bob.call('secret')).rejects.toBeInstanceOf(ProtocolFailure);
    ann.close();
    bob.close();
  });

  test('reads JSON, text and bytes', async () => {
    const client = connect();
    expect(await client.read('r://json')).toEqual({ a: [1] });
    expect(await client.read('r://text')).toBe('hello');
    expect(await client.read<Buffer>('r://bytes')).toEqual(Buffer.from('hi'));
    expect(await client.read('r://t/7')).toEqual({ id: '7' });
    expect(await client.read('r://many')).toEqual([{ a: 1 }, 'two']);
    client.close();
  });

  test('renders prompts and completes', async () => {
    const client = connect();
    expect(await client.prompt('greet', { name: 'Ann' })).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ann' } }],
      description: 'Greets.',
    });
    expect(await client.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'name', value: 'A' })).toEqual({
      values: ['Aa', 'Ab'],
      total: 2,
      hasMore: false,
    });
    client.close();
  });

  test('collects progress, logs and changes', async () => {
    const client = connect();
    await client.subscribe('r://json');
    expect(await client.call('talks', {}, { meta: { 'x/y': 5 } })).toEqual({ meta: 5 });
    await settle();
    expect(client.progress).toMatchObject([
      { progress: 1, total: 2, message: 'half' },
      { progress: 2, total: 2 },
    ]);
    expect(client.logs).toEqual([{ level: 'debug', data: { step: 1 }, logger: 'talker' }]);
    expect(client.changes).toEqual([{ kind: 'resource', uri: 'r://json' }, { kind: 'tools' }]);
    client.close();
  });

  test('cancels what was cancelled before it is sent', async () => {
    const client = connect();
    await client.listTools();
    await expect(client.call('hangs', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'CancelledError',
    });
    client.close();
  });

  test('cancels', async () => {
    const client = connect();
    const controller = new AbortController();
    const hanging = client.call('hangs', {}, { signal: controller.signal });
    await settle();
    controller.abort();
    await expect(hanging).rejects.toMatchObject({ name: 'CancelledError' });
    client.close();
  });

  test('answers what the server asks', async () => {
    const asked: string[] = [];
    const client = connect({
      answer: (method) => {
        asked.push(method);
        return { roots: [{ uri: 'file:///home' }] };
      },
    });
    expect(await client.call('asks')).toEqual({ where: [{ uri: 'file:///home' }] });
    expect(asked).toEqual(['roots/list']);
    client.close();
  });

  test('starts the services of its layer, once', async () => {
    const layer = sample();
    const [one, two] = [createTestClient(layer, options), createTestClient(layer, options)];
    expect(await one.call('starts')).toEqual({ started: 1 });
    expect(await two.call('starts')).toEqual({ started: 1 });
    one.close();
    two.close();
  });
});

describe('deterministic helpers', () => {
  test('a clock that stands still', () => {
    const clock = fixedClock(1000);
    clock.advance(5);
    expect([clock.now(), clock.monotonic()]).toEqual([1005, 5]);
    expect(new Date(fixedClock().now()).toISOString()).toBe('2026-01-01T00:00:00.000Z');
    expect(fixedClock(new Date(7)).now()).toBe(7);
  });

  test('ids that count', () => {
    const ids = sequentialIds('e');
    expect([ids.next(), ids.next()]).toEqual(['e1', 'e2']);
  });

  test('make two runs of a server equal', async () => {
    const run = async (): Promise<unknown> => {
      const layer = layerOf(
        (registry) =>
          void registry.tool({ name: 't' }, () => {
            throw new Error('x');
          }),
        { clock: fixedClock(), ids: sequentialIds() },
      );
      return createTestClient(layer).callResult('t');
    };
    expect(await run()).toEqual(await run());
  });
});
