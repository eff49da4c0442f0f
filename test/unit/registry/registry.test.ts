import { McpLayer, Registry } from 'cartouche';
import { ConfigurationError } from '../../../src/core/errors.js';
import type { AnySpec, RegistryChange } from '../../../src/registry/registry.js';
import { MemoryLogger } from '../../support/layers.js';

const ids = (registry: Registry): string[] => [...registry].map(({ kind, id }) => `${kind} ${id}`);
const filled = (...names: string[]): Registry => {
  const registry = new Registry();
  for (const name of names) registry.tool({ name }, () => name);
  return registry;
};
const serve = (registry: Registry, options: object = {}): McpLayer =>
  new McpLayer({ name: 'x', version: '1', logger: new MemoryLogger(), registry, ...options });
const textOf = async (layer: McpLayer, uri: string): Promise<unknown> =>
  (await layer.readResource(uri)).map((contents) => contents.toWire()['text'])[0];

describe('templates', () => {
  const add = (registry: Registry, uriTemplate: string, more: object = {}): AnySpec =>
    registry.resourceTemplate({ uriTemplate, mimeType: 'text/plain', ...more }, () => uriTemplate);

  test('that come and go after the first read are found, and no longer', () => {
    const registry = new Registry();
    add(registry, 'x://{a}');
    const found = (uri: string): unknown => registry.findTemplate(uri)?.spec.uriTemplate;
    expect([found('x://1'), found('y://1')]).toEqual(['x://{a}', undefined]);
    add(registry, 'y://{a}');
    add(registry, 'x://long/{a}');
    expect([found('y://1'), found('x://long/1')]).toEqual(['y://{a}', 'x://long/{a}']);
    registry.remove('template', 'y://{a}');
    expect(found('y://1')).toBeUndefined();
    const replaced = add(registry, 'x://{a}', { replace: true });
    expect(registry.findTemplate('x://1')?.spec).toBe(replaced);
  });

  test('the same through a layer', async () => {
    const registry = new Registry();
    add(registry, 'x://{a}');
    const layer = serve(registry);
    expect(await textOf(layer, 'x://1')).toBe('x://{a}');
    add(registry, 'x://long/{a}');
    add(registry, 'y://{a}');
    expect([await textOf(layer, 'x://long/1'), await textOf(layer, 'y://1')]).toEqual(['x://long/{a}', 'y://{a}']);
    registry.remove('template', 'y://{a}');
    await expect(layer.readResource('y://1')).rejects.toThrow('Resource not found');
  });
});

describe('merging', () => {
  test('with a clash adds nothing, wherever the clash stands, and names every one', () => {
    for (const others of [
      ['new', 'a', 'b'],
      ['a', 'new', 'b'],
      ['a', 'b', 'new'],
    ]) {
      const registry = filled('a', 'b');
      const merge = (): unknown => registry.merge(filled(...others));
      expect(merge).toThrow(ConfigurationError);
      expect(merge).toThrow(/tool 'a': there is one already\. Rename one.*tool 'b'/s);
      expect(ids(registry)).toEqual(['tool a', 'tool b']);
    }
  });

  test('with what a layer cannot serve adds nothing either', () => {
    const registry = filled('a');
    const long = 'x'.repeat(128);
    const layer = serve(registry, { prefix: 'my_' });
    const changes: RegistryChange[] = [];
    registry.onChange((change) => changes.push(change));
    expect(() => registry.merge(filled('fits', long))).toThrow(ConfigurationError);
    expect(ids(registry)).toEqual(['tool a']);
    expect(changes).toEqual([]);
    expect(layer.listTools().map(({ name }) => name)).toEqual(['a']);
  });

  test('that replaces takes the other’s, and leaves the rest', () => {
    const registry = filled('a', 'b');
    const other = filled('b', 'c');
    registry.merge(other, { replace: true });
    expect(ids(registry)).toEqual(['tool a', 'tool b', 'tool c']);
    expect(registry.tools.get('b')).toBe(other.tools.get('b'));
  });
});

