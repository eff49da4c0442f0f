import { IsArray, IsIn, IsString, MaxLength } from 'class-validator';
import type { ClientCallOptions, HandshakeClient } from '../../../src/core/client-port.js';
import type { ToolContext } from '../../../src/core/context.js';
import { CancelledError, McpLayerError } from '../../../src/core/errors.js';
import { answeringClient } from '../../../src/asking/answering-client.js';
import { ALL, layerOf, turn } from './support.js';

class Name {
  @IsString()
  @MaxLength(10)
  name!: string;
}

const ask = { message: 'Who?' };

type Request = HandshakeClient['request'];

function clientOf(request: Request, more: Partial<HandshakeClient> = {}): HandshakeClient {
  return { era: 'handshake', version: '2025-11-25', capabilities: ALL, request, ...more };
}

async function call(handler: (ctx: ToolContext) => unknown, client?: HandshakeClient, options = {}): Promise<any> {
  const layer = layerOf((_args, ctx) => handler(ctx), options);
  return (await layer.callTool('work', {}, { context: { client } })).toWire();
}

describe('a client that waits', () => {
  test('is sent one request for each question, with the parameters of its revision', async () => {
    const sent: unknown[] = [];
    const handler = async (ctx: ToolContext): Promise<unknown> => [
      await ctx.elicit('a', Name, ask),
      await ctx.sample('b', { messages: 'Hi', maxTokens: 5, systemPrompt: 'Be brief.' }),
      await ctx.listRoots('c'),
    ];
    const request: Request = (method, params) => {
      sent.push([method, params]);
      if (method === 'elicitation/create') return Promise.resolve({ action: 'accept', content: { name: 'Ada' } });
      if (method === 'roots/list') return Promise.resolve({ roots: [{ uri: 'file:///a', name: 'a', _meta: {} }] });
      return Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'Yo' }, model: 'm', _meta: {} });
    };
    const { structuredContent } = await call(handler, clientOf(request, { version: '2025-06-18' }));
    const schema = { type: 'object', properties: { name: { type: 'string', maxLength: 10 } }, required: ['name'] };
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hi' } }];
    expect(sent).toEqual([
      ['elicitation/create', { message: 'Who?', requestedSchema: schema }],
      ['sampling/createMessage', { messages, maxTokens: 5, systemPrompt: 'Be brief.' }],
      ['roots/list', {}],
    ]);
    expect(structuredContent.result).toEqual([
      { action: 'accept', content: { name: 'Ada' } },
      { role: 'assistant', content: { type: 'text', text: 'Yo' }, model: 'm' },
      [{ uri: 'file:///a', name: 'a' }],
    ]);
  });

  test('of 2025-11-25 is sent an address with an id of the question', async () => {
    const sent: any[] = [];
    const client = clientOf((_method, params) => {
      sent.push(params);
      return Promise.resolve({ action: 'accept', content: { ignored: true } });
    });
    const result = await call(
      (ctx) => ctx.elicitUrl('pay', 'https://pay.example.com/x?id=1', { message: 'Pay.' }),
      client,
    );
    expect(result.structuredContent).toEqual({ action: 'accept' });
    expect(sent).toEqual([
      { mode: 'url', message: 'Pay.', url: 'https://pay.example.com/x?id=1', elicitationId: expect.any(String) },
    ]);
  });

  test('before 2025-11-25 gets a message of several blocks as several messages', async () => {
    const sent: any[] = [];
    const client = clientOf(
      (_method, params) => {
        sent.push(params);
        return Promise.resolve({ role: 'assistant', content: { type: 'text', text: '' }, model: 'm' });
      },
      { version: '2025-03-26' },
    );
    const [a, b] = ['a', 'b'].map((text) => ({ type: 'text', text }));
    await call((ctx) => ctx.sample('s', { messages: [{ role: 'user', content: [a!, b!] }], maxTokens: 1 }), client);
    expect(sent[0].messages).toEqual([
      { role: 'user', content: a },
      { role: 'user', content: b },
    ]);
  });

  test('is asked again when a form does not fit, three times', async () => {
    const messages: string[] = [];
    const answers = [{ name: 'x'.repeat(11) }, { name: 12 }, { name: 'Ada' }, { name: 'x'.repeat(11) }];
    const client = clientOf((_method, params) => {
      messages.push(params['message'] as string);
      return Promise.resolve({ action: 'accept', content: answers[(messages.length - 1) % 4] });
    });
    const good = await call((ctx) => ctx.elicit('who', Name, ask), client);
    expect(good.structuredContent.content).toEqual({ name: 'Ada' });
    expect(messages[1]).toMatch(/^Who\?\n\nPlease correct: name:/);
    answers.splice(0, 4, ...Array<{ name: string }>(4).fill({ name: 'x'.repeat(11) }));
    messages.length = 0;
    const bad = await call((ctx) => ctx.elicit('who', Name, ask), client);
    expect([bad.isError, messages.length]).toEqual([true, 3]);
    expect(bad.content[0].text).toMatch(/^work: the answer to 'who' does not fit/);
  });

  test('that answers nonsense is an error', async () => {
    for (const nonsense of [undefined, null, 12, {}, { action: 'ok' }, { action: 'accept', content: 'x' }]) {
      const { content, isError } = await call(
        (ctx) => ctx.elicit('who', Name, ask),
        clientOf(() => Promise.resolve(nonsense)),
      );
      expect([isError, content[0].text]).toEqual([
        true,
        "work: what the client sent for 'who' is not an answer to it.",
      ]);
    }
    const noModel = clientOf(() => Promise.resolve({ role: 'assistant', content: { type: 'text', text: 'x' } }));
    expect((await call((ctx) => ctx.sample('s', { messages: 'x', maxTokens: 1 }), noModel)).isError).toBe(true);
    const noRoots = clientOf(() => Promise.resolve({ roots: ['file:///'] }));
    expect((await call((ctx) => ctx.listRoots('r'), noRoots)).isError).toBe(true);
  });

  test('that refuses is an error in its own words', async () => {
    const client = clientOf(() =>
      Promise.reject(new McpLayerError('User rejected sampling request', { secret: 1 }, { code: -1 })),
    );
    const result = await call((ctx) => ctx.sample('s', { messages: 'x', maxTokens: 1 }), client);
    expect(result.content[0].text).toBe(
      'work: the client refused sampling/createMessage: User rejected sampling request',
    );
    expect(result._meta['cartouche/error_data']).toEqual({ code: -1 });
  });

  test('that lacks a capability, or speaks a revision without the question, is not sent anything', async () => {
    let sent = 0;
    const request: Request = () => Promise.resolve(sent++);
    const text = async (handler: (ctx: ToolContext) => unknown, more: Partial<HandshakeClient>): Promise<string> => {
      const { content, isError } = await call(handler, clientOf(request, more));
      expect(isError).toBe(true);
      return content[0].text as string;
    };
    const form = (ctx: ToolContext): unknown => ctx.elicit('k', Name, ask);
    const url = (ctx: ToolContext): unknown => ctx.elicitUrl('k', 'https://example.com', ask);
    expect(await text(form, { capabilities: {} })).toBe(
      'work has to ask the client, and this client does not offer forms.',
    );
    expect(await text(form, { capabilities: { elicitation: { url: {} } } })).toMatch(/does not offer forms/);
    expect(await text(url, { capabilities: { elicitation: {} } })).toMatch(/does not offer addresses to open/);
    expect(await text(form, { version: '2025-03-26' })).toMatch(/MCP 2025-03-26 has no forms\. Use a newer client/);
    expect(await text(url, { version: '2025-06-18' })).toMatch(/MCP 2025-06-18 has no addresses to open/);
    class Many {
      @IsArray()
      @IsIn(['a'], { each: true })
      many!: string[];
    }
    const many = (ctx: ToolContext): unknown => ctx.elicit('k', Many, ask);
    expect(await text(many, { version: '2025-06-18' })).toMatch(/a client of MCP 2025-06-18 has no field for many/);
    expect(sent).toBe(0);
  });
});

