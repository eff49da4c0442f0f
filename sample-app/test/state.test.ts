import { readFileSync } from 'node:fs';
import { countBy } from '../src/query.js';
import { parseState, type Estate } from '../src/state/read.js';
import { DEMO_STATE, fixture, realState, sensitiveStrings } from './support.js';

const state4 = (resources: unknown[]): string => JSON.stringify({ version: 4, terraform_version: '1.9.0', resources });
const find = (estate: Estate, address: string) => estate.assets.find((asset) => asset.address === address)!;
const addresses = (assets: readonly { address: string }[]): string[] => assets.map(({ address }) => address).sort();

describe('the demo state', () => {
  const demo = parseState(readFileSync(DEMO_STATE, 'utf8'));

  test('has 36 AWS, 5 AZURE and 3 GCP assets in 5 regions', () => {
    expect(countBy(demo.assets, 'provider')).toEqual({ AWS: 36, AZURE: 5, GCP: 3 });
    expect(countBy(demo.assets, 'region')).toEqual({
      'eu-central-1': 32,
      'eu-west-1': 3,
      'europe-west1': 3,
      'us-east-1': 1,
      westeurope: 5,
    });
    expect(demo.dataInstances).toBe(3);
  });

  test('expands a dependency on a block to each of its instances', () => {
    const node = find(demo, 'module.service["web"].aws_instance.node[0]');
    expect(addresses(demo.graph.dependenciesOf(node))).toEqual([
      'aws_security_group.lb',
      'module.network.aws_subnet.private[0]',
      'module.network.aws_subnet.private[1]',
      'module.network.aws_subnet.private[2]',
      'module.network.aws_vpc.main',
      'module.service["api"].aws_security_group.this',
      'module.service["web"].aws_security_group.this',
    ]);
    const bucket = find(demo, 'google_storage_bucket.exports');
    expect(addresses(demo.graph.dependentsOf(bucket))).toEqual(['google_compute_instance.crawler']);
  });

  test('reports what the file names and does not hold', () => {
    const mailer = find(demo, 'aws_lambda_function.invoice_mailer');
    expect(demo.graph.missingOf(mailer)).toEqual(['aws_cloudwatch_log_group.invoice_mailer']);
    expect(demo.graph.counts.dangling).toBe(1);
  });
});

describe('real states are counted as their README counts them', () => {
  const cases: [string, Record<string, number>, Record<string, number>, Record<string, number>, number[], number][] = [
    [
      'aws-vpc-eks-modules',
      { AWS: 52 },
      { '(none)': 34, 'us-east-2': 15, global: 3 },
      { '(none)': 35, '369913833861': 17 },
      [151, 31, 18, 118],
      15,
    ],
    [
      'aws-lambda-apigw-dynamodb',
      { AWS: 11 },
      { 'ca-central-1': 7, '(none)': 3, global: 1 },
      { '(none)': 8, '835077336452': 3 },
      [15, 0, 0, 15],
      0,
    ],
    [
      'azure-functionapp-postgres',
      { AZURE: 12, OTHER: 1 },
      { germanywestcentral: 9, '(none)': 4 },
      { '475214df-3e61-de56-7dfb-572985638e5d': 12, '(none)': 1 },
      [33, 1, 0, 32],
      4,
    ],
    [
      'gcp-firebase-foreach',
      { GCP: 30, OTHER: 2 },
      { '(none)': 29, 'us-central1': 2, nam5: 1 },
      { 'acme-club-portal': 30, '(none)': 2 },
      [109, 0, 0, 313],
      3,
    ],
    [
      'multicloud-aws-azure-gcp',
      { AWS: 3, AZURE: 6, GCP: 2 },
      { eastus2: 5, 'us-east-1': 3, '(none)': 1, global: 1, 'us-central1': 1 },
      { '4c4b1c58-0dd2-541d-a853-532ffb6f04f7': 6, '966256791454': 3, 'acme-project-500252': 2 },
      [15, 0, 0, 15],
      0,
    ],
    [
      'aws-alb-ec2-v3',
      { AWS: 19 },
      { 'us-east-1': 11, '(none)': 8 },
      { '894895671402': 10, '(none)': 9 },
      [21, 2, 0, 21],
      1,
    ],
  ];

  test.each(cases)('%s', (name, providers, regions, accounts, [listed, toData, dangling, pairs], dataInstances) => {
    const path = realState(name);
    if (path === undefined) return;
    const estate = parseState(readFileSync(path, 'utf8'));
    expect(countBy(estate.assets, 'provider')).toEqual(providers);
    expect(countBy(estate.assets, 'region')).toEqual(regions);
    expect(countBy(estate.assets, 'account')).toEqual(accounts);
    expect(estate.graph.counts).toEqual({ listed, toData, dangling, pairs });
    expect(estate.dataInstances).toBe(dataInstances);
    expect(new Set(addresses(estate.assets)).size).toBe(estate.assets.length);
    expect(estate.assets.flatMap((asset) => estate.graph.dependenciesOf(asset))).toHaveLength(pairs!);
    expect(estate.assets.flatMap((asset) => estate.graph.dependentsOf(asset))).toHaveLength(pairs!);
  });
});

