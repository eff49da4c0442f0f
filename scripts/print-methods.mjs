// Writes the table of the protocol's methods into docs/extensions.md, from the list that the engine answers by. --check
// only compares. Run it with --import ./test/support/ts-hook.mjs, which reads the sources.
import { putIntoPage, table } from './put-into-page.mjs';

const { METHODS } = await import('../src/native/methods/index.ts');
const rows = [...METHODS]
  .map((method) => [
    `\`${method.name}\``,
    method.eras.join(', '),
    method.feature ?? 'always',
    method.nameParam ?? '',
    { shared: 'for all', personal: 'per caller' }[method.cacheable] ?? '',
    method.mayAsk ? 'yes' : '',
  ])
  .sort(([a], [b]) => (a < b ? -1 : 1));
putIntoPage('docs/extensions.md', {
  methods: table(['Method', 'Eras', 'Offered with', '`Mcp-Name`', 'May be kept', 'May ask'], rows),
});
