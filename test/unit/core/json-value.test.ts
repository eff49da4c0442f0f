import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { toJsonValue, toJsonValueOr, UnserializableError, whyUnsaid } from '../../../src/core/json-value.js';

const other = <T>(code: string): T => runInNewContext(code) as T;

describe('toJsonValue', () => {
  test.each<[string, unknown, unknown]>([
    ['a date is ISO text', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date is null', new Date(Number.NaN), null],
    ['a safe bigint is a number', 9007199254740991n, 9007199254740991],
    ['an unsafe bigint is decimal text', 9007199254740993n, '9007199254740993'],
    ['a negative unsafe bigint is decimal text', -9007199254740993n, '-9007199254740993'],
    ['a map with text keys is an object', new Map([['a', 1n]]), { a: 1 }],
    [
      'a map with other keys is a list of pairs',
      new Map<unknown, unknown>([
        [1, 'a'],
        ['b', new Date(0)],
      ]),
      [
        [1, 'a'],
        ['b', '1970-01-01T00:00:00.000Z'],
      ],
    ],
    ['an empty map is an empty object', new Map(), {}],
    ['a set is a list', new Set([1, Number.NaN]), [1, null]],
    ['NaN is null', Number.NaN, null],
    ['infinity is null', { a: [Infinity, -Infinity] }, { a: [null, null] }],
    ['undefined keys vanish', { a: undefined, b: 1 }, { b: 1 }],
    ['undefined items are null', [undefined, 1], [null, 1]],
    ['holes are null', Object.assign([], { 1: 'x', length: 3 }), [null, 'x', null]],
    ['functions and symbols vanish from objects', { a: () => 1, b: Symbol('s'), c: 1 }, { c: 1 }],
    ['functions are null in lists', [() => 1], [null]],
    ['bytes are base64', Buffer.from('hi'), 'aGk='],
    ['a slice of bytes is only that slice', new Uint8Array([0, 104, 105, 0]).subarray(1, 3), 'aGk='],
    ['an array buffer is base64', new Uint8Array([104, 105]).buffer, 'aGk='],
    ['other typed arrays are numbers', new Float32Array([0.5, Number.NaN]), [0.5, null]],
    ['big typed arrays are numbers', new BigInt64Array([1n]), [1]],
    ['an error is its name', { e: new TypeError('no') }, { e: { name: 'TypeError' } }],
    ['a regular expression is its text', /a+/g, '/a+/g'],
    ['boxed values are unboxed', [Object(1), Object('a'), Object(true), Object(2n)], [1, 'a', true, 2]],
    ['toJSON is honoured', { toJSON: () => ({ a: 1n }) }, { a: 1 }],
    ['a URL is its text', new URL('http://a/b'), 'http://a/b'],
    ['an iterable without keys is a list', new URLSearchParams('a=1'), [['a', '1']]],
    [
      'a generator is a list',
      (function* () {
        yield 1;
        yield 2n;
      })(),
      [1, 2],
    ],
    ['null stays', null, null],
    ['undefined stays', undefined, undefined],
  ])('%s', (_name, value, expected) => {
    expect(toJsonValue(value)).toEqual(expected);
  });

  test('objects of another realm are known too', () => {
    const value = other<object>(
      '({ d: new Date(0), m: new Map([["a", 1]]), s: new Set([1]), e: new Error("x"), u: new Uint8Array([104, 105]) })',
    );
    expect(toJsonValue(value)).toEqual({
      d: '1970-01-01T00:00:00.000Z',
      m: { a: 1 },
      s: [1],
      e: { name: 'Error' },
      u: 'aGk=',
    });
  });

  test('toJSON that returns its own object is not asked again', () => {
    class Self {
      a = 1;
      toJSON(): this {
        return this;
      }
    }
    expect(toJsonValue(new Self())).toEqual({ a: 1 });
  });

  test('what needs no change is not copied', () => {
    const value = { a: [1, 'b', { c: null }], d: true };
    expect(toJsonValue(value)).toBe(value);
  });

  test('the input is never changed', () => {
    const inner = { when: new Date(0) };
    const value = Object.freeze({ list: Object.freeze([inner]), x: 1n });
    toJsonValue(value);
    expect(inner.when).toBeInstanceOf(Date);
  });

  test('the same object twice is no cycle', () => {
    const shared = { a: 1 };
    expect(toJsonValue({ x: shared, y: [shared] })).toEqual({ x: { a: 1 }, y: [{ a: 1 }] });
  });

  test('a __proto__ key is data', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"when":1}') as Record<string, unknown>;
    value['big'] = 1n;
    const converted = toJsonValue(value) as object;
    expect(JSON.stringify(converted)).toBe('{"__proto__":{"polluted":true},"when":1,"big":1}');
    expect(Object.getPrototypeOf(converted)).toBe(Object.prototype);
  });

  test.each<[string, () => unknown, string]>([
    [
      'a cycle',
      () => {
        const a: Record<string, unknown> = {};
        a['b'] = { c: [a] };
        return a;
      },
      'b.c.0: refers back to what contains it',
    ],
    [
      'a cycle through a map',
      () => {
        const m = new Map<string, unknown>();
        m.set('self', m);
        return m;
      },
      'self: refers back to what contains it',
    ],
    ['a promise inside', () => ({ a: Promise.resolve(1) }), 'a: is a promise; await it first'],
    [
      'a thenable inside',
      () => ({
        a: new (class {
          then(): void {}
        })(),
      }),
      'a: is a promise; await it first',
    ],
    ['a weak map', () => ({ a: new WeakMap() }), 'a: is a weak collection, whose contents nobody can list'],
    ['a function', () => () => 1, 'the value: a function cannot be sent'],
    [
      'endless generators',
      () =>
        (function* () {
          for (;;) yield 1;
        })(),
      'the value: yields too many items',
    ],
  ])('%s is refused with its path', (_name, make, message) => {
    expect(() => toJsonValue(make())).toThrow(new UnserializableError('', '').constructor as never);
    expect(() => toJsonValue(make())).toThrow(message);
  });

  test('nesting is bounded, and the path that says so is short', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 2000; i++) deep = { a: deep };
    expect(() => toJsonValue(deep)).toThrow(/^a\.a\.a\.a\.a\.a\.a\.a\.…: is nested too deeply$/);
  });

  test('for JSON values it is the identity', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(toJsonValue(value)).toBe(value)));
  });

  test('what it gives is what JSON says, for everything', () => {
    const values = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withBoxedValues: true,
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(values, (value) => {
        const converted = toJsonValue(value);
        if (converted === undefined) return value === undefined;
        expect(JSON.parse(JSON.stringify(converted))).toEqual(JSON.parse(JSON.stringify(toJsonValue(converted))));
        return true;
      }),
    );
  });
});