describe('format 3', () => {
  const old = parseState(fixture('format-3.tfstate'));

  test('flattened attributes, tags and counts are read', () => {
    expect(old.format).toBe('state-3');
    expect(find(old, 'aws_s3_bucket.site')).toMatchObject({
      name: 'old site',
      arn: 'arn:aws:s3:::old-site',
      region: 'eu-west-1',
      tags: { Name: 'old site', 'cost.center': '42' },
    });
    expect(find(old, 'module.net.aws_subnet.a[1]')).toMatchObject({ id: 'subnet-2', key: 1, region: 'eu-west-1' });
    expect(old.assets).toHaveLength(6);
    expect(old.dataInstances).toBe(1);
  });

  test('dependencies are relative to their module: "*" means all, a number one, a module everything in it', () => {
    const of = (address: string): string[] => addresses(old.graph.dependenciesOf(find(old, address)));
    const subnets = ['module.net.aws_subnet.a[0]', 'module.net.aws_subnet.a[1]'];
    expect(of('module.net.aws_route_table_association.a[0]')).toEqual(subnets);
    expect(of('module.net.aws_route_table_association.a[1]')).toEqual(subnets.slice(0, 1));
    expect(of('aws_s3_bucket.site')).toHaveLength(5);
    expect(old.graph.missingOf(find(old, 'aws_s3_bucket.site'))).toEqual(['aws_kms_key.gone']);
    expect(old.graph.counts).toEqual({ listed: 8, toData: 2, dangling: 1, pairs: 10 });
  });
});

describe('terraform show -json', () => {
  const shown = parseState(fixture('show.json'));
  const account = find(shown, 'module.app["blue"].module.store.azurerm_storage_account.this[0]');

  test('resources of nested modules are read, deposed ones are not', () => {
    expect(shown.format).toBe('show-json');
    expect(countBy(shown.assets, 'provider')).toEqual({ AZURE: 2, OTHER: 1 });
    expect(account).toMatchObject({ name: 'blue', account: 'sub-1', region: 'northeurope', key: 0 });
    expect(shown.graph.counts).toEqual({ listed: 3, toData: 1, dangling: 0, pairs: 2 });
  });

  test('sensitive values and their copies are left out', () => {
    expect(account.tags).toEqual({ slot: 'blue' });
    expect(account.attributes).toEqual({});
    expect(JSON.stringify(shown.assets)).not.toMatch(/secret|never-kept/);
  });

  test('an empty state has no assets', () => {
    expect(parseState('{"format_version":"1.0"}').assets).toEqual([]);
    expect(parseState('{"version":4,"terraform_version":"1.9.0","resources":null}').assets).toEqual([]);
    expect(parseState('{"version":3,"lineage":"x"}').assets).toEqual([]);
  });
});

