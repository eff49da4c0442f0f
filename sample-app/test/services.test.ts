import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpLayer } from 'cartouche';
import { createEstateLayer, DEMO_STATE } from '../src/layer.js';
import { realState, sensitiveStrings, withDirectory } from './support.js';

const call = async (layer: McpLayer, name: string, args: object = {}): Promise<any> =>
  (await layer.callTool(name, args)).toWire();
const structured = async (layer: McpLayer, name: string, args: object = {}): Promise<any> => {
  const result = await call(layer, name, args);
  expect([name, result.isError, result.content]).toEqual([name, false, expect.anything()]);
  return result.structuredContent;
};
const read = async (layer: McpLayer, uri: string): Promise<any> => {
  const [contents] = await layer.readResource(uri);
  return JSON.parse((contents!.toWire() as { text: string }).text);
};

describe('what the estate lists', () => {
  test('nine tools, all described, those that change the workspace not marked read-only', async () => {
    const tools = (await createEstateLayer()).toolsWire() as any[];
    const readOnly = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations.readOnlyHint]));
    expect(readOnly).toEqual({
      count_assets: true,
      find_assets: true,
      forget_dataset: false,
      get_asset: true,
      list_datasets: true,
      list_regions: true,
      load_dataset: false,
      unload_dataset: false,
      workspace_status: true,
    });
    expect(tools.filter(({ description }) => description === '')).toEqual([]);
  });

  test('every schema within the tools says what its values are', async () => {
    const untyped = (schema: any, path: string): string[] => [
      ...(['type', 'anyOf', 'enum', 'const'].some((keyword) => keyword in schema) ? [] : [path]),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => untyped(inner, `${path}.${name}`)),
      ...[schema.items, schema.additionalProperties].filter(Boolean).flatMap((inner) => untyped(inner, `${path}[]`)),
    ];
    for (const { name, inputSchema, outputSchema } of (await createEstateLayer()).toolsWire() as any[]) {
      expect([...untyped(inputSchema, name), ...untyped(outputSchema, name)]).toEqual([]);
    }
  });

  test('a key is a text or a whole number, a setting any scalar', async () => {
    const tools = (await createEstateLayer()).toolsWire() as any[];
    const { key, attributes } = tools.find(({ name }) => name === 'get_asset').outputSchema.properties;
    expect(key).toEqual({
      anyOf: [{ type: 'string' }, { type: 'integer' }],
      description: 'The count number or for_each key of the instance.',
    });
    expect(attributes.additionalProperties.anyOf).toHaveLength(3);
  });

  test('two resources, three templates, two prompts', async () => {
    const layer = await createEstateLayer();
    expect(layer.listResources().map(({ uri }) => uri)).toEqual(['estate://workspace', 'estate://datasets']);
    expect(layer.listResourceTemplates().map(({ uriTemplate }) => uriTemplate)).toEqual([
      'estate://assets/{+ref}',
      'estate://assets/{+ref}/neighbors',
      'estate://datasets/{dataset}/summary',
    ]);
    expect(layer.listPrompts().map(({ name }) => name)).toEqual(['compliance_gap_analysis', 'investigate_asset']);
  });
});

