import { Server } from '@modelcontextprotocol/server';
import { ConfigurationError, McpLayer, type MountOptions, Registry } from 'cartouche';
import { MemoryLogger } from '../../support/mount/layer.js';

function layer(): { layer: McpLayer; logger: MemoryLogger } {
  const registry = new Registry();
  const logger = new MemoryLogger();
  registry.tool({ name: 'find', capabilities: ['read_state'] }, () => 'found');
  return { layer: new McpLayer({ name: 'x', version: '1', registry, logger }), logger };
}

const host = (): Server => new Server({ name: 'host', version: '1' }, { capabilities: {} });

describe('the options of registerInto', () => {
  test.each<[string, MountOptions, RegExp]>([
    ['a prefix with a colon', { prefix: 'bad:' }, /prefix 'bad:' cannot stand before a name/],
    ['a prefix of 65 characters', { prefix: 'x'.repeat(65) }, /cannot stand before a name/],
    ['something that cannot be included', { include: ['tasks'] as never }, /there is no 'tasks' to mount/],
    ['a resolver that is no function', { principalResolver: 'me' as never }, /principalResolver must be a function/],
    ['a bus that is none', { bus: {} as never }, /bus has no publish/],
    ['a transport that is none', { transport: 'pigeon' as never }, /transport 'pigeon' is not known/],
    ['an unknown option', { prefixed: 'x' } as never, /no option 'prefixed'/],
  ])('refuse %s, at once', (_what, options, message) => {
    const { layer: own } = layer();
    expect(() => own.registerInto(host(), options)).toThrow(ConfigurationError);
    expect(() => own.registerInto(host(), options)).toThrow(message);
  });

  test('are all named in one error', () => {
    const { layer: own } = layer();
    expect(() => own.registerInto(host(), { prefix: ':', include: ['x'] as never })).toThrow(/2 findings/);
  });

  test('take a prefix of 64 characters, with which only prefixed names resolve', async () => {
    const { layer: own } = layer();
    const prefix = 'a'.repeat(64);
    own.registerInto(host(), { prefix });
    await expect(own.callTool('find')).rejects.toThrow(/Unknown tool: find/);
    await expect(own.callTool(`${prefix}find`)).resolves.toMatchObject({ isError: false });
  });

  test('warn when a second prefix renames a layer everywhere', () => {
    const { layer: own, logger } = layer();
    own.registerInto(host(), { prefix: 'one_' });
    expect(logger.lines).toEqual([]);
    own.registerInto(host(), { prefix: 'two_' });
    expect(logger.lines).toEqual([expect.stringMatching(/with the prefix 'one_' already.*one layer per prefix/)]);
    expect(own.prefix).toBe('two_');
  });

  test('do not matter when a layer is mounted in one server twice, which warns', () => {
    const { layer: own, logger } = layer();
    const server = host();
    own.registerInto(server);
    own.registerInto(server);
    expect(logger.lines).toEqual([expect.stringMatching(/mounted in this server already/)]);
  });
});
