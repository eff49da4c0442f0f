import {
  AccessDeniedError,
  McpLayerError,
  NotFoundError,
  RateLimitedError,
  TimeoutError,
  ToolError,
  ToolResult,
  type ToolContext,
} from 'cartouche';
import { layerOf, MemoryLogger } from '../../support/layers.js';

const SECRET = 'postgres://user:password@db';

class QueryError extends Error {
  override name = 'QueryError';
  query = SECRET;

  /** As axios has it: everything there is. */
  toJSON(): object {
    return { message: this.message, config: SECRET };
  }
}

/** As it was done before there were classes. */
function OldError(this: { message: string }, message: string): void {
  this.message = message;
}
OldError.prototype = Object.create(Error.prototype) as object;

const secret = (): QueryError => new QueryError(SECRET);

async function answerOf(handler: (context: ToolContext) => unknown, options = {}): Promise<any> {
  const logger = new MemoryLogger();
  const sent: unknown[] = [];
  const layer = layerOf(
    (registry) => void registry.tool({ name: 't', capabilities: [] }, (_args, ctx) => handler(ctx)),
    {
      logger,
      ...options,
    },
  );
  const sink = { log: (_level: string, data: unknown) => void sent.push(data) };
  const wire = (await layer.callTool('t', {}, { context: { sink } })).toWire();
  return { wire, sent, lines: logger.lines.map(({ level, message, fields }) => [level, message, fields['error']]) };
}

const LINE = ['warn', 'tool t: an Error is in its data; clients see its name', `QueryError: ${SECRET}`];

describe('an Error in what a handler gives', () => {
  const form = { name: 'QueryError', error_id: 'id-1' };

  test.each<[string, () => unknown, unknown]>([
    ['as it is', secret, form],
    ['in a list', () => [1, secret()], { result: [1, form] }],
    [
      'as Promise.allSettled has it',
      () => Promise.allSettled([Promise.reject(secret())]),
      { result: [{ status: 'rejected', reason: form }] },
    ],
    ['in a Map', () => new Map([['a', secret()]]), { a: form }],
    ['in a result of its own', () => ToolResult.structured({ a: secret() }), { a: form }],
    ['from a step', (ctx?: unknown) => (ctx as ToolContext).step('look', () => ({ a: secret() })), { a: form }],
  ])('%s: is its name and an id, and the log has the rest', async (_name, handler, expected) => {
    const { lines, wire } = await answerOf(handler);
    expect(wire.structuredContent).toEqual(expected);
    expect(JSON.stringify(wire)).not.toMatch(/password/);
    expect(lines).toEqual([LINE]);
  });

  test('is told with its message where exposeErrors says so', async () => {
    const { wire } = await answerOf(secret, { exposeErrors: true });
    expect(wire.structuredContent).toEqual({ ...form, message: `QueryError: ${SECRET}` });
  });

  test('is known where its class is none of today, or its name no text', async () => {
    const Old = OldError as unknown as new (message: string) => Error;
    const odd = Object.assign(new Error(SECRET), { name: { text: SECRET } });
    const { wire } = await answerOf(() => [new Old(SECRET), odd, new DOMException(SECRET, 'AbortError')]);
    const names = wire.structuredContent.result.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Error', 'Error', 'AbortError']);
    expect(JSON.stringify(wire)).not.toMatch(/password/);
  });

  test('says its message where it was made for clients', async () => {
    const { lines, wire } = await answerOf(() => [new ToolError('Not today.', { why: secret() })]);
    expect(wire.structuredContent).toEqual({ result: [{ name: 'ToolError', message: 'Not today.' }] });
    expect(lines).toEqual([]);
  });

  test('is logged ten times a call, however many there are', async () => {
    const { lines } = await answerOf(() => Array.from({ length: 1000 }, secret));
    expect(lines).toHaveLength(10);
  });
});

describe('an Error in what else is told', () => {
  test('a log message', async () => {
    const cyclic: unknown[] = [secret()];
    cyclic.push(cyclic);
    const { lines, sent } = await answerOf((ctx) => {
      ctx.log('info', secret());
      ctx.log('info', { a: secret() });
      ctx.log('info', cyclic);
      ctx.log('info', () => SECRET);
    });
    expect(sent).toEqual([
      { name: 'QueryError', error_id: 'id-1' },
      { a: { name: 'QueryError', error_id: 'id-1' } },
      '[not sent: 1: refers back to what contains it]',
      '[not sent: the value: a function cannot be sent]',
    ]);
    expect(lines).toEqual([LINE, LINE, LINE]);
  });

  test('the data of an error that its author meant to be seen', async () => {
    const { lines, wire } = await answerOf(() => {
      throw new ToolError('Lookup failed.', { table: 'users', why: [secret()] });
    });
    expect(wire._meta['cartouche/error_data']).toEqual({
      table: 'users',
      why: [{ name: 'QueryError', error_id: 'id-1' }],
    });
    expect(lines).toEqual([LINE]);
  });

  test('a resource and a completion', async () => {
    const layer = layerOf((registry) => {
      registry.resource({ uri: 'r://x' }, () => ({ a: secret() }));
      registry.prompt({ name: 'p', arguments: [{ name: 'a' }], completions: { a: () => [secret(), 'b'] as never } }, () => 'x'); // prettier-ignore
    });
    const [contents] = await layer.readResource('r://x');
    expect(contents?.toWire()['text']).toBe('{"a":{"name":"QueryError","error_id":"id-1"}}');
    const { values } = await layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' });
    expect(values).toEqual(['QueryError', 'b']);
  });
});

describe('{ cause } as the last argument', () => {
  const cause = secret();

  test.each([
    ['McpLayerError', McpLayerError],
    ['ToolError', ToolError],
    ['NotFoundError', NotFoundError],
    ['AccessDeniedError', AccessDeniedError],
    ['RateLimitedError', RateLimitedError],
    ['TimeoutError', TimeoutError],
  ])('of %s is what caused it, alone and behind data', (_name, Class) => {
    const { code } = new Class('x');
    expect(new Class('x', { cause })).toMatchObject({ cause, data: undefined, code });
    expect(new Class('x', { a: 1 }, { cause })).toMatchObject({ cause, data: { a: 1 }, code });
    expect(new Class('x', undefined, { cause })).toMatchObject({ cause, data: undefined, code });
    expect(new Class('x', { cause: 'flood', since: 1 })).toMatchObject({ data: { cause: 'flood', since: 1 }, code });
    expect('cause' in new Class('x', { a: 1 })).toBe(false);
  });

  test('goes to the log, and to no client', async () => {
    const { lines, wire } = await answerOf(() => {
      throw new ToolError('Lookup failed.', { cause });
    });
    expect(wire.content).toEqual([{ type: 'text', text: 'Lookup failed.' }]);
    expect(wire._meta).not.toHaveProperty('cartouche/error_data');
    expect(lines).toEqual([['warn', 'tool t failed', 'ToolError: Lookup failed.']]);
  });
});
