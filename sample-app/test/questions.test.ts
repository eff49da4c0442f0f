import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Asset } from '../src/asset.js';
import { createEstateLayer } from '../src/layer.js';
import { countBy, select } from '../src/query.js';
import { Graph } from '../src/state/graph.js';
import { Workspace } from '../src/workspace.js';
import { DEMO_STATE, fixture, withDirectory } from './support.js';

const asset = (address: string, more: Partial<Asset> = {}): Asset => ({
  address,
  provider: 'AWS',
  type: 'aws_thing',
  name: address,
  tags: {},
  attributes: {},
  withheld: [],
  ...more,
});

describe('dependencies', () => {
  const nodes = (listed: Record<string, readonly string[]>) =>
    Object.entries(listed).map(([address, dependencies]) => ({ asset: asset(address), dependencies }));
  const addresses = (assets: readonly Asset[]): string[] => assets.map(({ address }) => address);

  test('of which several are missing, or cannot be read, are all told, in order, and counted', () => {
    const all = nodes({
      'a_b.web': ['a_b.gone', 'a_b.db', '][', 'a_b.lost["x"]', 'data.a_b.known', 'var.region'],
      'a_b.db': [],
      'a_b.other': ['a_b.gone', '][', 'a_b.db'],
    });
    const graph = new Graph(all);
    const [web, db, other] = all.map((node) => node.asset) as [Asset, Asset, Asset];
    expect(graph.missingOf(web)).toEqual(['a_b.gone', '][', 'a_b.lost["x"]']);
    expect(graph.missingOf(other)).toEqual(['a_b.gone', '][']);
    expect(graph.missingOf(db)).toEqual([]);
    expect(addresses(graph.dependenciesOf(web))).toEqual(['a_b.db']);
    expect(addresses(graph.dependentsOf(db))).toEqual(['a_b.web', 'a_b.other']);
    expect(graph.counts).toEqual({ listed: 9, toData: 1, dangling: 5, pairs: 2 });
  });

  test('of assets that nobody knows are none', () => {
    const graph = new Graph([]);
    const stranger = asset('a_b.c');
    expect([graph.dependenciesOf(stranger), graph.dependentsOf(stranger), graph.missingOf(stranger)]).toEqual([[], [], []]); // prettier-ignore
  });

  test('on keys, blocks and modules mean what they name, and no more', () => {
    const all = nodes({
      'a_b.c["x"]': [],
      'a_b.c["y"]': [],
      'a_b.cc': [],
      'module.m.a_b.c[0]': [],
      'module.m.module.n.a_b.c': [],
      'module.mm.a_b.c': [],
      'a_b.one': ['a_b.c["x"]'],
      'a_b.block': ['a_b.c'],
      'a_b.module': ['module.m'],
      'a_b.twice': ['a_b.c', 'a_b.c["x"]'],
    });
    const graph = new Graph(all);
    const of = (address: string): string[] =>
      addresses(graph.dependenciesOf(all.find((node) => node.asset.address === address)!.asset));
    expect(of('a_b.one')).toEqual(['a_b.c["x"]']);
    expect(of('a_b.block')).toEqual(['a_b.c["x"]', 'a_b.c["y"]']);
    expect(of('a_b.module')).toEqual(['module.m.a_b.c[0]', 'module.m.module.n.a_b.c']);
    expect(of('a_b.twice')).toEqual(['a_b.c["x"]', 'a_b.c["y"]']);
    expect(graph.counts).toEqual({ listed: 5, toData: 0, dangling: 0, pairs: 7 });
  });
});

