import fc from 'fast-check';
import type { Wire } from '../../../src/core/content.js';
import { McpLayer } from '../../../src/mcp-layer.js';
import { LIST_SHAPES, Lists } from '../../../src/native/lists.js';
import { NativeMcpServer } from '../../../src/native/native-server.js';
import { preparedJson } from '../../../src/native/prepared.js';
import { revisionOf } from '../../../src/native/revisions.js';
import { begin, type Conversation } from '../../support/conversation.js';
import { QUIET } from '../../support/protocol-layer.js';
import { cursors } from '../../support/pages.js';

const METHODS = [
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
] as const;

/** A layer with `count` of everything. */
function layerOf(count: number): McpLayer {
  const layer = new McpLayer({ name: 'lists', version: '1', logger: QUIET });
  for (let i = 0; i < count; i++) {
    layer.registry.tool({ name: `tool_${i}` }, () => i);
    layer.registry.resource({ uri: `docs://${i}` }, () => i);
    layer.registry.resourceTemplate({ uriTemplate: `docs://${i}/{x}` }, () => i);
    layer.registry.prompt({ name: `prompt_${i}` }, () => String(i));
  }
  return layer;
}

async function walk(client: Conversation, method: string, key: string, meta = {}): Promise<any[]> {
  const pages = [];
  const next = cursors();
  for (let cursor: string | undefined, i = 0; i < 20; i++) {
    const page = await client.result(method, { ...(cursor === undefined ? {} : { cursor }), ...meta });
    pages.push(page);
    cursor = next(page.nextCursor);
    if (!('nextCursor' in page)) return pages;
    expect(typeof cursor).toBe('string');
  }
  throw new Error(`${method} of ${key} never ends`);
}

test.each(METHODS)('%s is walked in pages, each entry once, the last without a cursor', async (method, key) => {
  const client = await begin(new NativeMcpServer(layerOf(25), { pageSize: 10 }));
  const pages = await walk(client, method, key);
  expect(pages.map((page) => page[key].length)).toEqual([10, 10, 5]);
  const entries = pages.flatMap((page) => page[key]);
  expect(new Set(entries.map((entry: Wire) => JSON.stringify(entry))).size).toBe(25);
});

test.each(METHODS)('%s refuses a cursor that is none, also when there is one page only', async (method) => {
  const client = await begin(layerOf(1));
  const foreign = Buffer.from('other:tool_0').toString('base64url');
  const padded = `${Buffer.from('tools:tool_0').toString('base64url')}=`;
  for (const cursor of ['bogus', '', 5, null, {}, foreign, padded, Buffer.from('tools:nope').toString('base64url')]) {
    expect(await client.error(method, { cursor })).toMatchObject({ code: -32602 });
  }
});

test('a full last page has no cursor', async () => {
  const client = await begin(new NativeMcpServer(layerOf(20), { pageSize: 10 }));
  expect((await walk(client, 'tools/list', 'tools')).length).toBe(2);
});

test('a cursor survives additions and works on another instance; one whose place has gone is refused', async () => {
  const layer = layerOf(4);
  const [one, two] = [new NativeMcpServer(layer, { pageSize: 2 }), new NativeMcpServer(layerOf(4), { pageSize: 3 })];
  const client = await begin(one);
  const { nextCursor: cursor } = await client.result('tools/list');
  layer.registry.tool({ name: 'later' }, () => 1);
  const names = ({ tools }: any) => tools.map(({ name }: any) => name);
  expect(names(await client.result('tools/list', { cursor }))).toEqual(['tool_2', 'tool_3']);
  expect(names(await (await begin(two)).result('tools/list', { cursor }))).toEqual(['tool_2', 'tool_3']);
  layer.registry.remove('tool', 'tool_1');
  expect(await client.error('tools/list', { cursor })).toMatchObject({
    code: -32602,
    message: expect.stringContaining('Expired'),
  });
});

test('the same list is the same object, so that its JSON is made once', async () => {
  const layer = layerOf(3);
  const server = new NativeMcpServer(layer);
  const [one, two] = [await begin(server), await begin(server)];
  const first = await one.result('tools/list');
  expect(await two.result('tools/list')).toBe(first);
  expect(preparedJson(first)).toBe(JSON.stringify(first));
  expect(await (await begin(server, '2025-03-26')).result('tools/list')).not.toBe(first);
  layer.registry.tool({ name: 'later' }, () => 1);
  expect(await one.result('tools/list')).not.toBe(first);
});

test('any list in pages of any size gives every entry once, in order', () => {
  const revision = revisionOf('2025-11-25');
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      (names, size) => {
        const wires = names.map((name) => ({ name }));
        const lists = new Lists(size, (_revision, _list, page) => page);
        const seen: unknown[] = [];
        const next = cursors();
        let cursor: unknown;
        do {
          const page = lists.page(LIST_SHAPES.tools, wires, cursor, revision);
          seen.push(...(page['tools'] as Wire[]).map(({ name }) => name));
          cursor = next(page['nextCursor']);
        } while (cursor !== undefined);
        expect(seen).toEqual(names);
      },
    ),
    { seed: 1 },
  );
});
