import {
  AudioContent,
  BlobResourceContents,
  type Content,
  EmbeddedResource,
  ImageContent,
  isContent,
  isResourceContents,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from '../../../src/core/content.js';
import { adoptContent, adoptContents, toolResultFromWire } from '../../../src/core/from-wire.js';
import { isPromptMessage, isPromptResult, PromptMessage, PromptResult } from '../../../src/core/prompt-result.js';
import { isToolResult, ToolResult } from '../../../src/core/tool-result.js';

const meta = { a: 1 };
const annotations = { priority: 1 };
const both = { annotations, meta };
const icons = [{ src: 'data:,' }];
const bytes = new Uint8Array([0, 104, 105, 0]).subarray(1, 3);

/** Every class of content, bare and with all that it takes, beside what it is on the wire. */
const blocks: readonly (readonly [name: string, block: Content, wire: object])[] = [
  ['text', new TextContent('a'), { type: 'text', text: 'a' }],
  ['text with options', new TextContent('', both), { type: 'text', text: '', annotations, _meta: meta }],
  ['text with empty annotations', new TextContent('a', { annotations: {} }), { type: 'text', text: 'a' }],
  ['a picture', new ImageContent(bytes, 'image/png'), { type: 'image', data: 'aGk=', mimeType: 'image/png' }],
  ['a picture as base64', new ImageContent('aGk=', 'image/png', both), { type: 'image', data: 'aGk=', mimeType: 'image/png', annotations, _meta: meta }], // prettier-ignore
  ['a picture as a URL', new ImageContent('data:image/gif;base64,aGk='), { type: 'image', data: 'aGk=', mimeType: 'image/gif' }], // prettier-ignore
  ['a URL with a parameter', new ImageContent('DATA:image/gif;a=b;BASE64,aGk='), { type: 'image', data: 'aGk=', mimeType: 'image/gif' }], // prettier-ignore
  ['a URL of another type', new ImageContent('data:image/gif;base64,aGk=', 'image/png'), { type: 'image', data: 'aGk=', mimeType: 'image/png' }], // prettier-ignore
  ['sound', new AudioContent(bytes, 'audio/wav', both), { type: 'audio', data: 'aGk=', mimeType: 'audio/wav', annotations, _meta: meta }], // prettier-ignore
  ['a link', new ResourceLink('a://b', 'b'), { type: 'resource_link', uri: 'a://b', name: 'b' }],
  [
    'a link with options',
    new ResourceLink('a://b', 'b', { title: 't', description: 'd', mimeType: 'text/plain', size: 0, icons, ...both }),
    { type: 'resource_link', uri: 'a://b', name: 'b', title: 't', description: 'd', mimeType: 'text/plain', size: 0, icons, annotations, _meta: meta }, // prettier-ignore
  ],
  [
    'a link with empty options',
    new ResourceLink('a://b', 'b', { title: '', description: '', mimeType: '', icons: [] }),
    { type: 'resource_link', uri: 'a://b', name: 'b' },
  ],
  [
    'text of a resource',
    new EmbeddedResource(new TextResourceContents('a://b', ''), both),
    { type: 'resource', resource: { uri: 'a://b', text: '' }, annotations, _meta: meta },
  ],
  [
    'bytes of a resource',
    new EmbeddedResource(new BlobResourceContents('a://b', bytes.slice().buffer, { mimeType: 'a/b', meta })),
    { type: 'resource', resource: { uri: 'a://b', mimeType: 'a/b', blob: 'aGk=', _meta: meta } },
  ],
];

describe('a block of content', () => {
  test.each(blocks)('goes over the wire, and comes back: %s', (_name, block, wire) => {
    expect(block.toWire()).toEqual(wire);
    const [back] = toolResultFromWire(new ToolResult({ content: [block] }).toWire()).content;
    expect(back).toBeInstanceOf(block.constructor);
    expect(back?.toWire()).toEqual(wire);
  });

  test.each(blocks)('stays itself, and that of another copy becomes ours: %s', (_name, block, wire) => {
    expect(adoptContent(block)).toBe(block);
    const foreign = { toWire: () => block.toWire() } as Content;
    expect(adoptContent(foreign)).toBeInstanceOf(block.constructor);
    expect(adoptContent(foreign).toWire()).toEqual(wire);
  });

  test('that holds contents of another copy becomes ours as a whole', () => {
    const ours = new TextResourceContents('a://b', 'x');
    expect(adoptContents(ours)).toBe(ours);
    const foreign = { toWire: () => ours.toWire() } as TextResourceContents;
    expect(adoptContents(foreign)).toBeInstanceOf(TextResourceContents);
    const block = new EmbeddedResource(foreign);
    expect((adoptContent(block) as EmbeddedResource).resource).toBeInstanceOf(TextResourceContents);
  });

  test('of no known type cannot be read', () => {
    expect(() => toolResultFromWire({ content: [{ type: 'film' }] })).toThrow("No content block has the type 'film'.");
  });

  test.each([
    ['ImageContent', () => new ImageContent('aGk=')],
    ['ImageContent', () => new ImageContent('data:;base64,aGk=')],
    ['AudioContent', () => new AudioContent(bytes)],
  ])('%s without a media type is refused', (site, make) => {
    expect(make).toThrow(`${site}: no media type. Pass one, for example 'image/png'. [CT908]`);
  });
});

test('what is ours is told by its brand alone', () => {
  const made: Record<string, [is: (value: unknown) => boolean, value: unknown]> = {
    content: [isContent, new TextContent('a')],
    contents: [isResourceContents, new TextResourceContents('a://b', 'x')],
    result: [isToolResult, new ToolResult()],
    message: [isPromptMessage, PromptMessage.user('a')],
    prompt: [isPromptResult, new PromptResult([])],
  };
  for (const [name, [is]] of Object.entries(made)) {
    const taken = Object.entries(made).filter(([, [, value]]) => is(value));
    expect(taken.map(([other]) => other)).toEqual([name]);
    expect([null, undefined, 'a', {}, () => undefined].map(is)).toEqual([false, false, false, false, false]);
  }
});

describe('a tool result', () => {
  test('is written block by block, and no builder changes what it is called on', () => {
    const first = ToolResult.text('a', both);
    const link = ['a://b', 'b', { title: 't' }] as const;
    const embedded = new TextResourceContents('a://c', 'c');
    const all = first.image(bytes, 'image/png', both).audio(bytes, 'audio/wav', both).link(...link).embedded(embedded, both); // prettier-ignore
    expect(first.content).toHaveLength(1);
    const alone = [
      ToolResult.text('a', both),
      ToolResult.image(bytes, 'image/png', both),
      ToolResult.audio(bytes, 'audio/wav', both),
      ToolResult.link(...link),
      ToolResult.embedded(embedded, both),
    ];
    expect(all.toWire()).toEqual({ content: alone.flatMap(({ content }) => content.map((c) => c.toWire())), isError: false }); // prettier-ignore
    expect(alone.map(({ content }) => content[0]?.toWire())).toEqual([
      expect.objectContaining({ text: 'a', _meta: meta }),
      expect.objectContaining({ type: 'image', _meta: meta }),
      expect.objectContaining({ type: 'audio', _meta: meta }),
      expect.objectContaining({ type: 'resource_link', title: 't' }),
      expect.objectContaining({ type: 'resource', _meta: meta }),
    ]);
  });

  test.each<[string, ToolResult, object]>([
    ['nothing', new ToolResult(), { content: [], isError: false }],
    ['an error', ToolResult.error('no'), { content: [{ type: 'text', text: 'no' }], isError: true }],
    ['an error with _meta', ToolResult.error('no', meta), { content: [{ type: 'text', text: 'no' }], isError: true, _meta: meta }], // prettier-ignore
    ['an object', ToolResult.structured({ a: 1 }), { content: [], structuredContent: { a: 1 }, isError: false }],
    ['null', new ToolResult({ structuredContent: null }), { content: [], structuredContent: null, isError: false }],
    ['more _meta', new ToolResult({ meta }).withMeta({ b: 2 }), { content: [], isError: false, _meta: { a: 1, b: 2 } }],
    ['the first _meta', ToolResult.error('no').withMeta(meta), { content: [{ type: 'text', text: 'no' }], isError: true, _meta: meta }], // prettier-ignore
    ['other parts', ToolResult.error('no', meta).with({ content: [], structuredContent: 1 }), { content: [], structuredContent: 1, isError: true, _meta: meta }], // prettier-ignore
  ])('of %s goes over the wire, and comes back', (_name, result, wire) => {
    expect(result.toWire()).toEqual(wire);
    expect(toolResultFromWire(result.toWire())).toEqual(result);
  });
});

test('a prompt is messages, whose text may be bare, and what is said about them where it is said', () => {
  const messages = [PromptMessage.user('a'), PromptMessage.assistant(new TextContent('b', both))];
  const wire = [
    { role: 'user', content: { type: 'text', text: 'a' } },
    { role: 'assistant', content: { type: 'text', text: 'b', annotations, _meta: meta } },
  ];
  expect(new PromptResult(messages).toWire()).toEqual({ messages: wire });
  expect(Object.keys(new PromptResult(messages).toWire())).toEqual(['messages']);
  expect(new PromptResult(messages, { description: 'd', meta }).toWire()).toEqual({ description: 'd', messages: wire, _meta: meta }); // prettier-ignore
});
