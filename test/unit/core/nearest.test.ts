import { didYouMean, nearest } from '../../../src/core/nearest.js';

describe('the nearest name', () => {
  test.each([
    ['nmae', 'name'],
    ['anme', 'name'],
    ['naem', 'name'],
    ['desription', 'description'],
    ['readonly', 'readOnly'],
    ['allowHost', 'allowedHosts'],
    ['audiance', 'audience'],
    ['requird', 'required'],
    ['srcc', 'src'],
  ])('of %s is %s', (given, meant) => {
    expect(
      nearest(given, ['title', 'name', 'description', 'readOnly', 'allowedHosts', 'audience', 'required', 'src']),
    ).toBe(meant);
  });

  test('is none where nothing is near, and swapping counts neighbours only', () => {
    expect(nearest('mane', ['name'])).toBeUndefined();
    expect(nearest('zzzz', ['name'])).toBeUndefined();
    expect(nearest('n'.repeat(65), ['n'.repeat(65)])).toBeUndefined();
  });

  test('is said as a question, and not of a name that is there', () => {
    expect(didYouMean('nmae', ['name'])).toBe(" Did you mean 'name'?");
    expect(didYouMean('name', ['name'])).toBe('');
    expect(didYouMean('x', [])).toBe('');
  });
});

test('names up to 64 characters are compared, and those longer are not', () => {
  const long = 'n'.repeat(63);
  expect(nearest(`${long}x`, [`${long}y`])).toBe(`${long}y`);
  expect(nearest(`${long}x`, [`${long}xy`])).toBeUndefined();
  expect(nearest(`${long}xy`, [`${long}x`])).toBeUndefined();
});

test.each([
  ['a', 'b', true],
  ['a', 'bc', false],
  ['abc', 'abd', true],
  ['abcdef', 'abcdxy', true],
  ['abcde', 'abcxy', false],
  ['ab', 'ba', true],
  ['ABCD', 'abdc', true],
  ['abcd', 'abcde', true],
])('a third of the letters may differ: %s and %s', (given, candidate, near) => {
  expect(nearest(given, [candidate])).toBe(near ? candidate : undefined);
});