describe('counting and finding', () => {
  test('count_assets counts by provider unless asked otherwise', async () => {
    const layer = await createEstateLayer();
    const byProvider = { dataset: 'demo', groupBy: 'provider', total: 44, groups: { AWS: 36, AZURE: 5, GCP: 3 } };
    expect(await structured(layer, 'count_assets')).toEqual(byProvider);
    expect(await structured(layer, 'count_assets', { groupBy: 'provider', dataset: '' })).toEqual(byProvider);
    const { groups } = await structured(layer, 'count_assets', { groupBy: 'region' });
    expect(Object.keys(groups)).toHaveLength(5);
  });

  test('list_regions has five', async () => {
    const { regions, withoutRegion } = await structured(await createEstateLayer(), 'list_regions');
    expect(regions).toHaveLength(5);
    expect(regions[0]).toEqual({ region: 'eu-central-1', total: 32, providers: { AWS: 32 } });
    expect(withoutRegion).toBe(0);
  });

  test('the pages of find_assets are the whole, each asset once', async () => {
    const layer = await createEstateLayer();
    const seen: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await structured(layer, 'find_assets', {
        provider: 'AWS',
        limit: 10,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...page.items.map(({ address }: { address: string }) => address));
      expect(page.total).toBe(36);
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    expect(seen).toHaveLength(36);
    expect(seen).toEqual([...new Set(seen)].sort());
  });

  test('a cursor goes stale when the filters or the data change', () =>
    withDirectory(async (root) => {
      const file = join(root, 'live.tfstate');
      copyFileSync(DEMO_STATE, file);
      const layer = await createEstateLayer({ roots: [root], states: [{ path: file }] });
      const { nextCursor: cursor } = await structured(layer, 'find_assets', { limit: 5 });
      expect((await structured(layer, 'find_assets', { limit: 7, cursor })).items).toHaveLength(7);

      const otherFilter = await call(layer, 'find_assets', { limit: 5, provider: 'AWS', cursor });
      expect(otherFilter.isError).toBe(true);
      expect(otherFilter.content[0].text).toContain('stale');

      writeFileSync(file, readFileSync(file, 'utf8').replace('"serial": 87', '"serial": 88'));
      await structured(layer, 'load_dataset', { path: file, replace: true });
      const otherData = await call(layer, 'find_assets', { limit: 5, cursor });
      expect(otherData).toMatchObject({ isError: true, _meta: { 'cartouche/error_code': -32602 } });
    }));

  test('get_asset knows both directions and links to the neighbors', async () => {
    const result = await call(await createEstateLayer(), 'get_asset', { ref: 'aws_db_instance.orders' });
    expect(result.structuredContent).toMatchObject({
      name: 'orders',
      region: 'eu-central-1',
      tags: { data: 'personal' },
      attributes: { storage_encrypted: true, engine: 'postgres' },
      dependsOn: { total: 7 },
      usedBy: { total: 1, addresses: ['aws_db_instance.orders_replica'] },
    });
    expect(result.content.at(-1)).toMatchObject({
      type: 'resource_link',
      uri: 'estate://assets/aws_db_instance.orders/neighbors',
    });
  });

  test('a reference that is not found suggests the nearest, an ambiguous one lists them', async () => {
    const layer = await createEstateLayer();
    const missing = await call(layer, 'get_asset', { ref: 'aws_db_instance.order' });
    expect(missing).toMatchObject({ isError: true, _meta: { 'cartouche/error_code': -32602 } });
    expect(missing.content[0].text).toContain('"aws_db_instance.orders"');
    expect(missing._meta['cartouche/error_data'].suggestions[0]).toBe('aws_db_instance.orders');
    const ambiguous = await call(layer, 'get_asset', { ref: 'orders' });
    expect(ambiguous.content[0].text).toContain('aws_db_subnet_group.orders');
  });
});

describe('loading and unloading', () => {
  test('a dataset is loaded, used and forgotten, and every step is announced', () =>
    withDirectory(async (root) => {
      copyFileSync(join(__dirname, 'fixtures/show.json'), join(root, 'shop.json'));
      const layer = await createEstateLayer({ roots: [root] });
      const changes: unknown[] = [];
      layer.onChange((change) => changes.push(change));

      const loaded = await structured(layer, 'load_dataset', { path: 'shop.json' });
      expect(loaded).toMatchObject({ name: 'shop', active: true, format: 'show-json', assets: 3 });
      const announced = [
        { kind: 'resources' },
        { kind: 'resource', uri: 'estate://workspace' },
        { kind: 'resource', uri: 'estate://datasets' },
        { kind: 'resource', uri: 'estate://datasets/shop/summary' },
      ];
      expect(changes.splice(0)).toEqual(announced);
      expect((await structured(layer, 'count_assets')).groups).toEqual({ AZURE: 2, OTHER: 1 });
      expect((await structured(layer, 'count_assets', { dataset: 'demo' })).total).toBe(44);
      expect((await structured(layer, 'list_datasets')).result).toHaveLength(2);

      expect(await structured(layer, 'unload_dataset', { name: 'shop' })).toMatchObject({ active: 'demo' });
      expect(changes).toEqual(announced);
      expect((await call(layer, 'count_assets', { dataset: 'shop' })).isError).toBe(true);
    }));

  test('a path outside the roots is refused with -31001', async () => {
    const result = await call(await createEstateLayer(), 'load_dataset', { path: '/etc/passwd' });
    expect(result).toMatchObject({ isError: true, _meta: { 'cartouche/error_code': -31001 } });
  });

  test('what is not a state says so, and the next call works', () =>
    withDirectory(async (root) => {
      writeFileSync(join(root, 'a.tfstate'), 'password = "hunter2"');
      writeFileSync(join(root, 'b.tfstate'), '{"version":5}');
      const layer = await createEstateLayer({ roots: [root], maxStateBytes: 100_000 });
      for (const [path, text] of [
        ['a.tfstate', 'a.tfstate: Not JSON'],
        ['b.tfstate', 'b.tfstate: State format 5 is not supported'],
      ]) {
        const result = await call(layer, 'load_dataset', { path });
        expect(result.isError).toBe(true);
        expect(result.content[0].text).toContain(text);
        expect(JSON.stringify(result)).not.toContain('hunter2');
      }
      expect((await structured(layer, 'count_assets')).total).toBe(44);
    }));
});

describe('resources, prompts and completions', () => {
  test('the workspace, the datasets and a summary', async () => {
    const layer = await createEstateLayer({ roots: ['/tmp'] });
    expect(await read(layer, 'estate://workspace')).toMatchObject({ active: 'demo', allowedRoots: ['/tmp'] });
    expect(await read(layer, 'estate://datasets')).toMatchObject([{ name: 'demo', assets: 44 }]);
    expect(await read(layer, 'estate://datasets/demo/summary')).toMatchObject({
      counts: { provider: { AWS: 36, AZURE: 5, GCP: 3 } },
      missing: ['aws_cloudwatch_log_group.invoice_mailer'],
    });
  });

  test('what was withheld is counted in the summary, and named at the asset', async () => {
    const path = join(__dirname, 'fixtures/show.json');
    const layer = await createEstateLayer({ states: [{ name: 'shop', path }] });
    expect(await read(layer, 'estate://datasets/shop/summary')).toMatchObject({
      dataset: { withheld: { marked: 4, copies: 2 } },
    });
    const { address } = (await structured(layer, 'find_assets', { query: 'blue storage' })).items[0];
    const { withheld } = await structured(layer, 'get_asset', { ref: address });
    expect(withheld).toEqual(['tags.note', 'attributes.kind']);
  });

  test('every asset can be read by its address and its id, and so can its neighbors', async () => {
    const layer = await createEstateLayer();
    const { items } = await structured(layer, 'find_assets', { limit: 100 });
    expect(items).toHaveLength(44);
    for (const { address } of items) {
      const uri = `estate://assets/${encodeURIComponent(address)}`;
      expect((await read(layer, uri)).address).toBe(address);
      expect((await read(layer, `${uri}/neighbors`)).asset.address).toBe(address);
    }
    const arn = 'arn:aws:rds:eu-central-1:111122223333:db:orders';
    expect((await read(layer, `estate://assets/${arn}`)).address).toBe('aws_db_instance.orders');
  });

  test('an asset that is not there is not found', async () => {
    const layer = await createEstateLayer();
    await expect(layer.readResource('estate://assets/nothing')).rejects.toMatchObject({ name: 'NotFoundError' });
    await expect(layer.readResource('estate://datasets/nothing/summary')).rejects.toThrow('No dataset');
  });

  test('prompts bring the data along', async () => {
    const layer = await createEstateLayer();
    const gap = (await layer.getPrompt('compliance_gap_analysis', { framework: 'CIS-AWS' })).toWire() as any;
    expect(gap.messages[0].content.text).toContain('"demo" against CIS-AWS');
    expect(gap.messages[1].content.resource.uri).toBe('estate://datasets/demo/summary');
    const asset = (await layer.getPrompt('investigate_asset', { ref: 'invoice-mailer' })).toWire() as any;
    expect(asset.messages[0].content.text).toContain('aws_lambda_function.invoice_mailer');
    expect(JSON.parse(asset.messages[1].content.resource.text).missing).toHaveLength(1);
  });

  test('references, datasets and frameworks are completed', async () => {
    const layer = await createEstateLayer();
    const template = { type: 'ref/resource', uri: 'estate://assets/{+ref}' } as const;
    const { values } = await layer.complete(template, { name: 'ref', value: 'aws_db_instance.' });
    expect(values).toEqual(['aws_db_instance.orders', 'aws_db_instance.orders_replica']);
    const summary = { type: 'ref/resource', uri: 'estate://datasets/{dataset}/summary' } as const;
    expect((await layer.complete(summary, { name: 'dataset', value: 'd' })).values).toEqual(['demo']);
    const prompt = { type: 'ref/prompt', name: 'compliance_gap_analysis' } as const;
    expect((await layer.complete(prompt, { name: 'framework', value: 'cis' })).values).toHaveLength(3);
  });
});

describe('sensitive values', () => {
  test.each([
    ['azure-functionapp-postgres', realState],
    ['demo', () => DEMO_STATE],
  ])('of %s are in no output', async (name, locate) => {
    const path = locate(name);
    if (path === undefined) return;
    const layer = await createEstateLayer({ states: [{ name: 'state', path }] });
    const outputs: unknown[] = [];
    const { items } = await structured(layer, 'find_assets', { limit: 100 });
    for (const { address: ref } of items) {
      outputs.push(await call(layer, 'get_asset', { ref }));
      outputs.push(await read(layer, `estate://assets/${encodeURIComponent(ref)}/neighbors`));
      outputs.push((await layer.getPrompt('investigate_asset', { ref })).toWire());
    }
    for (const tool of ['workspace_status', 'list_datasets', 'count_assets', 'list_regions', 'find_assets']) {
      outputs.push(await call(layer, tool));
    }
    outputs.push(await read(layer, 'estate://datasets/state/summary'));
    const template = { type: 'ref/resource', uri: 'estate://assets/{+ref}' } as const;
    outputs.push(await layer.complete(template, { name: 'ref', value: '' }));

    const text = JSON.stringify(outputs);
    const leaked = sensitiveStrings(readFileSync(path, 'utf8')).filter((secret) => text.includes(JSON.stringify(secret).slice(1, -1))); // prettier-ignore
    expect(leaked).toEqual([]);
    expect(text).toContain(items[0].address);
  });
});
