import {
  checkOptions,
  findOptionProblems,
  hasMethods,
  isCount,
  isDelay,
  isFilled,
  isFlag,
  isFunction,
  isList,
  isNames,
  isObject,
  isOneOf,
  isPositive,
  isText,
  type OptionCheck,
} from '../../../src/core/check-options.js';
import { ConfigurationError } from '../../../src/core/errors.js';

const run = (): void => undefined;

describe('a check of an option takes what is meant, and says of everything else what to pass', () => {
  test.each<[string, OptionCheck, readonly unknown[], readonly [given: unknown, problem: string][]]>([
    ['text', isText, ['', 'a'], [[1, 'must be text. Pass a string'], [null, 'must be text. Pass a string']]], // prettier-ignore
    ['filled', isFilled, ['a', ' '], [['', 'is empty. Pass a name'], [1, 'must be text. Pass a string']]], // prettier-ignore
    ['a flag', isFlag, [true, false], [['true', 'must be a boolean. Pass true or false'], [0, 'must be a boolean. Pass true or false']]], // prettier-ignore
    ['a list', isList, [[], [1]], [[{ length: 0 }, 'must be a list. Pass an array'], ['a', 'must be a list. Pass an array']]], // prettier-ignore
    ['names', isNames, [[], ['a', '']], [['a', 'must be a list of names. Pass strings'], [['a', 1], 'must be a list of names. Pass strings']]], // prettier-ignore
    ['a function', isFunction, [run, class {}], [[{}, 'must be a function. Pass one']]],
    ['above 0', isPositive, [0.5, Infinity], [[0, 'is 0. Pass a number above 0'], [Number.NaN, 'is NaN. Pass a number above 0'], ['1', 'is 1. Pass a number above 0']]], // prettier-ignore
    ['a count', isCount, [1, 2], [[0, 'is 0. Pass a whole number above 0'], [1.5, 'is 1.5. Pass a whole number above 0'], [Infinity, 'is Infinity. Pass a whole number above 0']]], // prettier-ignore
    ['a delay', isDelay, [1, 2_147_483_647], [[0, 'is 0. Pass a number above 0'], [2_147_483_648, 'is too long. Pass at most 2147483647']]], // prettier-ignore
    ['an object', isObject, [{}, []], [[null, 'must be an object. Pass one'], [run, 'must be an object. Pass one'], [Promise.resolve(), 'is a promise. Await it']]], // prettier-ignore
    ['methods', hasMethods('get', 'set'), [{ get: run, set: run }], [[{ get: run, set: 1 }, 'lacks set(). Pass an object that has it'], [null, 'lacks get(), set(). Pass an object that has it']]], // prettier-ignore
    ['one of', isOneOf('a', 1), ['a', 1], [['1', "must be one of 'a', '1'. Pass one"]]],
  ])('%s', (_name, check, taken, refused) => {
    expect(taken.map(check)).toEqual(taken.map(() => undefined));
    expect(refused.map(([given]) => [given, check(given)])).toEqual(refused);
  });
});

describe('the problems of an options object', () => {
  const checks = { name: isFilled, limit: isCount };

  test.each<[string, unknown, readonly string[]]>([
    ['nothing where all is in order', { name: 'a', limit: 1 }, []],
    ['nothing of what is undefined', { name: undefined, other: undefined }, []],
    ['a promise', Promise.resolve({}), ['site: the options are a promise. Await it. [CT101]']],
    ['a list', [], ['site: the options must be an object. Pass one, such as { name: … }. [CT101]']],
    ['null', null, ['site: the options must be an object. Pass one, such as { name: … }. [CT101]']],
    ['text', 'a', ['site: the options must be an object. Pass one, such as { name: … }. [CT101]']],
    ['a name that is nearly known', { nmae: 'a' }, ["site: no option 'nmae'. Did you mean 'name'? [CT102]"]],
    ['a name of every object', { constructor: 1 }, ["site: no option 'constructor'. Use name, limit. [CT102]"]],
    [
      'all of them',
      { name: '', limit: 0, zzzz: null },
      [
        'site: name is empty. Pass a name. [CT103]',
        'site: limit is 0. Pass a whole number above 0. [CT103]',
        "site: no option 'zzzz'. Use name, limit. [CT102]",
      ],
    ],
  ])('name %s', (_name, options, problems) => {
    expect(findOptionProblems('site', options, checks)).toEqual(problems);
  });

  test('come in one error, with those found elsewhere', () => {
    expect(() => checkOptions('site', { name: 'a' }, checks)).not.toThrow();
    expect(() => checkOptions('site', { name: '' }, checks, ['more: is wrong. Mend it.'])).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/name is empty[^]*more: is wrong/) }),
    );
    expect(() => checkOptions('site', {}, checks, ['more: is wrong. Mend it.'])).toThrow(ConfigurationError);
  });
});
