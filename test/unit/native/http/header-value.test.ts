import fc from 'fast-check';
import { decodeHeaderValue, encodeHeaderValue } from '../../../../src/native/http/wire/header-value.js';

describe('header values', () => {
  it.each([
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['us west 1', 'us west 1'],
    ['\tindented', '=?base64?CWluZGVudGVk?='],
    ['', ''],
  ])('writes %j as %s, and reads it back', (text, header) => {
    expect(encodeHeaderValue(text)).toBe(header);
    expect(decodeHeaderValue(header)).toBe(text);
  });

  it('gives every text back', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => decodeHeaderValue(encodeHeaderValue(text)) === Buffer.from(text).toString(),
      ),
    );
  });

  it.each([
    '=?base64?SGVsbG8?=',
    '=?base64?SGVs bG8=?=',
    '=?base64?SGVsbG9=?=',
    '=?base64?_-8=?=',
    '=?base64?/w==?=',
    'é',
    'a\u0000b',
  ])('refuses %j', (header) => {
    expect(decodeHeaderValue(header)).toBeUndefined();
  });

  it.each(['SGVsbG8=?=', '=?base64?SGVsbG8=', '=?BASE64?SGVsbG8=?=', '=?utf-8?SGVsbG8=?='])(
    'takes %j as it is',
    (header) => {
      expect(decodeHeaderValue(header)).toBe(header);
    },
  );

  it('leaves the spaces and tabs around a value out', () => {
    expect(decodeHeaderValue('  \t us west \t')).toBe('us west');
  });
});
