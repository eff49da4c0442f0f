import { mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Cursor, select } from '../src/query.js';
import { createEstateLayer } from '../src/layer.js';
import { Workspace } from '../src/workspace.js';
import { DEMO_STATE, fixture, withDirectory } from './support.js';

async function demoWorkspace(): Promise<Workspace> {
  const workspace = new Workspace();
  await workspace.load(DEMO_STATE, { name: 'demo' });
  return workspace;
}

const failure = async (work: Promise<unknown>): Promise<any> =>
  work.then(
    () => {
      throw new Error('should have failed');
    },
    (error: unknown) => error,
  );

describe('loading from allowed roots', () => {
  test('a file inside a root is loaded, by absolute and by relative path', () =>
    withDirectory(async (root) => {
      writeFileSync(join(root, 'shop.tfstate'), fixture('format-3.tfstate'));
      const workspace = new Workspace({ roots: [root] });
      expect((await workspace.loadAllowed(join(root, 'shop.tfstate'))).name).toBe('shop');
      expect((await workspace.loadAllowed('shop.tfstate', { name: 'again' })).assets).toHaveLength(6);
      expect(workspace.active).toBe('again');
    }));

  test('whatever leads outside is refused with -31001, whether something is there or not', () =>
    withDirectory(async (directory) => {
      const root = join(directory, 'root');
      const sibling = join(directory, 'root-sibling');
      mkdirSync(root);
      mkdirSync(sibling);
      writeFileSync(join(sibling, 'secret.tfstate'), fixture('format-3.tfstate'));
      symlinkSync(join(sibling, 'secret.tfstate'), join(root, 'link.tfstate'));
      symlinkSync(sibling, join(root, 'linked-directory'));
      symlinkSync(join(sibling, 'not-there'), join(root, 'dangling.tfstate'));
      const workspace = new Workspace({ roots: [root] });
      const outside = [
        '/etc/passwd',
        '/no/such/file',
        join(sibling, 'secret.tfstate'),
        join(sibling, 'not-there'),
        relative(root, join(sibling, 'secret.tfstate')),
        'link.tfstate',
        'dangling.tfstate',
        'linked-directory/secret.tfstate',
        'linked-directory/not-there',
        '..',
      ];
      for (const path of outside) {
        const error = await failure(workspace.loadAllowed(path));
        expect([path, error.code]).toEqual([path, -31001]);
        expect(error.message).toContain('outside the allowed directories');
      }
      expect(workspace.datasets).toEqual([]);
    }));

  const swaps: [string, (root: string, outside: string) => void][] = [
    ['the file', (root, outside) => swap(join(root, 'inner', 'a.tfstate'), join(outside, 'a.tfstate'))],
    ['its directory', (root, outside) => swap(join(root, 'inner'), outside)],
  ];
  const swap = (path: string, target: string): void => {
    renameSync(path, `${path}-before`);
    symlinkSync(target, path);
  };

  test.each(swaps)('%s that becomes a link after it was looked at is not followed', (_, make) =>
    withDirectory(async (directory) => {
      const root = join(directory, 'root');
      const outside = join(directory, 'outside');
      for (const each of [join(root, 'inner'), outside]) {
        mkdirSync(each, { recursive: true });
        writeFileSync(join(each, 'a.tfstate'), fixture('format-3.tfstate'));
      }
      const workspace = new Workspace({ roots: [root] });
      const { roots } = workspace;
      const locate = roots.locate.bind(roots);
      roots.locate = async (path) => {
        const located = await locate(path);
        make(root, outside);
        return located;
      };
      expect((await failure(workspace.loadAllowed('inner/a.tfstate'))).code).toBe(-31001);
      expect(workspace.datasets).toEqual([]);
    }),
  );

  test('a root that is not there, or is a file, is refused when the server starts', () =>
    withDirectory(async (directory) => {
      writeFileSync(join(directory, 'file'), '');
      const start = (root: string) => failure(createEstateLayer({ roots: [directory, join(directory, root)] }));
      expect((await start('sttaes')).message).toBe(
        `Root ${join(directory, 'sttaes')}: there is no such directory. Name a directory that state files are in.`,
      );
      expect((await start('file')).message).toContain('file: not a directory');
      expect(await createEstateLayer({ roots: [directory] })).toBeDefined();
    }));

  test('a root may itself be reached through a link', () =>
    withDirectory(async (directory) => {
      mkdirSync(join(directory, 'real'));
      writeFileSync(join(directory, 'real', 'a.json'), fixture('show.json'));
      symlinkSync(join(directory, 'real'), join(directory, 'root'));
      const workspace = new Workspace({ roots: [join(directory, 'root')] });
      expect((await workspace.loadAllowed('a.json')).assets).toHaveLength(3);
      expect((await workspace.loadAllowed(join(directory, 'root', 'a.json'), { name: 'b' })).name).toBe('b');
    }));

  test('without roots nothing may be loaded', async () => {
    expect((await failure(new Workspace().loadAllowed(DEMO_STATE))).code).toBe(-31001);
  });

  test('a missing file inside a root is not found, and its neighbors are suggested', () =>
    withDirectory(async (root) => {
      writeFileSync(join(root, 'production.tfstate'), '');
      const error = await failure(new Workspace({ roots: [root] }).loadAllowed('prodction.tfstate'));
      expect(error).toMatchObject({ name: 'NotFoundError', data: { suggestions: ['production.tfstate'] } });
    }));
});

