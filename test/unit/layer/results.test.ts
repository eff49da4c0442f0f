import fc from 'fast-check';
import {
  AudioContent,
  BlobResourceContents,
  EmbeddedResource,
  ImageContent,
  PromptMessage,
  PromptResult,
  ResourceLink,
  TextContent,
  TextResourceContents,
  ToolResult,
} from 'cartouche';
import { Exclude, Expose } from 'class-transformer';
import { IsNumber, IsString } from 'class-validator';
import { layerOf } from '../../support/layers.js';

async function call(value: unknown, options: Record<string, unknown> = {}): Promise<any> {
  const layer = layerOf((registry) => void registry.tool({ name: 't', ...options }, () => value));
  const { _meta, ...wire } = (await layer.callTool('t')).toWire();
  return wire;
}

async function read(value: unknown): Promise<any[]> {
  const layer = layerOf((registry) => void registry.resource({ uri: 'a://b', mimeType: 'text/plain' }, () => value));
  return (await layer.readResource('a://b')).map((contents) => contents.toWire());
}

async function prompt(value: unknown, description?: string): Promise<any> {
  const layer = layerOf((registry) => void registry.prompt({ name: 'p', description }, () => value));
  return (await layer.getPrompt('p')).toWire();
}

async function complete(value: unknown): Promise<any> {
  const layer = layerOf((registry) => {
    registry.prompt({ name: 'p', arguments: [{ name: 'a' }], completions: { a: () => value } }, () => 'x');
  });
  return layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' });
}

const text = (value: string): unknown => ({ type: 'text', text: value });

describe('what a tool returns', () => {
  test('an object is structured content and compact JSON', async () => {
    expect(await call({ a: [1, { b: 'c' }] })).toEqual({
      content: [text('{"a":[1,{"b":"c"}]}')],
      structuredContent: { a: [1, { b: 'c' }] },
      isError: false,
    });
  });

  test('text is text as it is, and a result', async () => {
    expect(await call('hello "you"')).toEqual({
      content: [text('hello "you"')],
      structuredContent: { result: 'hello "you"' },
      isError: false,
    });
  });

  test.each<[unknown, unknown]>([
    [5, 5],
    [true, true],
    [null, null],
    [[], []],
    [
      [1, 2],
      [1, 2],
    ],
    [7n, 7],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Set(['a']), ['a']],
    [Number.NaN, null],
  ])('%p goes under result', async (value, result) => {
    expect(await call(value)).toEqual({
      content: [text(typeof result === 'string' ? result : JSON.stringify({ result }))],
      structuredContent: { result },
      isError: false,
    });
  });

  test('undefined is no content', async () => {
    expect(await call(undefined)).toEqual({ content: [], isError: false });
  });

  test('an object with an own type or content is a value, not a result', async () => {
    expect(await call({ type: 'text', text: 'x' })).toMatchObject({ structuredContent: { type: 'text', text: 'x' } });
    expect(await call({ content: [{ type: 'text', text: 'x' }], isError: true })).toMatchObject({
      structuredContent: { content: [{ type: 'text', text: 'x' }], isError: true },
      isError: false,
    });
  });

  test('content classes are content', async () => {
    expect(await call(new TextContent('x'))).toEqual({ content: [text('x')], isError: false });
    expect(await call([new TextContent('x'), new TextResourceContents('a://b', 'y')])).toEqual({
      content: [text('x'), { type: 'resource', resource: { uri: 'a://b', text: 'y' } }],
      isError: false,
    });
  });

  test('a result built block by block arrives so', async () => {
    const result = ToolResult.text('a')
      .image(Buffer.from('p'), 'image/png')
      .audio('data:audio/wav;base64,AAAA')
      .link('a://b', 'B', { title: 'T' })
      .embedded(new BlobResourceContents('a://c', Buffer.from('q')));
    expect(await call(result)).toEqual({
      content: [
        text('a'),
        { type: 'image', data: 'cA==', mimeType: 'image/png' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        { type: 'resource_link', uri: 'a://b', name: 'B', title: 'T' },
        { type: 'resource', resource: { uri: 'a://c', blob: 'cQ==' } },
      ],
      isError: false,
    });
  });

  test('builders leave the result that they start from as it is', () => {
    const first = ToolResult.text('a');
    const second = first.text('b').withMeta({ x: 1 });
    expect(first.content).toHaveLength(1);
    expect(first.meta).toBeUndefined();
    expect(second.toWire()).toEqual({ content: [text('a'), text('b')], isError: false, _meta: { x: 1 } });
  });

  test("a result's structured part and _meta are made JSON", async () => {
    const layer = layerOf((registry) => {
      registry.tool({ name: 't' }, () => new ToolResult({ structuredContent: { at: new Date(0) }, meta: { n: 1n } }));
    });
    expect((await layer.callTool('t')).toWire()).toEqual({
      content: [],
      structuredContent: { at: '1970-01-01T00:00:00.000Z' },
      isError: false,
      _meta: { n: 1, 'cartouche/duration_ms': expect.any(Number) },
    });
  });

  test('a result whose blocks are no content is an error that says which', async () => {
    const result = new ToolResult({ content: [new TextContent('a'), { type: 'text', text: 'b' } as never] });
    expect(await call(result)).toMatchObject({
      isError: true,
      content: [text('The result cannot be sent: content.1: is not content. Use TextContent and its sisters.')],
    });
  });

  test('an instance goes under the names that its class exposes, without what it excludes', async () => {
    class Account {
      @Expose({ name: 'account_id' })
      @IsString()
      accountId = 'a-1';

      @Exclude()
      @IsString()
      secret = 'hunter2';

      @IsNumber()
      balance = 5;
    }
    for (const [value, shown] of [
      [new Account(), { account_id: 'a-1', balance: 5 }],
      [{ list: [new Account()] }, { list: [{ account_id: 'a-1', balance: 5 }] }],
      [{ map: new Map([['x', new Account()]]) }, { map: { x: { account_id: 'a-1', balance: 5 } } }],
    ]) {
      expect((await call(value)).structuredContent).toEqual(shown);
    }
  });

  test('a cycle is an error result with the path', async () => {
    const node: Record<string, unknown> = {};
    node['children'] = [{ parent: node }];
    expect(await call(node)).toEqual({
      content: [text('The result cannot be sent: children.0.parent: refers back to what contains it.')],
      isError: true,
    });
  });

  test('an object goes under result where the declared output is no object', async () => {
    const output = { anyOf: [{ type: 'object' }, { type: 'string' }] };
    expect(await call({ a: 1 }, { output })).toMatchObject({ structuredContent: { result: { a: 1 } }, isError: false });
  });

  test('generators, of both kinds, are lists', async () => {
    function* rows(): Iterable<number> {
      yield 1;
      yield 2;
    }
    async function* later(): AsyncIterable<number> {
      yield 1;
      yield 2;
    }
    expect((await call(rows())).structuredContent).toEqual({ result: [1, 2] });
    expect((await call(later())).structuredContent).toEqual({ result: [1, 2] });
    expect((await call(Promise.resolve(later()))).structuredContent).toEqual({ result: [1, 2] });
  });

  test('whatever JSON value is returned, text and structured content say the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const wire = await call(value);
        const json = JSON.parse(JSON.stringify(value)) as unknown;
        const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
        expect(JSON.parse(JSON.stringify(wire.structuredContent))).toEqual(isObject ? json : { result: json });
        const [block] = wire.content;
        if (typeof value === 'string') expect(block.text).toBe(value);
        else expect(block.text).toBe(JSON.stringify(wire.structuredContent));
        expect(wire.content).toHaveLength(1);
      }),
    );
  });

  test('whatever at all is returned, there is an answer that JSON can say', async () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withBoxedValues: true,
      withNullPrototype: true,
      withObjectString: true,
    });
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        const wire = await call(value);
        expect(Array.isArray(wire.content)).toBe(true);
        expect(() => JSON.stringify(wire)).not.toThrow();
      }),
    );
  });
});

