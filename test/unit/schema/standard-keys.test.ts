import { z } from 'zod';
import { InvalidArgumentsError, type Issue } from '../../../src/core/errors.js';
import { compileInput } from '../../../src/schema/input.js';

function refusalsOf(schema: z.ZodType, value: unknown, openArguments = false): readonly Issue[] | undefined {
  try {
    compileInput(schema, { site: 's', openArguments }).validate(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    return error.data;
  }
}

const extra = (loc: string): Partial<Issue> => ({ loc, type: 'extra_forbidden' });
const point = z.object({ x: z.number(), y: z.number().optional() });

describe('keys that the published schema does not know are refused before the library drops them', () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ['at the root', z.object({ name: z.string() }), { name: 'n', colour: 'red' }, 'colour'],
    ['in an object', z.object({ at: point }), { at: { x: 1, z: 2 } }, 'at.z'],
    ['in a list', z.object({ at: z.array(point) }), { at: [{ x: 1 }, { x: 1, z: 2 }] }, 'at.1.z'],
    ['in a record', z.object({ at: z.record(z.string(), point) }), { at: { a: { x: 1, z: 2 } } }, 'at.a.z'],
    ['in an optional, nullable object', z.object({ at: point.nullable().optional() }), { at: { x: 1, z: 2 } }, 'at.z'],
    [
      'of another alternative',
      z.object({
        v: z.discriminatedUnion('t', [
          z.object({ t: z.literal('a'), a: z.number() }),
          z.object({ t: z.literal('b'), b: z.number() }),
        ]),
      }),
      { v: { t: 'a', a: 1, b: 2 } },
      'v.b',
    ],
    ['of neither half', z.object({ v: point.and(z.object({ w: z.number() })) }), { v: { x: 1, w: 2, z: 3 } }, 'v.z'],
  ])('%s', (_, schema, value, loc) => {
    expect(refusalsOf(schema, value)).toMatchObject([extra(loc)]);
  });

  test('in an object that contains itself', () => {
    const node: z.ZodType = z.object({ name: z.string(), next: z.lazy(() => node).optional() });
    expect(refusalsOf(z.object({ node }), { node: { name: 'a', next: { name: 'b', colour: 1 } } })).toMatchObject([
      extra('node.next.colour'),
    ]);
    expect(refusalsOf(z.object({ node }), { node: { name: 'a', next: { name: 'b' } } })).toBeUndefined();
  });

  test('one like a known key is named with it', () => {
    expect(refusalsOf(z.object({ colour: z.string().optional() }), { color: 'red' })?.[0]?.msg).toContain('colour');
  });
});

describe('what the schema leaves open is passed', () => {
  test.each<[string, z.ZodType, unknown]>([
    ['a loose object', z.looseObject({ name: z.string() }), { name: 'n', colour: 'red' }],
    ['a catch-all', z.object({ name: z.string() }).catchall(z.string()), { name: 'n', colour: 'red' }],
    ['a record', z.object({ v: z.record(z.string(), z.number()) }), { v: { any: 1 } }],
    ['anything', z.object({ v: z.unknown() }), { v: { any: { thing: 1 } } }],
    ['one alternative that is open', z.object({ v: z.union([point, z.looseObject({})]) }), { v: { x: 1, z: 2 } }],
    ['every known key', z.object({ v: point.and(z.object({ w: z.number() })) }), { v: { x: 1, w: 2 } }],
  ])('%s', (_, schema, value) => {
    expect(refusalsOf(schema, value)).toBeUndefined();
  });

  test('and all of them where unknown arguments are to be dropped', () => {
    expect(refusalsOf(z.object({ name: z.string() }), { name: 'n', colour: 'red' }, true)).toBeUndefined();
  });
});

describe('a text that is too long for the expression of a library never reaches it', () => {
  const long = 'a'.repeat(10_001);
  test.each([
    ['regex', z.string().regex(/^a+$/)],
    ['email', z.email()],
    ['an optional one', z.string().regex(/^a+$/).optional()],
  ])('%s', (_, text) => {
    expect(refusalsOf(z.object({ v: z.array(text) }), { v: [long] })).toEqual([
      { loc: 'v.0', type: 'string_too_long', msg: 'must be at most 10000 characters long' },
    ]);
  });

  test('a plain one does, and so does encoded data', () => {
    expect(refusalsOf(z.object({ v: z.string() }), { v: long })).toBeUndefined();
    expect(refusalsOf(z.object({ v: z.base64() }), { v: 'aaaa'.repeat(5_000) })).toBeUndefined();
  });
});
