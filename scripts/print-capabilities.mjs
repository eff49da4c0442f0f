// Writes the hints that capabilities derive into docs/capabilities.md, as a tool that declares them gets them. --check only
// compares. Run it with --import ./test/support/ts-hook.mjs, which reads the sources.
import { putIntoPage, table } from './put-into-page.mjs';

const { CAPABILITIES } = await import('../src/core/capabilities.ts');
const { Registry } = await import('../src/index.ts');

const declared = [[], ...CAPABILITIES.map((one) => [one]), ['read_state', 'write_state'], ['read_state', 'write_fs']];
const registry = new Registry();
const rows = declared.map((capabilities, index) => {
  const { annotations } = registry.tool({ name: `tool_${index}`, capabilities }, () => undefined);
  const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].map((hint) => annotations[hint]);
  return [`\`[${capabilities.join(', ')}]\``, ...hints.map((hint) => (hint === undefined ? 'unset' : String(hint)))];
});
putIntoPage('docs/capabilities.md', {
  hints: table(['Declared', '`readOnlyHint`', '`destructiveHint`', '`idempotentHint`', '`openWorldHint`'], rows),
});