describe('loading', () => {
  test('a file over the limit is refused unread, with both numbers', () =>
    withDirectory(async (root) => {
      const path = join(root, 'big.tfstate');
      writeFileSync(path, '');
      truncateSync(path, 100_000_001);
      const error = await failure(new Workspace().load(path));
      expect(error.message).toBe('big.tfstate: 100.0 MB, and the limit is 100.0 MB.');
      expect(error.data).toEqual({ size: 100_000_001, limit: 100_000_000 });
      const small = new Workspace({ maxStateBytes: 1_000 });
      expect((await failure(small.load(DEMO_STATE))).data.limit).toBe(1_000);
    }));

  test('a directory and a missing file are refused', () =>
    withDirectory(async (root) => {
      expect((await failure(new Workspace().load(root))).message).toContain('not a regular file');
      expect((await failure(new Workspace().load(join(root, 'x')))).message).toBe('x: cannot be opened (ENOENT).');
    }));

  test.each([
    ['UTF-16 with a mark, as a Windows shell writes it', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
    ['big-endian UTF-16 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['big-endian UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le').swap16()],
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ])('%s is read', (_, encode) =>
    withDirectory(async (root) => {
      const path = join(root, 'shown.json');
      writeFileSync(path, encode(fixture('show.json').replace('"slot": "blue"', '"slot": "grün"')));
      const { assets } = await new Workspace().load(path);
      expect(assets).toHaveLength(3);
      expect(assets.some(({ tags }) => tags.slot === 'grün')).toBe(true);
    }),
  );

  test('the error names the file and quotes nothing of it', () =>
    withDirectory(async (root) => {
      writeFileSync(join(root, 'a.tfstate'), 'password = "hunter2"');
      const error = await failure(new Workspace().load(join(root, 'a.tfstate')));
      expect(error).toMatchObject({ name: 'ToolError' });
      expect(error.message).toMatch(/^a\.tfstate: Not JSON/);
      expect(JSON.stringify([error.message, error.data])).not.toContain('hunter2');
    }));

  test('a name in use is kept unless replaced, also by two loads at once', async () => {
    const workspace = await demoWorkspace();
    expect((await failure(workspace.load(DEMO_STATE, { name: 'demo' }))).message).toContain('loaded already');
    await workspace.load(DEMO_STATE, { name: 'demo', replace: true });
    const both = await Promise.allSettled(['a', 'a'].map((name) => workspace.load(DEMO_STATE, { name })));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await failure(workspace.load(DEMO_STATE, { name: '../x' }))).code).toBe(-32602);
  });

  test('unloading the active dataset activates the one loaded last', async () => {
    const workspace = await demoWorkspace();
    await workspace.load(DEMO_STATE, { name: 'second' });
    workspace.unload('second');
    expect(workspace.active).toBe('demo');
    workspace.unload('demo');
    expect(workspace.active).toBeUndefined();
    expect(() => workspace.dataset()).toThrow('No dataset is loaded');
    expect(() => workspace.unload('demo')).toThrow('No dataset "demo"');
  });
});

