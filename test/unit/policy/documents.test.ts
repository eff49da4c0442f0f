import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, DocumentPolicy, type PolicyDocument } from 'cartouche';
import { mergeDocuments } from '../../../src/policy/merge.js';

const folder = mkdtempSync(join(tmpdir(), 'cartouche-policies-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function problems(load: () => unknown): readonly string[] {
  try {
    load();
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).findings;
  }
}

const problemsOf = (document: unknown): readonly string[] =>
  problems(() => DocumentPolicy.load(document as PolicyDocument));

describe('a document that is wrong', () => {
  test.each<[unknown, string]>([
    [null, 'policy: the options must be an object. Pass one, such as { allowTools: … }. [CT101]'],
    [[], 'policy: the options must be an object. Pass one, such as { allowTools: … }. [CT101]'],
    [{ denyTool: [] }, "policy: no option 'denyTool'. Did you mean 'denyTools'? [CT102]"],
    [{ denyTools: 'x' }, 'policy: denyTools must be a list of names. Pass strings. [CT103]'],
    [{ hideDenied: 'no' }, 'policy: hideDenied must be a boolean. Pass true or false. [CT103]'],
    [{ auditSize: 0 }, 'policy: auditSize is 0. Pass a whole number above 0. [CT103]'],
    [{ name: '' }, 'policy: name is empty. Pass a name. [CT103]'],
    [
      { denyCapabilities: ['execute'] },
      "policy: denyCapabilities must be a list of 'read_state', 'write_state', 'read_fs', 'write_fs', 'cloud_access', 'exec', 'reveal'. Pass some of them. [CT103]",
    ],
    [
      { maxSensitivity: 'secret' },
      "policy: maxSensitivity must be one of 'public', 'internal', 'confidential', 'restricted'. Pass one. [CT103]",
    ],
    [{ roles: [] }, 'policy roles must be an object. Pass one. [CT103]'],
    [{ roles: { lead: { allow: [] } } }, /^policy roles\.lead: no option 'allow'\./ as never],
    [{ roles: { lead: { name: 'x' } } }, /^policy roles\.lead: no option 'name'\./ as never],
    [{ roles: { lead: null } }, /^policy roles\.lead: the options must be an object\./ as never],
    [{ rules: {} }, 'policy rules must be a list. Pass an array. [CT103]'],
    [{ rules: [{}, 5] }, /^policy rules\[1\]: the options must be an object\./ as never],
    [{ rules: [{ match: { rols: [] } }] }, "policy rules[0].match: no option 'rols'. Did you mean 'roles'? [CT102]"],
    [{ rules: [{ match: null }] }, /^policy rules\[0\]\.match: the options must be an object\./ as never],
    [
      { rules: [{ match: { kinds: ['tools'] } }] },
      "policy rules[0].match: kinds must be a list of 'tool', 'resource', 'template', 'prompt'. Pass some of them. [CT103]",
    ],
    [
      { rateLimits: [{ rate: 1, per: 'week' }] },
      "policy rateLimits[0]: per must be one of 'second', 'minute', 'hour', 'day'. Pass one. [CT103]",
    ],
    [{ rateLimits: [{ rate: 0, per: 'day' }] }, 'policy rateLimits[0]: rate is 0. Pass a number above 0. [CT103]'],
    [{ rateLimits: [{ per: 'day' }] }, 'policy rateLimits[0]: rate is missing. Pass a number above 0. [CT103]'],
    [
      { rateLimits: [{ rate: 1 }] },
      "policy rateLimits[0]: per is missing. Pass 'second', 'minute', 'hour' or 'day'. [CT103]",
    ],
    [{ rateLimits: 5 }, 'policy rateLimits must be a list. Pass an array. [CT103]'],
    [
      { rateLimits: [{ rate: Infinity, per: 'day' }] },
      'policy rateLimits[0]: rate has no end. Leave the limit out. [CT103]',
    ],
    [
      { rules: [{ rateLimits: [{ rate: 1, per: 'day', burst: 0.5 }] }] },
      'policy rules[0].rateLimits[0]: burst is 0.5. Pass a number of 1 or more. [CT103]',
    ],
  ])('%j', (document, expected) => {
    expect(problemsOf(document)).toEqual([
      typeof expected === 'string' ? expected : (expect.stringMatching(expected) as string),
    ]);
  });

  test('tells everything at once', () => {
    expect(problemsOf({ denyTool: [], rules: [{ mach: {} }], audit: 1 })).toHaveLength(3);
  });

  test.each([
    ['is not there', 'missing.yaml', undefined, /missing\.yaml: this policy cannot be read \(ENOENT.*CT851/],
    ['is not YAML', 'bad.yaml', 'a: [1', /bad\.yaml: not YAML\. .*at line 1.*CT851/s],
    ['has a key twice', 'twice.yaml', 'audit: true\naudit: false', /Map keys must be unique at line 2/],
    ['has a tag', 'tag.yaml', 'name: !!js/function x', /Unresolved tag/],
    ['is two documents', 'two.yaml', '---\na: 1\n---\nb: 1', /multiple documents/],
    ['merges keys', 'merge.yaml', '<<: {audit: true}', /merge\.yaml: no option '<<'/],
    ['is empty', 'empty.yaml', '', /empty\.yaml: the options must be an object/],
    ['repeats itself', 'bomb.yaml', bomb(), /bomb\.yaml: Excessive alias count/],
    ['is a text', 'text.yaml', 'standard', /text\.yaml: the options must be an object/],
    ['has a key that every object has', 'proto.yaml', '__proto__: {audit: true}', /no option '__proto__'/],
    ['has one for a rule', 'rule.yaml', 'rules: [{__proto__: {}}]', /rules\[0\]: no option '__proto__'/],
    ['holds itself', 'self.yaml', 'denyTools: &a [*a]', /denyTools must be a list of names/],
  ])('a file that %s', (_what, name, text, expected) => {
    const path = text === undefined ? join(folder, name) : file(name, text);
    const found = problems(() => DocumentPolicy.load(path));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });
});

function bomb(): string {
  const levels = 'bcdefgh'
    .split('')
    .map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[i]}`).join(',')}]`);
  return ['a: &a [x]', ...levels].join('\n');
}