describe('what failed replacements left behind', () => {
  const attributes = { id: 'i-1', password: 'left-behind-secret' };
  const sensitive_attributes = [[{ type: 'get_attr', value: 'password' }]];
  const left = { deposed: 'abcdef01', attributes, sensitive_attributes };
  const now = { attributes: { id: 'i-2', tags: { note: 'left-behind-secret' } } };

  test('is counted, is no asset, and what it marks is not told elsewhere', () => {
    const estate = parseState(state4([{ mode: 'managed', type: 'a_b', name: 'c', instances: [left, now] }]));
    expect(estate).toMatchObject({ deposedInstances: 1, withheld: { marked: 1, copies: 1 } });
    expect(estate.assets.map(({ id, tags }) => [id, tags])).toEqual([['i-2', {}]]);
  });

  test('is counted in every format', () => {
    expect(parseState(fixture('format-3.tfstate')).deposedInstances).toBe(1);
    expect(parseState(fixture('show.json')).deposedInstances).toBe(1);
  });
});

describe('sensitive values', () => {
  test.each([
    ['azure-functionapp-postgres', realState],
    ['demo', () => DEMO_STATE],
  ])('of %s never leave the loader', (name, path) => {
    const file = path(name);
    if (file === undefined) return;
    const source = readFileSync(file, 'utf8');
    const secrets = sensitiveStrings(source);
    expect(secrets.length).toBeGreaterThan(5);
    const assets = JSON.stringify(parseState(source).assets);
    expect(secrets.filter((secret) => assets.includes(JSON.stringify(secret).slice(1, -1)))).toEqual([]);
  });

  const marked = (path: unknown, attributes: object = { kind: 'open', size: { a: ['hidden-value'] } }) =>
    parseState(
      state4([{ mode: 'managed', type: 'a_b', name: 'c', instances: [{ attributes, sensitive_attributes: [path] }] }]),
    ).assets[0]!;

  test('a path that is not understood hides everything below what is understood of it', () => {
    expect(marked([{ type: 'new_kind' }]).attributes).toEqual({});
    expect(marked([]).attributes).toEqual({});
    expect(marked([{ type: 'get_attr', value: 'kind' }, { type: 'new_kind' }]).attributes).toEqual({});
    expect(marked([{ type: 'get_attr', value: 'not_there' }]).attributes).toEqual({ kind: 'open' });
    expect(marked('kind').attributes).toEqual({});
  });

  test.each(['kind', { kind: true }, true])('marks that are no list of paths hide everything: %j', (marks) => {
    const instances = [{ attributes: { kind: 'open' }, sensitive_attributes: marks }];
    expect(parseState(state4([{ mode: 'managed', type: 'a_b', name: 'c', instances }])).assets[0]!.attributes).toEqual(
      {},
    );
    const shown = {
      mode: 'managed',
      type: 'a_b',
      name: 'c',
      values: { kind: 'open' },
      sensitive_values: { kind: 'x' },
    };
    const source = { format_version: '1.0', values: { root_module: { resources: [shown] } } };
    expect(parseState(JSON.stringify(source)).assets[0]!.attributes).toEqual({});
  });

  test('a path through inherited names touches nothing', () => {
    const steps = ['__proto__', 'toString'].map((value) => ({ type: 'get_attr', value }));
    expect(marked(steps).attributes).toEqual({ kind: 'open' });
    expect(typeof Object.prototype.toString).toBe('function');
  });

  test('an id that is a secret is not shown, and its type, label and address still are', () => {
    const asset = marked([{ type: 'get_attr', value: 'password' }], {
      id: 'x-hidden-value-y',
      password: 'hidden-value',
    });
    expect(asset).toMatchObject({ address: 'a_b.c', name: 'c', id: undefined });
  });
});

