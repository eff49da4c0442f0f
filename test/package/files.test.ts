import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { installedWithIt, PackedApp } from '../support/package/packed.js';

describe('the files of the packed package', () => {
  const app = new PackedApp();
  const own = join(app.folder, 'node_modules', 'cartouche');
  const files = (readdirSync(own, { recursive: true }) as string[]).filter((path) =>
    statSync(join(own, path)).isFile(),
  );

  beforeAll(() => {
    app.install(installedWithIt());
  });

  afterAll(() => {
    app.remove();
  });

  test('every link of a page leads to a file and a heading that are there', () => {
    const pages = files.filter((path) => path.endsWith('.md'));
    const broken = pages.flatMap((page) =>
      linksOf(textOf(page))
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => !leads(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/errors.md', 'docs/mounting/README.md']));
  });

  test.each(['mjs', 'cjs'])('a stack trace names the sources, which are there (%s)', (format) => {
    const load =
      format === 'mjs' ? "import { McpLayer } from 'cartouche';" : "const { McpLayer } = require('cartouche');";
    const program = join(app.folder, `throws.${format}`);
    writeFileSync(program, `${load}\nnew McpLayer({ name: '', version: '' });\n`);
    const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', program], { encoding: 'utf8' });
    const frames = [...stderr.matchAll(/node_modules\/cartouche\/(\S+?):(\d+):\d+\)/g)];
    expect(frames.length).toBeGreaterThan(1);
    const named = frames.map(([, path]) => path as string);
    expect(named.filter((path) => !path.endsWith('.ts') || !existsSync(join(own, path)))).toEqual([]);
    expect(named).toContain('src/layer/layer-core.ts');
    const [, path, line] = frames.find(([, at]) => at === 'src/layer/layer-core.ts') as unknown as [
      string,
      string,
      string,
    ];
    expect(textOf(path).split('\n')[Number(line) - 1]).toMatch(/\(/);
  });

  test('every map leads to sources that are there, and holds no copy of them', () => {
    const maps = files.filter((path) => path.endsWith('.map'));
    const scripts = files.filter((path) => /^dist\/.*\.js$/.test(path));
    expect(scripts.filter((path) => !maps.includes(`${path}.map`))).toEqual([]);
    const missing = maps.flatMap((path) => {
      const { sources, sourcesContent } = JSON.parse(textOf(path)) as { sources: string[]; sourcesContent?: unknown };
      expect(sourcesContent).toBeUndefined();
      return sources.filter((source) => !existsSync(join(own, dirname(path), source)));
    });
    expect(missing).toEqual([]);
  });

  function textOf(path: string): string {
    return readFileSync(join(own, path), 'utf8');
  }

  function leads(page: string, link: string): boolean {
    const [path, heading] = link.split('#') as [string, string?];
    const target = path === '' ? join(own, page) : join(own, dirname(page), path);
    if (!existsSync(target)) return false;
    return heading === undefined || headingsOf(textOf(relative(own, target))).includes(heading);
  }
});

/** Where the links of a page lead, without those in code. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '`');
  return [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s*(\S+)/gm)].map(
    ([, inline, reference]) => (inline ?? reference) as string,
  );
}

function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, text]) =>
    (text as string)
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
