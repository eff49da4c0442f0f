// Writes the table of limits into docs/http.md, from the table that the code takes its numbers from. --check only
// compares. Run it with --import ./test/support/ts-hook.mjs, which reads the sources.
import { putIntoPage, table } from './put-into-page.mjs';

const { BOUNDS } = await import('../src/core/bounds.ts');

/** What an owner's options are called on the page, in the order of the page. */
const PLACES = {
  http: ['http-bounds', 'every handler and `serve()` of HTTP'],
  serve: ['http-bounds', "`serve('http')`"],
  server: ['http-bounds', 'every transport'],
  MemoryEventStore: ['http-bounds', '`MemoryEventStore`'],
  stdio: ['http-bounds', "`serve('stdio')`"],
  layer: ['call-bounds', 'the layer'],
  validationLimits: ['call-bounds', '`validationLimits` of the layer'],
  requestState: ['call-bounds', '`requestState` of the layer'],
  cache: ['part-bounds', '`cache()`'],
  MemoryCacheStore: ['part-bounds', '`MemoryCacheStore`'],
  MemoryRateLimitStore: ['part-bounds', '`MemoryRateLimitStore`'],
  concurrency: ['part-bounds', '`concurrency()`'],
  retry: ['part-bounds', '`retry()`'],
  metrics: ['part-bounds', '`metrics()`'],
  none: ['fixed-bounds', undefined],
};

const rows = Object.entries(BOUNDS).map(([name, bound]) => ({ name, ...bound, place: PLACES[bound.of] }));
const order = Object.keys(PLACES);

function shown(name, value) {
  if (value === Infinity) return 'none';
  if (name.endsWith('Ms') && value % 60_000 === 0) return `${value / 60_000} min`;
  if (name.endsWith('Ms')) return `${value / 1000} s`;
  if (value >= 2 ** 20 && value % 2 ** 20 === 0) return `${value / 2 ** 20} Mi`;
  return value.toLocaleString('en');
}

const withoutUnit = (name, unit) => (name.endsWith('Ms') ? unit.replace(/^milliseconds /, 'time ') : unit);

function part(place) {
  const fixed = place === 'fixed-bounds';
  const own = rows
    .filter((row) => row.place[0] === place)
    .sort((a, b) => order.indexOf(a.of) - order.indexOf(b.of))
    .map(({ name, of, option = name, default: value, unit, protects, beyond }) => [
      withoutUnit(name, unit),
      ...(fixed ? [] : [`\`${option}\` of ${PLACES[of][1]}`]),
      shown(name, value),
      protects,
      beyond,
    ]);
  return table(['What', ...(fixed ? [] : ['Option']), fixed ? 'Limit' : 'Default', 'Protects', 'Beyond it'], own);
}

putIntoPage(
  'docs/http.md',
  Object.fromEntries(['http-bounds', 'call-bounds', 'part-bounds', 'fixed-bounds'].map((name) => [name, part(name)])),
);
