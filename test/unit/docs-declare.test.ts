import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const sources = [
  join(root, 'README.md'),
  ...['docs', 'sample-app/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:md|ts)$/.test(name))
      .map((name) => join(root, folder, name)),
  ),
];

/** Code of a page or a program: each declaration of a primitive with the class, if any, that it is in. */
function undeclared(text: string): string[] {
  const code = text.startsWith('#') ? [...text.matchAll(/```ts\n(.*?)\n```/gs)].map(([, block]) => block!) : [text];
  return code.flatMap((block) =>
    // A page may show a method alone; what stands before the first class is a part of its own.
    block.split(/^(?=@McpService\()/m).flatMap((part) => {
      const service = /^@McpService\(([^)]*)\)/.exec(part)?.[1] ?? '';
      const calls = [...part.matchAll(/(?:@(?:Tool|Resource|ResourceTemplate|Prompt)|registry\.(?:tool|prompt|resource\w*))\(/g)]; // prettier-ignore
      return calls
        .map(({ index }) => part.slice(index, closing(part, index)))
        .filter((call) => !`${service}${call}`.includes('capabilities:'));
    }),
  );
}

/** Where the parenthesis that opens next is closed. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

test('every example says what its primitives touch', () => {
  const found = sources.flatMap((path) =>
    undeclared(readFileSync(path, 'utf8')).map((call) => `${relative(root, path)}: ${call}`),
  );
  expect(found).toEqual([]);
});

test('an example that does not is found', () => {
  expect(
    undeclared("@McpService()\nclass A {\n  @Tool({ title: 'x' })\n}\nregistry.tool({ name: 'b' }, () => 1);"),
  ).toEqual(["@Tool({ title: 'x' }", "registry.tool({ name: 'b' }, () => 1"]);
  expect(undeclared('@McpService({ capabilities: [] })\nclass A {\n  @Tool()\n}')).toEqual([]);
});