describe('a question that waits', () => {
  const never = (): Promise<unknown> => new Promise(() => undefined);

  test('ends when the client takes too long, and the client is told', async () => {
    let options: ClientCallOptions | undefined;
    const client = clientOf((_method, _params, given) => {
      options = given;
      return never();
    });
    const result = await call((ctx) => ctx.elicit('who', Name, { ...ask, timeoutMs: 20 }), client);
    expect([result.isError, result._meta['cartouche/error_code']]).toEqual([true, 'timeout']);
    expect(result.content[0].text).toBe('work: the client did not answer elicitation/create within 20 ms.');
    expect(options).toMatchObject({ timeoutMs: 20, signal: { aborted: true } });
    const general = await call((ctx) => ctx.elicit('who', Name, ask), client, { askTimeoutMs: 20 });
    expect(general._meta['cartouche/error_code']).toBe('timeout');
  });

  test('does not use up the time of the handler', async () => {
    const slow = clientOf(async () => {
      await new Promise((resolve) => setTimeout(resolve, 120));
      return { action: 'decline' };
    });
    const result = await call((ctx) => ctx.elicit('who', Name, ask), slow, { tool: { timeoutMs: 40 } });
    expect(result.structuredContent).toEqual({ action: 'decline' });
    const late = await call(
      async (ctx) => {
        await ctx.elicit('who', Name, ask);
        await never();
      },
      slow,
      { tool: { timeoutMs: 40 } },
    );
    expect(late.content[0].text).toBe('work timed out after 40 ms.');
  });

  test('ends when the request is cancelled, or the client goes away', async () => {
    const aborter = new AbortController();
    let signal: AbortSignal | undefined;
    const client = clientOf((_method, _params, options) => {
      signal = options.signal;
      return never();
    });
    const layer = layerOf((_args, ctx) => ctx.elicit('who', Name, ask));
    const waiting = layer.callTool('work', {}, { context: { client }, signal: aborter.signal });
    await turn();
    aborter.abort();
    await expect(waiting).rejects.toThrow(CancelledError);
    expect(signal?.aborted).toBe(true);
    const gone = clientOf(() => Promise.reject(new CancelledError('The session ended before the client answered.')));
    expect((await call((ctx) => ctx.elicit('who', Name, ask), gone)).isError).toBe(true);
  });
});