describe('references', () => {
  test('an address, an id, an ARN and a unique name mean one asset', async () => {
    const demo = (await demoWorkspace()).dataset();
    for (const reference of [
      'aws_db_instance.orders',
      'db-ORDERSDEMO0000000000000001',
      'arn:aws:rds:eu-central-1:111122223333:db:orders',
    ]) {
      expect(demo.resolve(reference).address).toBe('aws_db_instance.orders');
    }
    expect(demo.resolve('invoice-mailer').type).toBe('aws_lambda_function');
  });

  test('a name of several assets lists them', async () => {
    const demo = (await demoWorkspace()).dataset();
    expect(() => demo.resolve('orders')).toThrow(
      '2 assets are called "orders": aws_db_instance.orders, aws_db_subnet_group.orders',
    );
  });

  test('an unknown reference suggests the nearest ones', async () => {
    const demo = (await demoWorkspace()).dataset();
    expect(() => demo.resolve('invoice-maler')).toThrow('Did you mean "invoice-mailer"');
    expect(() => demo.resolve('aws_db_instance.order')).toThrow('"aws_db_instance.orders"');
    expect(() => demo.resolve('zzzzzz')).toThrow(/^No asset "zzzzzz" in dataset "demo"\.$/);
    expect(() => demo.resolve('__proto__')).toThrow('No asset');
  });

  test('every reference that is offered finds exactly one asset', async () => {
    const demo = (await demoWorkspace()).dataset();
    const offered = [...demo.references()];
    expect(offered.length).toBeGreaterThan(100);
    for (const reference of offered) expect(demo.resolve(reference)).toBeDefined();
  });
});

describe('finding', () => {
  const found = async (filter: object): Promise<string[]> =>
    select((await demoWorkspace()).dataset().assets, filter, 'address', false).map(({ address }) => address);

  test('all words of a query must be somewhere, in any case', async () => {
    expect(await found({ query: 'ORDERS db_instance' })).toEqual([
      'aws_db_instance.orders',
      'aws_db_instance.orders_replica',
    ]);
    expect(await found({ query: 'tier=private 10.20' })).toEqual([]);
    expect(await found({ query: 'tier=private' })).toHaveLength(3);
  });

  test('filters are joined by "and"', async () => {
    expect(await found({ provider: 'AWS', region: 'EU-WEST-1' })).toHaveLength(3);
    expect(await found({ module: 'module.service' })).toHaveLength(8);
    expect(await found({ module: 'module.service["web"]', type: 'aws_instance' })).toHaveLength(2);
    expect(await found({ tag: 'data=personal' })).toHaveLength(2);
    expect(await found({ tag: 'toString' })).toEqual([]);
    expect(await found({ region: '(none)' })).toEqual([]);
    expect(await found({ region: 'West Europe' })).toHaveLength(5);
    expect(await found({ region: 'europe-west1-b' })).toHaveLength(3);
  });

  test('order: by the field, then by address', async () => {
    const { assets } = (await demoWorkspace()).dataset();
    const regions = select(assets, {}, 'region', true).map(({ region }) => region);
    expect(regions.at(0)).toBe('westeurope');
    expect(regions.at(-1)).toBe('eu-central-1');
  });
});

describe('a cursor', () => {
  const listing = new Cursor('digest', { query: 'a' });

  test('brings its offset back', () => {
    expect(listing.read(listing.write(20))).toBe(20);
  });

  test('goes stale when the data or the filters change', () => {
    for (const other of [new Cursor('digest-2', { query: 'a' }), new Cursor('digest', { query: 'b' })]) {
      expect(() => other.read(listing.write(20))).toThrow('stale');
    }
  });

  test.each(['', 'x', '!!!!', Buffer.from('{"offset":1}').toString('base64url')])('%j is not one', (text) => {
    expect(() => listing.read(text)).toThrow('not a cursor');
  });
});