describe('what a document extends', () => {
  test('is read from the folder of its file, however long the chain is', () => {
    file('house/base.yaml', 'name: base\ndenyTools: [a]\naudit: true');
    file('house/middle.json', '{"extends": "base.yaml", "denyTools": ["b"], "allowTools": ["x"]}');
    const path = file('top.yaml', 'extends: house/middle.json\nallowTools: [y]\nhideDenied: false');
    const policy = DocumentPolicy.load(path);
    expect(policy.name).toBe('top');
    expect(policy.document).toMatchObject({ denyTools: ['a', 'b'], allowTools: ['y'], audit: true, hideDenied: false });
    expect(policy.files).toEqual([path, join(folder, 'house/middle.json'), join(folder, 'house/base.yaml')]);
  });

  test('may be a file where the document is an object', () => {
    const path = file('own.yaml', 'denyTools: [a]');
    const policy = DocumentPolicy.load({ extends: path, name: 'mine' });
    expect([policy.name, policy.document.denyTools, policy.files]).toEqual(['mine', ['a'], [path]]);
  });

  test('cannot come back to it', () => {
    const first = file('first.yaml', 'extends: second.yaml');
    const second = file('second.yaml', 'extends: first.yaml');
    expect(problems(() => DocumentPolicy.load(first))).toEqual([
      `${first}: this policy extends itself, through ${first} → ${second} → ${first}. Break the circle. [CT852]`,
    ]);
  });

  test('is checked under its own name', () => {
    const parent = file('parent.yaml', 'denyTool: [a]');
    const child = file('child.yaml', 'extends: parent.yaml');
    expect(problems(() => DocumentPolicy.load(child))[0]).toContain(`${parent}: no option 'denyTool'`);
  });
});

test.each<[string, PolicyDocument, PolicyDocument, PolicyDocument]>([
  ['scalars replace', { audit: true, auditSize: 5 }, { audit: false }, { audit: false, auditSize: 5 }],
  [
    'deny lists unite, each entry once',
    { denyTools: ['a', 'b'] },
    { denyTools: ['b', 'c'] },
    { denyTools: ['a', 'b', 'c'] },
  ],
  ['allow lists replace', { allowTools: ['a'] }, { allowTools: [] }, { allowTools: [] }],
  ['rules follow', { rules: [{ name: 'a' }] }, { rules: [{ name: 'b' }] }, { rules: [{ name: 'a' }, { name: 'b' }] }],
  [
    'limits follow',
    { rateLimits: [{ rate: 1, per: 'day' }] },
    { rateLimits: [{ rate: 2, per: 'day' }] },
    {
      rateLimits: [
        { rate: 1, per: 'day' },
        { rate: 2, per: 'day' },
      ],
    },
  ],
  [
    'roles merge, and what is in them by its key',
    { roles: { a: { denyTools: ['x'], allowTools: ['p'] }, b: {} } },
    { roles: { a: { denyTools: ['y'], allowTools: ['q'] }, c: {} } },
    { roles: { a: { denyTools: ['x', 'y'], allowTools: ['q'] }, b: {}, c: {} } },
  ],
  [
    'a role may have any name',
    { roles: { constructor: { denyTools: ['x'] } } },
    { roles: { toString: {} } },
    { roles: { constructor: { denyTools: ['x'] }, toString: {} } },
  ],
  ['undefined says nothing', { audit: true }, { audit: undefined }, { audit: true }],
])('merging: %s', (_name, parent, child, expected) => {
  const before = JSON.stringify([parent, child]);
  expect(mergeDocuments(parent, child)).toEqual(expected);
  expect(JSON.stringify([parent, child])).toBe(before);
});