describe('the size of text', () => {
  const capped = async (value: unknown, maxOutputChars: number): Promise<any> => {
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, () => value), { maxOutputChars });
    return (await layer.callTool('t')).toWire();
  };

  test('what is over the limit is cut, marked with how much, and the structured value stays whole', async () => {
    const wire = await capped('x'.repeat(120), 100);
    expect(wire.content).toEqual([text(`${'x'.repeat(100)}\n… [cut: 20 of 120 characters]`)]);
    expect(wire.structuredContent).toEqual({ result: 'x'.repeat(120) });
  });

  test('what is at the limit is not', async () => {
    expect((await capped('x'.repeat(100), 100)).content).toEqual([text('x'.repeat(100))]);
  });

  test('a cut never halves a character', async () => {
    const wire = await capped('😀'.repeat(10), 5);
    expect(wire.content).toEqual([text('😀😀\n… [cut: 16 of 20 characters]')]);
  });

  test('every block has the limit for itself, and media have none', async () => {
    const result = ToolResult.text('abcdef').text('ab').image('A'.repeat(100), 'image/png');
    const wire = await capped(result, 4);
    expect(wire.content.map((block: any) => block.text ?? block.type)).toEqual([
      'abcd\n… [cut: 2 of 6 characters]',
      'ab',
      'image',
    ]);
  });
});