describe('questions', () => {
  const found = (assets: readonly Asset[], filter: object): string[] =>
    select(assets, filter, 'address', false).map(({ address }) => address);

  test('a tag is asked for by its key, or by its key and whole value, which may hold "="', () => {
    const assets = [
      asset('a', { tags: { expr: 'x=y=z', empty: '' } }),
      asset('b', { tags: { expr: 'x' } }),
      asset('c', { tags: { other: 'x=y=z' } }),
    ];
    expect(found(assets, { tag: 'expr' })).toEqual(['a', 'b']);
    expect(found(assets, { tag: 'expr=x' })).toEqual(['b']);
    expect(found(assets, { tag: 'expr=x=y=z' })).toEqual(['a']);
    expect(found(assets, { tag: 'expr=x=y' })).toEqual([]);
    expect(found(assets, { tag: 'expr=' })).toEqual([]);
    expect(found(assets, { tag: 'empty=' })).toEqual(['a']);
  });

  test('equal ones stand in the order of their addresses, whichever way the rest is sorted', () => {
    const assets = [
      asset('c', { region: 'r1', name: 'same' }),
      asset('a', { region: 'r1', name: 'same' }),
      asset('d', { name: 'same' }),
      asset('b', { region: 'r2', name: 'same' }),
    ];
    const by = (sort: 'region' | 'name', descending: boolean): string =>
      select(assets, {}, sort, descending)
        .map(({ address }) => address)
        .join('');
    expect([by('region', false), by('region', true)]).toEqual(['dacb', 'bacd']);
    expect([by('name', false), by('name', true)]).toEqual(['abcd', 'abcd']);
  });

  test('groups stand the fullest first, equal ones by name', () => {
    const regions = ['b', 'c', 'a', 'c', undefined, 'b'];
    const assets = regions.map((region, index) => asset(String(index), region === undefined ? {} : { region }));
    expect(Object.entries(countBy(assets, 'region'))).toEqual([
      ['b', 2],
      ['c', 2],
      ['(none)', 1],
      ['a', 1],
    ]);
  });

  test.each([
    [1, 44],
    [11, 4],
    [22, 2],
    [43, 2],
    [44, 1],
    [45, 1],
  ])('pages of %d: %d of them, and no empty one at the end', async (limit, pages) => {
    const layer = await createEstateLayer();
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const { structuredContent } = await layer.callTool('find_assets', {
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const page = structuredContent as { items: unknown[]; total: number; nextCursor?: string };
      expect(page.total).toBe(44);
      sizes.push(page.items.length);
      cursor = page.nextCursor;
    } while (cursor !== undefined && sizes.length < 100);
    expect(sizes).toHaveLength(pages);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(44);
    expect(sizes.every((size) => size > 0)).toBe(true);
  });
});

describe('the active dataset', () => {
  const load = async (workspace: Workspace, ...names: string[]): Promise<void> => {
    for (const name of names) await workspace.load(DEMO_STATE, { name });
  };

  test('is the one loaded last, and after it is forgotten the one loaded last of the others', async () => {
    const workspace = new Workspace();
    await load(workspace, 'a', 'b', 'c');
    expect(workspace.active).toBe('c');
    workspace.unload('c');
    expect(workspace.active).toBe('b');
    await workspace.load(DEMO_STATE, { name: 'a', replace: true });
    expect([workspace.active, workspace.datasets.map(({ name }) => name)]).toEqual(['a', ['b', 'a']]);
    workspace.unload('a');
    expect(workspace.active).toBe('b');
  });

  test('stays when another one is forgotten', async () => {
    const workspace = new Workspace();
    await load(workspace, 'a', 'b', 'c');
    workspace.unload('a');
    expect(workspace.active).toBe('c');
    expect(workspace.dataset().name).toBe('c');
    expect(workspace.dataset('').name).toBe('c');
    expect(workspace.dataset('b').name).toBe('b');
  });

  test('stays when a load fails', () =>
    withDirectory(async (root) => {
      const workspace = new Workspace({ roots: [root] });
      writeFileSync(join(root, 'good.tfstate'), fixture('format-3.tfstate'));
      writeFileSync(join(root, 'bad.tfstate'), '{');
      await workspace.loadAllowed('good.tfstate');
      await expect(workspace.loadAllowed('bad.tfstate')).rejects.toThrow();
      await expect(workspace.loadAllowed('good.tfstate')).rejects.toThrow('loaded already');
      expect(workspace.active).toBe('good');
    }));
});
