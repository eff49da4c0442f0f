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
