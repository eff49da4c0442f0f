import { ConfigurationError, InvalidArgumentsError } from '../../../src/core/errors.js';
import { compileInput } from '../../../src/schema/input.js';
import { dtoOf, sharedCases, type Case } from './case-source.js';

const verdict = async (validate: (value: unknown) => unknown, input: unknown): Promise<any> => {
  try {
    return { value: await validate(input) };
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    expect(error.data.length).toBeGreaterThan(0);
    for (const issue of error.data) expect(issue.msg.trim()).not.toBe('');
    return { error };
  }
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function check(testCase: Case, codegen: boolean): void {
  test(`${testCase.name} (${codegen ? 'compiled' : 'slow path'})`, async () => {
    const cls = dtoOf(testCase.source, testCase.define);
    if (testCase.build === 'error') {
      expect(() => compileInput(cls, { site: 'test' })).toThrow(ConfigurationError);
      return;
    }
    const input = compileInput(cls, { site: 'test', codegen });
    expect(input.schema).toEqual(testCase.expected);
    for (const value of testCase.accepts ?? []) {
      const before = JSON.stringify(value);
      const { value: instance, error } = await verdict(input.validate, value);
      expect(error).toBeUndefined();
      expect(instance).toBeInstanceOf(cls);
      expect(JSON.stringify(value)).toBe(before);
    }
    for (const value of testCase.rejects ?? []) {
      const { error } = await verdict(input.validate, value);
      expect([value, error]).toEqual([value, expect.any(InvalidArgumentsError)]);
    }
    for (const [value, expected] of testCase.coerces ?? []) {
      const { value: instance, error } = await verdict(input.validate, value);
      expect(error).toBeUndefined();
      expect(plain(instance)).toEqual(plain(expected));
    }
  });
}

const cases = sharedCases();

describe('the shared schema cases', () => {
  test('are there, or their absence was said', () => {
    expect(Array.isArray(cases)).toBe(true);
  });
  for (const testCase of cases) {
    check(testCase, false);
    check(testCase, true);
  }
});
