import { retry, TextContent, ToolResult } from 'cartouche';
import { fetchTarget, handshake } from '../../support/http-target.js';
import { layerOf, MemoryLogger } from '../../support/layers.js';

const throwing = (): never => {
  throw Object.assign(new Error('secret'), { code: 'ECONNRESET' });
};

describe('what an author’s code throws while a result becomes JSON', () => {
  it.each<[string, string, () => unknown]>([
    ['a getter', 'a.b', () => ({ a: { get b() { return throwing(); } } })], // prettier-ignore
    ['a getter at the top', 'b', () => ({ x: 1, get b() { return throwing(); } })], // prettier-ignore
    ['toJSON', 'list.1', () => ({ list: [1, { toJSON: throwing }] })],
    ['toJSON at the top', 'the value', () => ({ toJSON: throwing })],
    ['a getter behind a part that is whole', 'z', () => ({ a: { b: 1 }, get z() { return throwing(); } })], // prettier-ignore
    ['a proxy', 'p.0', () => ({ p: new Proxy([1], { get: (_target, key) => (key === 'length' ? 1 : key === '0' ? throwing() : undefined) }) })], // prettier-ignore
    ['a proxy whose keys throw', 'p', () => ({ p: new Proxy({}, { ownKeys: throwing }) })],
    ['a proxy at the top', 'the value', () => new Proxy({}, { get: throwing, has: throwing })],
    ['an iterator', 'it', () => ({ it: new (class { *[Symbol.iterator]() { throwing(); } })() })], // prettier-ignore
  ])('is a result that cannot be sent, with its path, and is never retried: %s', async (_name, path, make) => {
    const logger = new MemoryLogger();
    let runs = 0;
    const layer = layerOf(
      (registry) =>
        registry.tool({ name: 't', capabilities: [] }, () => {
          runs++;
          return make();
        }),
      { logger, middleware: [retry({ on: ['ECONNRESET', Error, () => true], initialDelayMs: 1 })] },
    );
    const result = await layer.callTool('t');
    expect(result.isError).toBe(true);
    expect((result.content[0] as TextContent).text).toBe(`The result cannot be sent: ${path}: threw when it was read.`);
    expect(runs).toBe(1);
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(logger.text).toContain('secret');
  });
});

describe('an answer that is too long', () => {
  const MAX = 1000;
  const layer = layerOf(
    (registry) => {
      registry.tool({ name: 'fits' }, () => ({ t: 'x'.repeat(900) }));
      registry.tool({ name: 'structured' }, () => ({ t: 'x'.repeat(1001) }));
      registry.tool({ name: 'many' }, () => Array.from({ length: 600 }, (_, i) => i % 10));
      registry.tool({ name: 'bytes' }, () => ({ b: new Uint8Array(800) }));
      registry.tool({ name: 'content' }, () => new ToolResult({ content: [new TextContent('x'.repeat(600)), new TextContent('y'.repeat(600))] })); // prettier-ignore
      registry.resource({ uri: 'x://text', name: 'text' }, () => 'x'.repeat(1001));
      registry.resource({ uri: 'x://bytes', name: 'bytes' }, () => new Uint8Array(800));
      registry.resource({ uri: 'x://fits', name: 'fits' }, () => 'x'.repeat(1000));
      registry.prompt({ name: 'p' }, () => 'x'.repeat(1001));
    },
    { maxResultChars: MAX },
  );

  it('is an error in words, whatever it is made of', async () => {
    expect((await layer.callTool('fits')).isError).toBe(false);
    for (const name of ['structured', 'many', 'bytes']) {
      const result = await layer.callTool(name);
      expect([name, result.isError, (result.content[0] as TextContent).text]).toEqual([name, true, 'The result cannot be sent: the value: is longer than 1000 characters.']); // prettier-ignore
    }
    const content = await layer.callTool('content');
    expect((content.content[0] as TextContent).text).toBe('The result cannot be sent: it has 1200 characters, and maxResultChars allows 1000. Return less, in pages or by a link.'); // prettier-ignore
    await expect(layer.readResource('x://fits')).resolves.toHaveLength(1);
    await expect(layer.readResource('x://text')).rejects.toThrow('it has 1001 characters');
    await expect(layer.readResource('x://bytes')).rejects.toThrow('it has 1068 characters');
    await expect(layer.getPrompt('p')).rejects.toThrow('it has 1001 characters');
  });

  it('is refused before it is made: half a gigabyte costs next to nothing', async () => {
    const half = 'x'.repeat(2 ** 28);
    const big = layerOf((registry) => registry.tool({ name: 'big' }, () => ({ a: half, b: half, c: [half, half] })));
    const begun = performance.now();
    expect((await big.callTool('big')).isError).toBe(true);
    expect(performance.now() - begun).toBeLessThan(500);
  });

  it.each([true, false])(
    'is counted over a batch: who comes last is told to ask alone (sessions: %s)',
    async (sessions) => {
      const wide = layerOf((registry) => registry.tool({ name: 't' }, () => ({ t: 'x'.repeat(300) })), {
        maxResultChars: 1000,
      });
      const target = await fetchTarget(wide, { sessions });
      const headers = sessions
        ? (await handshake(target, '2025-03-26')).headers
        : { 'mcp-protocol-version': '2025-03-26' };
      const body = [1, 2, 3, 4, 5].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 't' } }));
      const { json } = await target.send({ headers, body });
      const told =
        'The result cannot be sent: the answers of a batch may have 1000 characters together. Ask for this alone.';
      expect(json.map(({ error }: { error?: { message: string } }) => error?.message)).toEqual([undefined, undefined, told, told, told]); // prettier-ignore
      await target.close();
    },
  );
});