describe('a value that is marked and is no secret', () => {
  const parameter = (value: string) => ({
    mode: 'managed',
    type: 'aws_ssm_parameter',
    name: 'shared',
    instances: [
      {
        attributes: {
          id: '/shop/shared',
          arn: 'arn:aws:ssm:eu-west-1:111122223333:parameter/shop/shared',
          name: '/shop/shared',
          value,
        },
        sensitive_attributes: [[{ type: 'get_attr', value: 'value' }]],
      },
    ],
  });
  const managed = (type: string, attributes: object) => ({
    mode: 'managed',
    type,
    name: 'main',
    instances: [{ attributes }],
  });
  const vpc = managed('aws_vpc', {
    id: 'vpc-0a1b2c3d4e5f67890',
    arn: 'arn:aws:ec2:eu-west-1:111122223333:vpc/vpc-0a1b2c3d4e5f67890',
    tags: { Name: 'shop', environment: 'production', owner: 'shop-team' },
  });
  const bucket = managed('aws_s3_bucket', { id: 'shop-logs-7Gx2', arn: 'arn:aws:s3:::shop-logs-7Gx2', region: 'eu-west-1' }); // prettier-ignore
  const group = managed('azurerm_resource_group', {
    id: '/subscriptions/475214df-3e61-de56-7dfb-572985638e5d/resourceGroups/shop-rg-Main1',
    location: 'germanywestcentral',
  });
  const droplet = managed('digitalocean_droplet', { id: '1', region: 'nyc3' });
  const others = [vpc, bucket, group, droplet];

  test.each([
    'eu-west-1',
    'germanywestcentral',
    'nyc3',
    '111122223333',
    '475214df-3e61-de56-7dfb-572985638e5d',
    'vpc-0a1b2c3d4e5f67890',
    'arn:aws:ec2:eu-west-1:111122223333:vpc/vpc-0a1b2c3d4e5f67890',
    'shop-logs-7Gx2',
    'arn:aws:s3:::shop-logs-7Gx2',
    'shop-rg-Main1',
    'production',
    '1',
  ])('takes nothing from any asset: %s', (value) => {
    const plain = parseState(state4([parameter('x7!Qz_other'), ...others]));
    const shared = parseState(state4([parameter(value), ...others]));
    expect(shared.assets).toEqual(plain.assets);
    expect(shared.withheld).toEqual({ marked: 1, copies: 0 });
    expect(countBy(shared.assets, 'account')).toEqual({
      '111122223333': 2,
      '(none)': 2,
      '475214df-3e61-de56-7dfb-572985638e5d': 1,
    });
    expect(JSON.stringify(shared.assets)).not.toContain('"value"');
  });

  test('and one that may be a secret is withheld wherever it stands, and counted', () => {
    const secret = 'Qz7-token-00Xy';
    const place = managed('a_b', { location: `${secret}!` });
    const copies = [
      managed('aws_instance', { id: 'i-0a1b2c3d4e5f67890', tags: { note: `token ${secret}`, [secret]: 'x' } }),
      managed('random_string', { id: secret }),
      managed('aws_appsync_api_key', { id: `api1:${secret}`, name: secret }),
    ];
    const { assets, withheld } = parseState(state4([parameter(secret), ...copies, place]));
    expect(JSON.stringify(assets).toLowerCase()).not.toContain(secret.toLowerCase());
    expect(assets.map((asset) => asset.withheld)).toEqual([[], ['tags.note', 'tags'], ['id'], ['name', 'id'], []]);
    expect(withheld).toEqual({ marked: 1, copies: 5 });
  });

  test.each([
    'hunter2',
    'QwErTyUiOpAsDfGh',
    'abcdefghijklmnop',
    '31da43c7-10b7-1979-b322-54da04144933',
    '999988887777',
    'correct-horse-battery',
  ])('%s, which names nothing here, may be a secret', (value) => {
    const copy = managed('aws_instance', { id: 'i-0a1b2c3d4e5f67890', tags: { note: value } });
    expect(parseState(state4([parameter(value), copy])).withheld).toEqual({ marked: 1, copies: 1 });
  });
});

describe('dependencies', () => {
  test('on variables and the like are neither assets nor missing', () => {
    const dependencies = ['var.region', 'local.tags', 'module.a.var.net.id', 'each.value', 'path.module', 'a_b.gone'];
    const instances = [{ attributes: {}, dependencies }];
    const { assets, graph } = parseState(state4([{ mode: 'managed', type: 'a_b', name: 'c', instances }]));
    expect(graph.missingOf(assets[0]!)).toEqual(['a_b.gone']);
    expect(graph.counts).toEqual({ listed: 6, toData: 0, dangling: 1, pairs: 0 });
  });
});

