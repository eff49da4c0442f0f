import { length as isLength } from 'class-validator';
import fc from 'fast-check';
import { booleanFromText, dateFromText, numberFromText } from '../../../src/schema/validate/coerce.js';
import { decimals } from '../../../src/schema/read/own-validators.js';
import { toPattern } from '../../../src/schema/read/regex-pattern.js';
import { textLength } from '../../../src/schema/read/text-length.js';
import { hasEqualItems } from '../../../src/schema/read/unique.js';

describe('numbers from text', () => {
  test('every number that is written shortest comes back as itself', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = JSON.stringify(value);
        const read = numberFromText(text);
        // JSON.stringify writes -0 as 0 and exponents as 1e+21, which are both numbers of JSON.
        expect(read).toBe(Number(text));
      }),
    );
  });

  test('a text is a number only when it is one of JSON, and exact', () => {
    for (const text of [
      '',
      ' ',
      ' 5',
      '5 ',
      '+5',
      '05',
      '.5',
      '5.',
      '0x10',
      '1e400',
      '1e-400',
      '9007199254740993',
      'NaN',
      '٣',
      '1_0',
    ]) {
      expect([text, numberFromText(text)]).toEqual([text, undefined]);
    }
    expect(numberFromText('1'.padEnd(65, '0'))).toBeUndefined();
  });
});

describe('dates and truth from text', () => {
  test('every moment comes back as itself', () => {
    fc.assert(
      fc.property(
        fc.date({
          noInvalidDate: true,
          min: new Date('0000-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
        }),
        (date) => {
          expect(dateFromText(date.toISOString())?.getTime()).toBe(date.getTime());
        },
      ),
    );
  });

  test.each([
    ['2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01t00:00:00z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
    ['0001-02-03T00:00:00Z', '0001-02-03T00:00:00.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(dateFromText(text)?.toISOString()).toBe(iso);
  });

  test.each([
    '2026-02-29',
    '2026-13-01',
    '2026-01-32',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T12:00:60Z',
    '1',
    '2026',
    'x',
  ])('%s is no date', (text) => {
    expect(dateFromText(text)).toBeUndefined();
  });

  test('only two texts are truth values', () => {
    expect(['true', 'false', 'True', 'yes', '1', ''].map(booleanFromText)).toEqual([
      true,
      false,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('what we count as class-validator counts', () => {
  test('the length of a text', () => {
    const unit = fc.constantFrom('a', '\u{1F600}', '\uD83D', '\uDE00', '\uFE0F', '\uFE0E', '❤️');
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const text = parts.join('');
        const length = textLength(text);
        expect(isLength(text, length, length)).toBe(true);
      }),
    );
  });

  test('decimal places, with and without an exponent', () => {
    expect([1, 1.25, 1e-7, 1.5e-7, 1e21, -0.5].map(decimals)).toEqual([0, 2, 7, 8, 0, 1]);
  });
});

describe('a pattern without flags means what the expression meant', () => {
  const expressions = [
    /^abc$/i,
    /[a-f0-9]+/i,
    /^[A-Z]{2}-\d+$/i,
    /a.b/s,
    /[^x-z]/i,
    /\bfoo\b/i,
    /(?<name>a)\k<name>/,
    /a\-b/,
    /[\w\-]+/i,
    /é/i,
    /[*-z]/i,
  ];
  test.each(expressions.map((expression) => [expression]))('%s', (expression) => {
    const pattern = toPattern(expression);
    expect(pattern).toBeDefined();
    const compiled = new RegExp(pattern!, 'u');
    const unit = fc.constantFrom(
      'a',
      'A',
      'b',
      'B',
      'c',
      'C',
      'f',
      'o',
      'O',
      'x',
      'X',
      'z',
      'Z',
      '-',
      '1',
      ' ',
      'é',
      'É',
      '\n',
      '*',
      '_',
      'abc',
      'foo',
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 6 }), (parts) => {
        const text = parts.join('');
        expect([text, compiled.test(text)]).toEqual([text, new RegExp(expression.source, expression.flags).test(text)]);
      }),
    );
  });

  test('there is none for what cannot be said without a flag', () => {
    expect([/^a/m, /a/y, /[\u0041-\u005A]/i].map(toPattern)).toEqual([undefined, undefined, undefined]);
  });
});

test('equal elements are found whatever the order of their keys', () => {
  expect(
    hasEqualItems([
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ]),
  ).toBe(true);
  expect(hasEqualItems([1, '1', [1], { 0: 1 }, null, 'null', true, 'true'])).toBe(false);
});
