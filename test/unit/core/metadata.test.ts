import {
  define,
  lineage,
  MetadataKey,
  read,
  readOwnClass,
  reflectWasReplaced,
  update,
} from '../../../src/core/metadata.js';
import { specsOfService } from '../../../src/registry/service-specs.js';

interface Note {
  readonly text: string;
}

const NOTE = new MetadataKey<Note>('test-note');
const texts = (cls: abstract new () => unknown): unknown =>
  [...read(NOTE, cls)].map(([member, { declaredBy, records }]) => [
    member,
    declaredBy.name,
    ...records.map(({ text }) => text),
  ]);

class Parent {}
class Child extends Parent {}

define(NOTE, Parent, 'a', { text: 'parent a' });
define(NOTE, Parent, 'b', { text: 'parent b' });
define(NOTE, Child, 'b', { text: 'child b' });
define(NOTE, Child, 'c', { text: 'child c' });
define(NOTE, Parent, undefined, { text: 'parent class' });

test('ancestors come first, and a redeclared member replaces', () => {
  expect(texts(Child)).toEqual([
    ['a', 'Parent', 'parent a'],
    ['b', 'Child', 'child b'],
    ['c', 'Child', 'child c'],
  ]);
  expect(texts(Parent)).toEqual([
    ['a', 'Parent', 'parent a'],
    ['b', 'Parent', 'parent b'],
  ]);
});

test("a class's own records are its own", () => {
  expect([readOwnClass(NOTE, Parent), readOwnClass(NOTE, Child)]).toEqual([[{ text: 'parent class' }], []]);
});

test('what was read does not change when more is written', () => {
  const before = read(NOTE, Parent).get('a');
  define(NOTE, Parent, 'a', { text: 'again' });
  expect(before?.records).toEqual([{ text: 'parent a' }]);
  update(NOTE, Parent, 'a', (records) => records.slice(0, 1));
  expect(Object.isFrozen(read(NOTE, Parent).get('a')?.records)).toBe(true);
});

test('another loaded copy of this package sees the same records', () => {
  expect(new MetadataKey('test-note').id).toBe(NOTE.id);
});

test('a lineage ends with the class itself', () => {
  expect(lineage(Child)).toEqual([Parent, Child]);
});

test('a replaced Reflect is noticed, and named where a class seems to have nothing to offer', () => {
  expect(reflectWasReplaced()).toBe(false);
  const original = Reflect.defineMetadata;
  Reflect.defineMetadata = () => undefined;
  try {
    expect(reflectWasReplaced()).toBe(true);
    expect(specsOfService(class Empty {}).findings).toEqual([
      'Empty: its decorators wrote to another copy of reflect-metadata. Keep one copy (npm ls reflect-metadata), and ' +
        'import cartouche before anything that replaces Reflect. [CT204]',
    ]);
  } finally {
    Reflect.defineMetadata = original;
  }
});
