// Writes the picture of a call's life into README.md, from the list that the layer runs. --check only compares. Run it with
// --import ./test/support/ts-hook.mjs, which reads the sources.
import { putIntoPage } from './put-into-page.mjs';

const { STAGES } = await import('../src/layer/stage-list.ts');
const rows = [
  ['look up', 'the name, among what this caller may see'],
  ['middleware', 'the onion, outermost first'],
  ...STAGES.map(({ name, summary }) => [name, summary]),
  ['middleware', 'back through the onion'],
];
const width = Math.max(...rows.map(([name]) => name.length));
const picture = ['```text', ...rows.map(([name, summary]) => `${name.padEnd(width)}  ${summary}`), '```'].join('\n');
putIntoPage('README.md', { stages: picture });
