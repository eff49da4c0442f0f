import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(__dirname, '../..');
const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name));
const programs = files.filter((name) => name.endsWith('.ts'));
const pages = files.filter((name) => name.endsWith('.md')).map((name) => ({ name, text: textOf(name) }));

/** Pages whose blocks are parts of a program that the reader writes, and do not run by themselves. */
const PARTS: ReadonlySet<string> = new Set(['docs/asking.md', 'docs/errors.md', 'docs/middleware.md']);

function textOf(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** The fenced blocks of a page in one language. */
function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, 'gms'))].map(([, block]) => block!);
}

/** Where a page leads, but for other sites. */
function linksOf(page: string): { href: string; anchor: string }[] {
  return [...page.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g)].map(([, href = '', anchor = '']) => ({
    href,
    anchor,
  }));
}

/** The headings of a page as GitHub names them in links. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

// With the real packages, as ES modules, where jest would load CommonJS.
const execute = (...args: string[]) =>
  run(process.execPath, ['--import', './test/support/ts-hook.mjs', ...args], { cwd: root });

test.each(programs)(
  'a page shows %s, and what it prints',
  async (name) => {
    const program = textOf(name).trimEnd();
    const shown = pages.filter(({ text }) => blocks(text, 'ts').includes(program));
    expect(shown).toHaveLength(1);
    const { stdout } = await execute(name);
    expect(blocks(shown[0]!.text, 'text')).toContain(stdout.trimEnd().replace(/ +$/gm, ''));
  },
  60_000,
);

test('the YAML that pages show is that of a file', () => {
  const known = files.filter((name) => name.endsWith('.yaml')).map((name) => textOf(name).trimEnd());
  const shown = pages.flatMap(({ text }) => blocks(text, 'yaml'));
  expect([...shown].sort()).toEqual([...known].sort());
});

test.each(pages.filter(({ name }) => !PARTS.has(name)))('all code of $name runs', ({ text }) => {
  const known = programs.map((name) => textOf(name).trimEnd());
  expect(blocks(text, 'ts').filter((block) => !known.includes(block))).toEqual([]);
});

test.each(readdirSync(join(root, 'scripts')).filter((name) => name.startsWith('print-')))(
  'what %s writes is in its page',
  async (script) => {
    await expect(execute(`scripts/${script}`, '--check')).resolves.toBeDefined();
  },
  60_000,
);

test('every page is linked from the README, or from the overview of its folder', () => {
  const overviews = ['README.md', ...pages.map(({ name }) => name).filter((name) => name.endsWith('/README.md'))];
  const linked = overviews.flatMap((overview) =>
    linksOf(textOf(overview)).flatMap(({ href }) =>
      [href, `${href}/README.md`].map((to) => join(dirname(overview), to)),
    ),
  );
  expect(pages.map(({ name }) => name).filter((name) => !linked.includes(name))).toEqual([]);
});

test.each([...pages, { name: 'README.md', text: textOf('README.md') }])(
  '$name links to what is there',
  ({ name, text }) => {
    const lost = linksOf(text).filter(({ href, anchor }) => {
      const path = href === '' ? name : join(dirname(name), href);
      if (!existsSync(join(root, path))) return true;
      return anchor !== '' && path.endsWith('.md') && !anchorsOf(textOf(path)).includes(anchor);
    });
    expect(lost).toEqual([]);
  },
);
