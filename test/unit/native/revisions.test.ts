import { begin } from '../../support/conversation.js';
import { protocolLayer } from '../../support/protocol-layer.js';
import { ALL_REVISIONS, revisionOf } from '../../../src/native/revisions.js';

const icons = [{ src: 'data:image/png;base64,aGk=' }];
const tool = {
  name: 'a',
  description: '',
  inputSchema: { type: 'object', 'x-mcp-header': 'A' },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  title: 'A',
  icons,
  _meta: { x: 1 },
};

test.each([
  ['2024-11-05', ['name', 'description', 'inputSchema']],
  ['2025-03-26', ['name', 'description', 'inputSchema', 'annotations']],
  ['2025-06-18', ['name', 'description', 'inputSchema', 'outputSchema', 'annotations', 'title', '_meta']],
  ['2025-11-25', Object.keys(tool)],
  ['2026-07-28', Object.keys(tool)],
])('a tool in %s has %j', (version, keys) => {
  const before = JSON.stringify(tool);
  expect(Object.keys(revisionOf(version).definition('tools', tool))).toEqual(keys);
  expect(JSON.stringify(tool)).toBe(before);
});

test('what a revision can say as it is, is not copied', () => {
  expect(revisionOf('2025-11-25').definition('tools', tool)).toBe(tool);
  const result = { content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }], structuredContent: { a: 1 } };
  expect(revisionOf('2025-11-25').toolResult(result)).toBe(result);
});

test('an output schema that is no object belongs to the modern era', () => {
  const list = { ...tool, outputSchema: { type: 'array' } };
  for (const { version, era, definition } of ALL_REVISIONS) {
    expect([version, 'outputSchema' in definition('tools', list)]).toEqual([version, era === 'modern']);
  }
});

test('titles of prompt arguments and dates of annotations came with 2025-06-18', () => {
  const prompt = { name: 'p', arguments: [{ name: 'a', title: 'A', required: true }] };
  const resource = { uri: 'a:b', name: 'r', annotations: { priority: 1, lastModified: '2026-01-01' }, size: 3 };
  const old = revisionOf('2025-03-26');
  expect(old.definition('prompts', prompt)).toEqual({ name: 'p', arguments: [{ name: 'a', required: true }] });
  expect(old.definition('resources', resource)).toEqual({
    uri: 'a:b',
    name: 'r',
    annotations: { priority: 1 },
    size: 3,
  });
  expect(revisionOf('2025-06-18').definition('resources', resource)).toEqual(resource);
});

test('a server describes itself as far as the revision can', () => {
  const info = { name: 'n', version: '1', title: 'T', description: 'd', websiteUrl: 'https://example.com', icons };
  expect(revisionOf('2025-03-26').implementation(info)).toEqual({ name: 'n', version: '1' });
  expect(revisionOf('2025-06-18').implementation(info)).toEqual({ name: 'n', version: '1', title: 'T' });
  expect(revisionOf('2025-11-25').implementation(info)).toEqual(info);
});

test('a progress message came with 2025-03-26', () => {
  expect(revisionOf('2024-11-05').progress({ progress: 1, message: 'm' })).toEqual({ progress: 1 });
});

describe('content', () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  const link = { type: 'resource_link', uri: 'docs://guide', name: 'guide', title: 'Guide', description: 'how to' };

  test('becomes text where a client would not know the kind of block', async () => {
    const layer = protocolLayer();
    const content = async (version: string) =>
      (await (await begin(layer, version)).result('tools/call', { name: 'media' })).content;
    const audio = { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' };
    const text = { type: 'text', text: 'Guide: docs://guide (how to)' };
    expect(await content('2025-11-25')).toEqual([image, audio, link]);
    expect(await content('2025-03-26')).toEqual([image, audio, text]);
    expect(await content('2024-11-05')).toEqual([
      image,
      { type: 'text', text: "[audio/wav, about 3 bytes: this client's protocol version carries no sound]" },
      text,
    ]);
    const client = await begin(layer, '2024-11-05');
    const { messages } = await client.result('prompts/get', { name: 'greet', arguments: { who: 'you' } });
    expect(messages[1]).toMatchObject({ role: 'assistant', content: { type: 'text' } });
  });

  test('keeps its hints, without what came later', () => {
    const annotations = { audience: ['user'], lastModified: '2026-01-01' };
    const resource = { uri: 'a:b', text: 't', _meta: { x: 1 } };
    const result = {
      content: [
        { ...link, annotations, icons },
        { type: 'resource', resource, annotations, _meta: { y: 1 } },
      ],
    };
    expect(revisionOf('2025-03-26').toolResult(result)['content']).toEqual([
      { type: 'text', text: 'Guide: docs://guide (how to)', annotations: { audience: ['user'] } },
      { type: 'resource', resource: { uri: 'a:b', text: 't' }, annotations: { audience: ['user'] } },
    ]);
    expect(revisionOf('2025-06-18').toolResult(result)['content']).toEqual([
      { ...link, annotations },
      result.content[1],
    ]);
  });

  test('structured content is dropped where it cannot be said, and said as text where nothing else is left', async () => {
    const layer = protocolLayer();
    const call = async (version: string, name: string) => (await begin(layer, version)).result('tools/call', { name });
    expect((await call('2025-06-18', 'media')).structuredContent).toEqual({ n: 1 });
    expect(await call('2025-03-26', 'media')).not.toHaveProperty('structuredContent');
    const list = await call('2025-11-25', 'list');
    expect(list).toMatchObject({ isError: false, content: [{ type: 'text', text: '["a","b"]' }] });
    expect(list).not.toHaveProperty('structuredContent');
  });
});

test('a revision that is not served is refused', () => {
  expect(() => revisionOf('2023-01-01')).toThrow(RangeError);
});