describe('a registry', () => {
  test('keeps kinds apart, counts and iterates all, and finds each by its own', () => {
    const registry = filled('same');
    registry.prompt({ name: 'same' }, () => '');
    registry.resource({ uri: 'r://same' }, () => '');
    registry.resourceTemplate({ uriTemplate: 'r://{same}' }, () => '');
    expect(registry.size).toBe(4);
    expect(ids(registry).sort()).toEqual(['prompt same', 'resource r://same', 'template r://{same}', 'tool same']);
    expect(['tool', 'prompt', 'resource', 'template'].map((kind) => registry.of(kind as 'tool').size)).toEqual([1, 1, 1, 1]); // prettier-ignore
    expect([registry.remove('tool', 'none'), registry.remove('tool', 'same'), registry.remove('tool', 'same')]).toEqual(
      [false, true, false],
    );
    expect(registry.prompts.has('same')).toBe(true);
    expect(registry.size).toBe(3);
  });

  test('refuses a name that is taken, and replaces where that is said', () => {
    const registry = filled('a');
    expect(() => registry.tool({ name: 'a' }, () => 1)).toThrow(
      "tool 'a': there is one already. Give it another name, or pass { replace: true }. [CT502]",
    );
    const spec = registry.tool({ name: 'a', title: 'New', replace: true }, () => 1);
    expect([registry.size, registry.tools.get('a')]).toEqual([1, spec]);
    expect(() => registry.add(spec)).toThrow('there is one already');
    expect(registry.add(spec, { replace: true }).size).toBe(1);
  });

  test('tells of each change what came and what went, until nobody listens', () => {
    const registry = new Registry();
    const told: unknown[] = [];
    registry.onChange(() => {
      throw new Error('a listener of bad manners');
    });
    const stop = registry.onChange(({ added, list, removed }) => told.push([list, added?.id, removed?.id]));
    registry.tool({ name: 'a' }, () => 1);
    registry.tool({ name: 'a', replace: true }, () => 2);
    registry.remove('tool', 'a');
    registry.prompt({ name: 'p' }, () => '');
    registry.resource({ uri: 'r://a' }, () => '');
    registry.resourceTemplate({ uriTemplate: 'r://{a}' }, () => '');
    stop();
    registry.tool({ name: 'b' }, () => 1);
    expect(told).toEqual([
      ['tools', 'a', undefined],
      ['tools', 'a', 'a'],
      ['tools', undefined, 'a'],
      ['prompts', 'p', undefined],
      ['resources', 'r://a', undefined],
      ['resources', 'r://{a}', undefined],
    ]);
  });

  test('names what has no name by its URI', () => {
    const registry = new Registry();
    expect(registry.resource({ uri: 'r://a' }, () => '').name).toBe('r://a');
    expect(registry.resource({ uri: 'r://b', name: 'b' }, () => '').name).toBe('b');
    expect(registry.resourceTemplate({ uriTemplate: 'r://{a}' }, () => '').name).toBe('r://{a}');
    expect(registry.resourceTemplate({ uriTemplate: 'r://{b}', name: 'b' }, () => '').name).toBe('b');
  });
});

describe('which template answers for a URI that several fit', () => {
  test.each([
    [['x://{+a}', 'x://b/{c}'], 'x://b/1', 'x://b/{c}'],
    [['x://b/{c}', 'x://{+a}'], 'x://b/1', 'x://b/{c}'],
    [['x://{b}/1', 'x://{a}/1'], 'x://z/1', 'x://{a}/1'],
    [['x://{a}/1', 'x://{b}/1'], 'x://z/1', 'x://{a}/1'],
    [['x://b/{c}', 'x://{+a}'], 'x://c/1', 'x://{+a}'],
  ])('of %j for %s: the longest, and of equal ones the first by text', (templates, uri, winner) => {
    const registry = new Registry();
    for (const uriTemplate of templates) registry.resourceTemplate({ uriTemplate }, () => '');
    expect(registry.findTemplate(uri)?.spec.uriTemplate).toBe(winner);
  });
});

describe('whether a tool may be run twice', () => {
  const form = { type: 'object', properties: { a: { type: 'string' } } } as const;
  test.each([
    [{}, false],
    [{ capabilities: [] }, true],
    [{ readOnly: true, idempotent: true }, true],
    [{ readOnly: true, idempotent: false }, false],
    [{ readOnly: false, idempotent: true }, false],
    [{ capabilities: ['write_state'] }, false],
    [{ capabilities: [], confirm: 'Sure?' }, false],
    [{ readOnly: true, idempotent: true, confirm: 'Sure?' }, false],
    [{ readOnly: true, idempotent: true, asks: [form] }, false],
  ] as const)('%j: %p', (options, isRepeatable) => {
    expect(new Registry().tool({ name: 't', ...options }, () => 1).repeatable).toBe(isRepeatable);
  });
});

test.each(['tool', 'resource', 'resourceTemplate', 'prompt'] as const)(
  '%s: without a function behind it, nothing is registered',
  (method) => {
    const registry = new Registry();
    const options = {
      tool: { name: 'a' },
      resource: { uri: 'a://b' },
      resourceTemplate: { uriTemplate: 'a://{b}' },
      prompt: { name: 'a' },
    };
    const register = registry[method].bind(registry) as (options: object, handler?: unknown) => unknown;
    expect(() => register(options[method])).toThrow(
      /there is no handler\. Pass a function as the second argument\. \[CT226\]$/,
    );
    expect(() => register(options[method], {})).toThrow('the handler has the type object.');
    expect(registry.size).toBe(0);
  },
);
