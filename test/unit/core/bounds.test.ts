import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bound, BOUNDS } from '../../../src/core/bounds.js';
import { NativeMcpServer } from '../../../src/native/native-server.js';
import { CALL_PROBES } from '../../support/bounds/calls.js';
import { CARRIER_PROBES } from '../../support/bounds/carriers.js';
import { PART_PROBES } from '../../support/bounds/parts.js';
import type { Probe } from '../../support/bounds/probe.js';
import { SCHEMA_PROBES } from '../../support/bounds/schemas.js';
import { layerOf } from '../../support/layers.js';

const ROWS = Object.entries<Bound>(BOUNDS);
const PROBES: Readonly<Record<string, Probe>> = {
  ...CARRIER_PROBES,
  ...CALL_PROBES,
  ...SCHEMA_PROBES,
  ...PART_PROBES,
};
const root = join(__dirname, '../../..');
const sources = ['src', 'providers', 'decorators'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('bounds'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') })),
);

describe('the limits that hold unless an option says otherwise', () => {
  it.each(ROWS)(
    '%s has a default, a unit, a reason and an end',
    (_name, { beyond, default: value, protects, unit }) => {
      expect(value).toBeGreaterThan(0);
      for (const text of [unit, protects, beyond]) expect(text).toMatch(/^\S.*[^.]$/);
    },
  );

  it.each(ROWS)('%s is where the code has its number from', (name) => {
    expect(sources.filter(({ text }) => text.includes(`.${name}.default`)).map((source) => source.name)).not.toEqual(
      [],
    );
  });

  it('are all the limits there are: no source has one of its own', () => {
    const own = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/^(?:export )?const (MAX_\w+) = [\d(]/gm)].map(([, constant]) => `${name}: ${constant}`),
    );
    expect(own.sort()).toEqual(OTHER_THINGS);
  });

  it.each(ROWS.filter(([, { of }]) => of === 'http' || of === 'server'))(
    '%s is an option of HTTP, and of every transport where it is the server’s',
    (name, bound) => {
      const layer = layerOf(() => undefined);
      expect(() => layer.fetchHandler({ [name]: 5 })).not.toThrow();
      if (name !== 'stallMs') expect(() => layer.fetchHandler({ [name]: 0 })).toThrow(name);
      const server = (): unknown => new NativeMcpServer(layer, { [name]: 5 });
      if (bound.of === 'server') expect(server).not.toThrow();
      else expect(server).toThrow(name);
    },
  );
});

/** What is called a most of something and is no limit of what others send, each with what it is. */
const OTHER_THINGS: readonly string[] = [
  'src/adapters/detect.ts: MAX_WRAPPERS', // how far a server is unwrapped
  'src/adapters/exports/model-tools.ts: MAX_NAME_CHARS', // what model APIs take
  'src/core/check-options.ts: MAX_TIMER_MS', // what Node's timers take
  'src/core/json-value.ts: MAX_SHOWN', // the words of an error
  'src/layer/service-scopes.ts: MAX_PROBLEM', // the words of an error
  'src/layer/undeclared.ts: MAX_NAMED', // the words of a warning
  'src/middleware/metrics.ts: MAX_MICROSECONDS', // the range of a histogram
  'src/native/http/sessions/session-table.ts: MAX_SWEEP_MS', // how often is looked
  'src/schema/hosts/lint.ts: MAX_PORTABLE_NAME', // what hosts take
  'src/schema/raw/types.ts: MAX_PARTS_FOR_ALL', // how many problems are looked for
  'src/schema/read/genuine.ts: MAX_PROBE_LENGTH', // what validators are tried with at start
  'src/schema/validate/check-runner.ts: MAX_JOBS_WHEN_REFUSED', // how many problems are looked for
  'src/schema/validate/fast-shapes.ts: MAX_INLINE_VALUES', // the shape of generated code
  'src/testing/conversation.ts: MAX_ROUNDS', // of tests alone
];

describe('exactly at a limit, and one past it', () => {
  it('every limit is tried', () => expect(Object.keys(PROBES).sort()).toEqual(Object.keys(BOUNDS).sort()));

  it.each(Object.entries(PROBES))('%s', async (name, { fits, limit = BOUNDS[name as keyof typeof BOUNDS].default }) => {
    expect([await fits(limit, limit), await fits(limit + 1, limit)]).toEqual([true, false]);
  });
});
