import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const docs = resolve(__dirname, '../../docs');
const programs = ['containers', 'stores'].flatMap((page) =>
  readdirSync(resolve(docs, page)).map((file) => [page, file] as const),
);

// With the real packages, as ES modules: what a page promises of a port is what it shows.
test.each(programs)(
  'docs/%s.md shows %s, and what it prints',
  async (page, file) => {
    const text = readFileSync(resolve(docs, `${page}.md`), 'utf8');
    const path = resolve(docs, page, file);
    expect(text).toContain(`\`\`\`ts\n${readFileSync(path, 'utf8').trimEnd()}\n\`\`\``);
    const program = ['--import', './test/support/ts-hook.mjs', path];
    const { stdout } = await run(process.execPath, program, { cwd: resolve(docs, '..') });
    expect(text).toContain(`\`\`\`text\n${stdout.trimEnd()}\n\`\`\``);
  },
  60_000,
);