describe('what a resource returns', () => {
  test.each<[string, unknown, unknown[]]>([
    ['text', 'x', [{ uri: 'a://b', mimeType: 'text/plain', text: 'x' }]],
    ['empty text', '', [{ uri: 'a://b', mimeType: 'text/plain', text: '' }]],
    ['bytes', Buffer.from('x'), [{ uri: 'a://b', mimeType: 'text/plain', blob: 'eA==' }]],
    ['an array buffer', new Uint8Array([120]).buffer, [{ uri: 'a://b', mimeType: 'text/plain', blob: 'eA==' }]],
    ['a value', { a: 1n }, [{ uri: 'a://b', mimeType: 'text/plain', text: '{"a":1}' }]],
    ['null', null, [{ uri: 'a://b', mimeType: 'text/plain', text: 'null' }]],
    ['an empty list', [], [{ uri: 'a://b', mimeType: 'text/plain', text: '[]' }]],
    ['contents', new TextResourceContents('a://c', 'y'), [{ uri: 'a://c', text: 'y' }]],
    [
      'a list of contents',
      [new TextResourceContents('a://c', 'y', { mimeType: 'x/y' }), new BlobResourceContents('a://d', 'eA==')],
      [
        { uri: 'a://c', mimeType: 'x/y', text: 'y' },
        { uri: 'a://d', blob: 'eA==' },
      ],
    ],
  ])('%s', async (_name, value, expected) => {
    expect(await read(value)).toEqual(expected);
  });

  test('nothing means that it is not there', async () => {
    await expect(read(undefined)).rejects.toMatchObject({ code: -32602, data: { uri: 'a://b' } });
  });

  test('a cycle is an error with the path', async () => {
    const node: Record<string, unknown> = {};
    node['self'] = node;
    await expect(read(node)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('self: refers back'),
    });
  });
});

describe('what a prompt returns', () => {
  const hi = { role: 'user', content: text('hi') };
  test.each<[string, unknown, unknown]>([
    ['text is one user message', 'hi', { description: 'D', messages: [hi] }],
    ['a message', PromptMessage.user('hi'), { description: 'D', messages: [hi] }],
    [
      'a list',
      [PromptMessage.user('hi'), PromptMessage.assistant(new ImageContent('AA', 'image/png'))],
      {
        description: 'D',
        messages: [hi, { role: 'assistant', content: { type: 'image', data: 'AA', mimeType: 'image/png' } }],
      },
    ],
    [
      'a result',
      new PromptResult([PromptMessage.user('hi')], { description: 'mine' }),
      { description: 'mine', messages: [hi] },
    ],
  ])('%s', async (_name, value, expected) => {
    expect(await prompt(value, 'D')).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no messages', []],
    ['an empty result', new PromptResult([])],
    ['a number', 5],
    ['objects that look like messages', [{ role: 'user', content: { type: 'text', text: 'x' } }]],
  ])('%s is an error', async (_name, value) => {
    await expect(prompt(value)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('returned no messages'),
    });
  });
});

describe('what a completion returns', () => {
  const range = (n: number): string[] => Array.from({ length: n }, (_, i) => `v${i}`);
  test.each<[string, unknown, unknown]>([
    ['a list', ['a', 1, true], { values: ['a', '1', 'true'], total: 3, hasMore: false }],
    ['a set', new Set(['a']), { values: ['a'], total: 1, hasMore: false }],
    ['text', 'abc', { values: ['abc'], total: 1, hasMore: false }],
    ['nothing', undefined, { values: [], total: 0, hasMore: false }],
    ['exactly a hundred', range(100), { values: range(100), total: 100, hasMore: false }],
    ['more than a hundred', range(250), { values: range(100), total: 250, hasMore: true }],
  ])('%s', async (_name, value, expected) => {
    expect(await complete(value)).toEqual(expected);
  });

  test('endless values are the first hundred', async () => {
    function* endless(): Iterable<number> {
      for (let i = 0; ; i++) yield i;
    }
    expect(await complete(endless())).toMatchObject({ hasMore: true, values: { length: 100 } });
  });
});

describe('content of another loaded copy of the package', () => {
  test('is content here', async () => {
    const brand = Object.getOwnPropertySymbols(new TextContent('x'))[0] as symbol;
    const foreign = {
      [brand]: true,
      toWire: () => ({ type: 'text', text: 'from afar', annotations: { priority: 1 } }),
    };
    expect((await call(foreign)).content).toEqual([{ type: 'text', text: 'from afar', annotations: { priority: 1 } }]);
  });

  test.each([
    new AudioContent('AA', 'audio/wav', { meta: { a: 1 } }),
    new ImageContent('AA', 'image/png', { annotations: { audience: ['user'] } }),
    new ResourceLink('a://b', 'B', {
      title: 't',
      description: 'd',
      mimeType: 'x/y',
      size: 4,
      icons: [{ src: 'data:,' }],
      meta: { a: 1 },
      annotations: { priority: 0 },
    }),
    new EmbeddedResource(new TextResourceContents('a://b', '', { mimeType: 'x/y', meta: { b: 1 } }), {
      meta: { a: 1 },
    }),
    new EmbeddedResource(new BlobResourceContents('a://b', 'AA')),
  ])('$constructor.name survives the crossing', async (content) => {
    const brand = Object.getOwnPropertySymbols(content)[0] as symbol;
    const foreign = { [brand]: true, toWire: () => content.toWire() };
    expect((await call(foreign)).content).toEqual([content.toWire()]);
  });
});