describe('providers', () => {
  test.each([
    ['provider["registry.terraform.io/hashicorp/aws"].west', 'x_y', 'AWS'],
    ['module.a.provider["registry.opentofu.org/hashicorp/google-beta"]', 'x_y', 'GCP'],
    ['provider.azurerm.alias', 'x_y', 'AZURE'],
    ['module.a.provider.azuread', 'x_y', 'AZURE'],
    ['provider["registry.terraform.io/hashicorp/random"]', 'aws_y', 'OTHER'],
    [undefined, 'google_storage_bucket', 'GCP'],
    ['provider["example.com/x/constructor"]', 'x_y', 'OTHER'],
  ])('%s of %s is %s', (provider, type, expected) => {
    const estate = parseState(
      state4([{ mode: 'managed', type, name: 'n', provider, instances: [{ attributes: {} }] }]),
    );
    expect(estate.assets[0]?.provider).toBe(expected);
  });
});

describe('regions', () => {
  const region = (type: string, attributes: object) =>
    parseState(state4([{ mode: 'managed', type, name: 'n', instances: [{ attributes }] }])).assets[0]!.region;
  const compute = 'https://www.googleapis.com/compute/v1/projects/p';

  test.each([
    ['google_container_cluster', { location: 'europe-west1-b' }, 'europe-west1'],
    ['google_compute_instance', { zone: `${compute}/zones/europe-west1-b` }, 'europe-west1'],
    ['google_compute_subnetwork', { region: `${compute}/regions/europe-west1` }, 'europe-west1'],
    ['google_compute_address', { self_link: `${compute}/regions/Europe-West12/addresses/a` }, 'europe-west12'],
    ['google_compute_instance', { zone: 'us-central1-ai1a' }, 'us-central1'],
    ['google_storage_bucket', { location: 'US-CENTRAL1' }, 'us-central1'],
    ['google_storage_bucket', { location: 'EU' }, 'eu'],
    ['google_kms_key_ring', { location: 'global' }, 'global'],
    ['aws_subnet', { availability_zone: 'eu-west-1a' }, 'eu-west-1'],
    ['aws_subnet', { availability_zone: 'us-west-2-lax-1a' }, 'us-west-2'],
    ['aws_subnet', { region: 'us-west-2-lax-1' }, 'us-west-2'],
    ['aws_subnet', { availability_zone: 'us-east-1-wl1-bos-wlz-1' }, 'us-east-1'],
    ['aws_subnet', { availability_zone: 'us-gov-west-1a' }, 'us-gov-west-1'],
    ['aws_subnet', { region: 'us-isob-east-1' }, 'us-isob-east-1'],
    [
      'aws_dx_connection',
      { location: 'EqDC2', arn: 'arn:aws:directconnect:us-east-1:111122223333:dxcon/x' },
      'us-east-1',
    ],
    ['aws_dx_connection', { location: 'EqDC2' }, undefined],
    ['azurerm_resource_group', { location: 'West Europe' }, 'westeurope'],
    ['azurerm_resource_group', { location: 'East US 2' }, 'eastus2'],
    ['azurerm_linux_virtual_machine', { location: 'westeurope', zone: '1' }, 'westeurope'],
    ['azurerm_managed_disk', { zone: '1' }, undefined],
    ['digitalocean_droplet', { region: 'nyc3' }, 'nyc3'],
    ['azurerm_resource_group', { location: 'East US 2 EUAP' }, 'eastus2euap'],
    ['a_b', { location: 'Room 101, 2nd floor' }, undefined],
    ['a_b', { location: 'Qz7-token-00Xy', zone: 'eu-west-1a' }, 'eu-west-1'],
  ])('%s %j is in %s', (type, attributes, expected) => {
    expect(region(type, attributes)).toBe(expected);
  });
});