describe('what is in the way of a value', () => {
  const failing = (): never => {
    throw new Error('secret');
  };

  test.each<[string, unknown, string]>([
    [
      'a getter',
      {
        a: [
          {
            get b() {
              return failing();
            },
          },
        ],
      },
      'a.0.b',
    ],
    ['toJSON', { a: { toJSON: failing } }, 'a'],
    ['a getter of the value itself', Object.defineProperty({}, 'a', { get: failing, enumerable: true }), 'a'],
    ['a proxy', new Proxy({}, { ownKeys: failing }), 'the value'],
    ['a proxy in a list', [1, new Proxy([1], { get: failing })], '1'],
  ])('is said with its path, and what was thrown is its cause alone: %s', (_name, value, path) => {
    const error = (() => {
      try {
        return toJsonValue(value);
      } catch (thrown) {
        return thrown;
      }
    })() as UnserializableError;
    expect(error).toBeInstanceOf(UnserializableError);
    expect([error.name, error.message]).toEqual(['UnserializableError', `${path}: threw when it was read`]);
    expect(error.cause).toEqual(new Error('secret'));
  });

  test('is said in place of the value where nothing may be thrown', () => {
    expect(toJsonValueOr({ a: new Date(0) }, whyUnsaid)).toEqual({ a: '1970-01-01T00:00:00.000Z' });
    expect(toJsonValueOr({ a: new WeakSet() }, whyUnsaid)).toMatch(/^\[not sent: a: is a weak collection.*\]$/);
    expect(whyUnsaid(new Error('secret'))).toBe('[not sent: it cannot be read]');
  });
});

test.each<[string, (text: string) => unknown]>([
  ['a text', (text) => text],
  ['texts in a list', (text) => text.split('')],
  ['texts under keys', (text) => Object.fromEntries(text.split('').map((char, i) => [`k${i}`, char]))],
  ['a long key', (text) => ({ [text]: 1 })],
  ['numbers', (text) => text.split('').map(() => 1)],
  ['a map', (text) => new Map([['a', text]])],
  ['one text in a list of lists', (text) => [[text]]],
])('what is longer than may be is given up: %s', (_name, make) => {
  const length = JSON.stringify(toJsonValue(make('x'.repeat(100)))).length;
  expect(() => toJsonValue(make('x'.repeat(100)), undefined, 2 * length)).not.toThrow();
  expect(() => toJsonValue(make('x'.repeat(100)), undefined, length / 2)).toThrow(
    `the value: is longer than ${length / 2} characters`,
  );
});

test.each<[string, unknown, unknown]>([
  ['what follows a change', [1n, 'a', true, null, 2], [1, 'a', true, null, 2]],
  ['what follows a change under keys', { a: 1n, b: 'b', c: false, d: 2, e: null }, { a: 1, b: 'b', c: false, d: 2, e: null }], // prettier-ignore
  ['what comes before it', { a: 'a', b: [true], c: undefined, d: 1 }, { a: 'a', b: [true], d: 1 }],
  ['the key that toJSON is given', { a: { toJSON: (key: string) => key }, b: [{ toJSON: (key: string) => key }] }, { a: 'a', b: ['0'] }], // prettier-ignore
  ['the empty key of the value itself', { toJSON: (key: string) => `<${key}>` }, '<>'],
  ['an iterable with keys of its own', Object.assign(new URLSearchParams('a=1'), { b: 2 }), { b: 2 }],
  ['toJSON of a class, but of no error', [Object.assign(new Error('secret'), { toJSON: () => 'secret' })], [{ name: 'Error' }]], // prettier-ignore
  [
    'the fields of an instance',
    new (class A {
      a = 1;
      b = new Date(0);
    })(),
    { a: 1, b: '1970-01-01T00:00:00.000Z' },
  ],
])('is kept: %s', (_name, value, expected) => {
  expect(JSON.stringify(toJsonValue(value))).toBe(JSON.stringify(expected));
});

test('an instance is asked for its form where it has no toJSON, a plain object is not', () => {
  class Money {
    cents = 5;
  }
  class Own {
    toJSON = (): string => 'own';
  }
  const form = (instance: object): object | undefined => (instance instanceof Money ? { euros: 0.05 } : undefined);
  expect(toJsonValue([new Money(), new Own(), { cents: 1 }, new (class { a = 1; })()], form)).toEqual([{ euros: 0.05 }, 'own', { cents: 1 }, { a: 1 }]); // prettier-ignore
});