describe('where nobody can be asked', () => {
  test('a call inside the process says so, and how it can be', async () => {
    const { content, isError } = await call((ctx) => ctx.elicit('who', Name, ask));
    expect([isError, content[0].text]).toEqual([
      true,
      expect.stringMatching(/^work has to ask the client, and there is none.*answeringClient/),
    ]);
  });

  test('functions can answer instead', async () => {
    const client = answeringClient({
      elicit: ({ message, schema }) => ({
        action: 'accept',
        content: { name: `${message}${Object.keys(schema['properties'] as object).length}` },
      }),
      elicitUrl: ({ url }) => ({ action: url.startsWith('https:') ? 'accept' : 'decline' }),
      sample: () => 'Hello',
      roots: [{ uri: 'file:///work' }],
    });
    const result = await call(
      async (ctx) => [
        await ctx.ask({
          form: { form: Name, ...ask },
          url: { url: new URL('https://example.com'), ...ask },
          model: { sample: { messages: 'Hi', maxTokens: 1 } },
          roots: { roots: true },
        }),
        (['form', 'url', 'sample', 'sample-tools', 'roots'] as const).map((kind) => ctx.canAsk(kind)),
      ],
      client,
    );
    expect(result.structuredContent.result).toEqual([
      {
        form: { action: 'accept', content: { name: 'Who?1' } },
        url: { action: 'accept' },
        model: {
          role: 'assistant',
          content: { type: 'text', text: 'Hello' },
          model: 'answering',
          stopReason: 'endTurn',
        },
        roots: [{ uri: 'file:///work' }],
      },
      [true, true, true, true, true],
    ]);
    const deaf = await call((ctx) => [ctx.canAsk('form'), ctx.canAsk('roots')], answeringClient({}));
    expect(deaf.structuredContent.result).toEqual([false, false]);
  });

  test('completions cannot ask', async () => {
    const { Registry } = await import('../../../src/registry/registry.js');
    const { McpLayer } = await import('../../../src/mcp-layer.js');
    let problem: unknown;
    const registry = new Registry();
    registry.prompt({ name: 'p', arguments: [{ name: 'a' }], completions: {
      a: async (_partial: string, ctx: ToolContext) => {
        problem = await ctx.elicit('who', Name, ask).catch((error: unknown) => error);
        return [];
      },
    } }, () => 'x'); // prettier-ignore
    const layer = new McpLayer({ name: 'x', version: '1', registry });
    const client = answeringClient({ elicit: () => ({ action: 'decline' }) });
    await layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, { context: { client } });
    expect((problem as Error).message).toBe('p#a: only tools, prompts and resources can ask the client.');
  });
});

describe('what cannot be asked at all', () => {
  const text = async (handler: (ctx: ToolContext) => unknown): Promise<string> => {
    const client = answeringClient({
      elicit: () => ({ action: 'decline' }),
      elicitUrl: () => ({ action: 'decline' }),
      sample: () => '',
    });
    return (await call(handler, client, { exposeErrors: true })).content[0].text as string;
  };

  test('a class that is no form names the property and the mend', async () => {
    class Tags {
      @IsString({ each: true })
      tags!: string[];
    }
    expect(await text((ctx) => ctx.elicit('k', Tags, ask))).toMatch(
      /Tags\.tags: a form has lists of given values only\. Say which/,
    );
  });

  test('an address that no browser should open, or that carries credentials', async () => {
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'nowhere']) {
      expect(await text((ctx) => ctx.elicitUrl('k', url, ask))).toMatch(/its url is not a web address/);
    }
    expect(await text((ctx) => ctx.elicitUrl('k', 'https://u:p@example.com', ask))).toMatch(/carries credentials/);
  });

  test('a question without a message, without a key, or for no tokens', async () => {
    expect(await text((ctx) => ctx.elicit('k', Name, {} as never))).toMatch(/no message/);
    expect(await text((ctx) => ctx.elicit('', Name, ask))).toMatch(/is not a valid key/);
    expect(await text((ctx) => ctx.sample('k', { messages: 'x', maxTokens: 0 }))).toMatch(/maxTokens is 0/);
  });
});