describe('what is not a state is refused, and says why', () => {
  test.each([
    ['', /empty/],
    ['\uFEFF  \n', /empty/],
    ['password = "hunter2"', /^Not JSON/],
    ['[]', /not an object/],
    ['{}', /no "version"/],
    ['{"version":5}', /format 5 is not supported/],
    ['{"version":2}', /format 2 is not supported/],
    ['{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}', /^Not a state: there is no list of "modules"/],
    ['{"version":3,"services":{"web":{"image":"nginx"}}}', /^Not a state: there is no list of "modules"/],
    ['{"version":"3","services":{}}', /^Not a state/],
    ['{"version":4}', /^Not a state: there is no list of "resources"/],
    ['{"version":4,"resources":[]}', /^Not a state: there is no list of "resources"/],
    ['{"version":4,"resources":"x"}', /^Not a state: there is no list of "resources"/],
    ['{"version":4,"lineage":"x","resources":{"a":1}}', /^resources is not a list/],
    [
      '{"version":4,"resources":[{"type":"a_b","name":"c","instances":"x"}]}',
      /^resources\[0\]\.instances is not a list/,
    ],
    ['{"version":3,"modules":[{"path":["root"],"resources":[]}]}', /^modules\[0\]\.resources is not an object/],
    ['{"version":3,"modules":[{"path":["root"],"resources":{"a_b.c.d":{"primary":{}}}}]}', /type\.name/],
    ['{"format_version":"1.0","provider_schemas":{}}', /^Not a state: there is no "values"/],
    ['{"format_version":"1.0","values":"x"}', /^values is not an object/],
    ['{"format_version":"1.0","values":{"root_module":{"resources":"x"}}}', /^root_module\.resources is not a list/],
    [
      '{"format_version":"1.0","values":{"root_module":{"child_modules":{}}}}',
      /^root_module\.child_modules is not a list/,
    ],
    [
      '{"serial":1,"meta":{"key_provider.pbkdf2.k":"x"},"encrypted_data":"AAAA","encryption_version":"v0"}',
      /encrypted/,
    ],
    ['{"format_version":"1.2","planned_values":{},"resource_changes":[]}', /plan/],
    ['{"format_version":"7.0"}', /not supported/],
    ['{"version":4,"resources":[1]}', /resources\[0\] is not an object/],
    ['{"version":4,"resources":[{"instances":[{}]}]}', /resources\[0\] has no type/],
    ['{"version":3,"modules":[{"path":["root"],"resources":{"x":{"primary":{}}}}]}', /type\.name/],
  ])('%j', (source, message) => {
    expect(() => parseState(source)).toThrow(message);
    expect(() => parseState(source)).not.toThrow(/hunter2/);
  });

  test('two instances of one address are refused, and said by their address', () => {
    const twin = { mode: 'managed', type: 'a_b', name: 'c', module: 'module.m', instances: [{ index_key: 'x' }] };
    expect(() => parseState(state4([twin, twin]))).toThrow('module.m.a_b.c["x"] is there twice.');
    expect(() => parseState(state4([twin, { ...twin, mode: 'data' }]))).not.toThrow();
  });

  test('nesting without end neither crashes nor leaks', () => {
    const deep = '['.repeat(20_000) + '"buried-secret"' + ']'.repeat(20_000);
    const marks = '['.repeat(20_000) + 'true' + ']'.repeat(20_000);
    const resource = `{"mode":"managed","type":"azurerm_x","name":"y","values":{"a":${deep}},"sensitive_values":{"a":${marks}}}`;
    const estate = parseState(`{"format_version":"1.0","values":{"root_module":{"resources":[${resource}]}}}`);
    expect(estate.assets).toHaveLength(1);
    expect(JSON.stringify(estate.assets)).not.toContain('buried-secret');
  });

  test('two blocks of ten thousand instances are one bundle of edges', () => {
    const block = (name: string, dependencies: string[]) => ({
      mode: 'managed',
      type: 'a_b',
      name,
      instances: Array.from({ length: 10_000 }, (_, index_key) => ({ index_key, attributes: {}, dependencies })),
    });
    const { graph, assets } = parseState(state4([block('from', ['a_b.to']), block('to', [])]));
    expect(graph.counts.pairs).toBe(100_000_000);
    expect(graph.dependentsOf(assets.at(-1)!)).toHaveLength(10_000);
  });
});
