// Prints the contract of mounting against every host, as measured now: node scripts/mount-table.mjs [--json] [--callers] [host…]
// With --callers, only what keeps two people of one client apart, and the layer's own fronts with it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const arguments_ = process.argv.slice(2);
const asJson = arguments_.includes('--json');
const named = arguments_.filter((argument) => !argument.startsWith('--'));
const callers = arguments_.filter((argument) => argument === '--callers');
const groups = named.length > 0 ? named : [...callers.map(() => 'native'), 'sdk', 'fastmcp', 'mcp-nest'];

/** One process per group: hosts patch classes, and print on standard output. */
function run(group) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--import', './test/support/ts-hook.mjs', 'test/support/mount/run.ts', group, ...callers],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.on('exit', (code) => {
      const line = output.split('\n').find((text) => text.startsWith('[{'));
      if (line === undefined) reject(new Error(`${group} gave no table (exit code ${code}):\n${errors}\n${output}`));
      else resolve(JSON.parse(line));
    });
  });
}

/** One line per host; copies in both module formats share one where they agree, as everything is meant to. */
function print(cells) {
  const checks = [...new Set(cells.map(({ check }) => check))];
  const rows = new Map();
  for (const { check, host, outcome, text } of cells) {
    const name = host.replace(/ (?:esm|cjs)$/, '');
    const row = rows.get(name) ?? new Map();
    rows.set(name, row);
    const cell = outcome === 'broken' ? `BROKEN: ${text.split('\n')[0]}` : text;
    const before = row.get(check);
    row.set(check, before === undefined || before === cell ? cell : `${before} / ${cell}`);
  }
  const notes = [];
  const short = (text) => {
    if (text === undefined) return 'MISSING';
    if (text === 'yes') return 'yes';
    const known = notes.indexOf(text);
    const index = known === -1 ? notes.push(text) : known + 1;
    const word = /^(?:yes|none|no)/.exec(text)?.[0] ?? text.split(' ')[0];
    return `${word} [${index}]`;
  };
  const lines = [
    ['host', ...checks],
    ...[...rows].map(([name, row]) => [name, ...checks.map((check) => short(row.get(check)))]),
  ];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  lines.splice(
    1,
    0,
    widths.map((width) => '-'.repeat(width)),
  );
  for (const line of lines) console.log(`| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  console.log();
  notes.forEach((note, index) => console.log(`[${index + 1}] ${note}`));
}

const cells = [];
for (const group of groups) cells.push(...(await run(group)));
if (asJson) console.log(JSON.stringify(cells));
else print(cells);
if (cells.some(({ outcome }) => outcome === 'broken')) process.exitCode = 1;
