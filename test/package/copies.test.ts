import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedWithIt, PackedApp, root } from '../support/package/packed.js';

const run = promisify(execFile);

type Versions = Readonly<Record<string, string>>;

const OLDEST: Versions = {
  tsyringe: 'tsyringe-4.8',
  'class-validator': 'class-validator-0.14',
  'reflect-metadata': 'reflect-metadata-0.1',
};
const NEWEST: Versions = Object.fromEntries(Object.keys(OLDEST).map((name) => [name, name]));

/** What the program of this checkout's own copies prints. */
const SAID = {
  order: '2 red to Rome in EUR',
  refused:
    'Invalid arguments: colours.0: must be one of "red", "blue"; place.place-name: is required; ' +
    'count: must not be greater than 9; count: must be even; mail: must be an email',
  change: '{"colours":["blue"]}',
  listed: [
    ['count', 'colours', 'mail', 'place'],
    ['count', 'colours', 'mail', 'place'],
  ],
  logged: [],
};
const UNKNOWN =
  'ConfigurationError: TsyringeContainer: parent belongs to another copy of tsyringe, which does not know how to ' +
  'construct Office. Keep one copy (npm ls tsyringe), or add @injectable() of that copy to each. [CT409]';

describe('beside the packages that somebody has', () => {
  const packed = new PackedApp();
  const apps = [packed];

  afterAll(() => {
    for (const app of apps) app.remove();
  });

  /** The project has its packages, and the package what npm puts beneath it where it was given other versions. */
  async function reports(project: Versions, own: Versions): Promise<unknown[]> {
    const app = new PackedApp(packed);
    apps.push(app);
    app.install(Object.fromEntries(installedWithIt().map((name) => [name, project[name] ?? name])));
    app.install(Object.fromEntries(Object.entries(own).map(([name, at]) => [`cartouche/node_modules/${name}`, at])));
    const programs = app.compile(join(root, 'test/support/package/copies'));
    const ways = ['shop.mjs', 'shop.cjs'].flatMap((file) => [[file], ['--require', 'reflect-metadata', file]]);
    return Promise.all(
      ways.map(async (args) => JSON.parse((await run(process.execPath, args, { cwd: programs })).stdout) as unknown),
    );
  }

  test.each<[string, Versions, Versions, string]>([
    ['the newest', NEWEST, {}, 'EUR'],
    ['the oldest that the peer ranges name', OLDEST, {}, 'EUR'],
    ['the oldest, and the package the newest of its own', OLDEST, NEWEST, UNKNOWN],
    ['the newest, and the package the oldest of its own', NEWEST, OLDEST, UNKNOWN],
  ])(
    'where the project has %s, DTOs and metadata are read, and the container does what it can or says what it cannot',
    async (_, project, own, office) => {
      expect(await reports(project, own)).toEqual(Array(4).fill({ ...SAID, office }));
    },
    120_000,
  );
});
