import { runInNewContext } from 'node:vm';
import { BOUNDS } from '../../../src/core/bounds.js';
import { describeThrown, isError } from '../../../src/core/describe-thrown.js';
import { bareForm, LoggedErrors, textOf } from '../../../src/core/error-form.js';
import * as errors from '../../../src/core/errors.js';
import { codeOf, withoutCode } from '../../../src/core/finding.js';
import { isMissing, loadOrExplain } from '../../../src/core/missing-package.js';
import { MemoryLogger } from '../../support/layers.js';

const cause = new Error('why');
const failing = (): never => {
  throw new Error('no');
};

/** Every class of error, made with what it takes, its JSON-RPC code, message, data, and whether clients may see it. */
const made: readonly (readonly [
  error: errors.McpLayerError,
  code: number,
  message: string,
  data: unknown,
  shown: boolean,
])[] = [
  [new errors.McpLayerError('a', 1, { code: 5 }), 5, 'a', 1, true],
  [new errors.McpLayerError('a', { a: 1 }), -32603, 'a', { a: 1 }, true],
  [new errors.UnsendableError('a is b', 1), -32603, 'The result cannot be sent: a is b.', 1, true],
  [new errors.InvalidArgumentsError('a'), -32602, 'a', [], true],
  [new errors.NotFoundError('a', 1), -32602, 'a', 1, true],
  [new errors.AccessDeniedError('a', 1), -31001, 'a', 1, true],
  [new errors.RateLimitedError('a', 1), -31029, 'a', 1, true],
  [new errors.ToolError('a', 1), -32603, 'a', 1, true],
  [new errors.TimeoutError('a', 1), -32603, 'a', 1, true],
  [new errors.CancelledError(), -32603, 'The request was cancelled.', undefined, false],
  [new errors.AskingError('a', 'refused', 1), -32603, 'a', 1, true],
  [new errors.MissingCapabilityError('a', { b: 1 }), -32603, 'a', { requiredCapabilities: { b: 1 } }, true],
  [new errors.InputRequiredError(1), -32603, 'The client has to be asked first.', 1, true],
  [new errors.RequestStateError('a'), -32602, 'a', undefined, true],
  [new errors.ReplayError('a'), -32603, 'a', undefined, true],
  [new errors.ConfigurationError('a: b. c. [CT101]'), -32603, 'a: b. c. [CT101]', undefined, false],
];

describe('an error of ours', () => {
  test.each(made.map((row) => [row[0].constructor.name, ...row] as const))(
    '%s',
    (kind, error, code, message, data, shown) => {
      expect(error).toMatchObject({ code, message, name: kind });
      expect(errors.errorKind(error)).toBe(kind);
      expect(error.data).toEqual(data);
      expect([errors.isLayerError(error), errors.isForClients(error)]).toEqual([true, shown]);
      expect(bareForm(error)).toEqual(shown ? { name: kind, message } : { name: kind });
    },
  );

  test('of every class is tried', () => {
    const classes = Object.entries(errors)
      .filter(([name]) => /^[A-Z].*Error$/.test(name))
      .map(([, value]) => value);
    expect(classes.filter((cls) => !made.some(([error]) => error.constructor === cls))).toEqual([]);
  });

  test.each<[string, (data?: unknown, options?: { cause: unknown }) => errors.McpLayerError]>([
    ['McpLayerError', (...rest) => new errors.McpLayerError('a', ...rest)],
    ['UnsendableError', (...rest) => new errors.UnsendableError('a', ...rest)],
    ['NotFoundError', (...rest) => new errors.NotFoundError('a', ...rest)],
    ['AccessDeniedError', (...rest) => new errors.AccessDeniedError('a', ...rest)],
    ['RateLimitedError', (...rest) => new errors.RateLimitedError('a', ...rest)],
    ['ToolError', (...rest) => new errors.ToolError('a', ...rest)],
    ['TimeoutError', (...rest) => new errors.TimeoutError('a', ...rest)],
  ])('%s takes its cause in place of data or behind it', (_name, make) => {
    expect([make({ cause })].map((e) => [e.cause, e.data])).toEqual([[cause, undefined]]);
    expect([make(1, { cause })].map((e) => [e.cause, e.data])).toEqual([[cause, 1]]);
    expect([make({ cause: 1 }, { cause })].map((e) => [e.cause, e.data])).toEqual([[cause, undefined]]);
    expect([make({ cause, more: 1 })].map((e) => [e.cause, e.data])).toEqual([[undefined, { cause, more: 1 }]]);
    expect([make(null)].map((e) => [e.cause, e.data])).toEqual([[undefined, null]]);
    expect(make().cause).toBeUndefined();
  });

  test('of arguments lists its issues, those of the value itself without a path', () => {
    const issues = [
      { loc: '', msg: 'must be b', type: 't' },
      { loc: 'a.0', msg: 'must be c', type: 't' },
    ];
    const error = new errors.InvalidArgumentsError(issues);
    expect([error.message, error.data]).toEqual(['Invalid arguments: must be b; a.0: must be c', issues]);
    expect(new errors.InvalidArgumentsError('a', issues).data).toBe(issues);
  });

  test('of a configuration says all findings and their codes', () => {
    const error = new errors.ConfigurationError(['a: b. c. [CT101]', 'mine'], { cause });
    expect(error.message).toBe('2 findings:\n- a: b. c. [CT101]\n- mine');
    expect([error.findings, error.codes, error.cause]).toEqual([
      ['a: b. c. [CT101]', 'mine'],
      ['CT101', 'CT000'],
      cause,
    ]);
    expect(new errors.ConfigurationError([]).message).toBe('0 findings:\n');
  });

  test('is none of what others throw', () => {
    const thrown = [null, undefined, 'a', new Error('a'), {}, { get [Symbol.for('cartouche.error')]() { return failing(); } }, { [Symbol.for('cartouche.error')]: 1 }]; // prettier-ignore
    expect(thrown.map(errors.errorKind)).toEqual(thrown.map(() => undefined));
    expect(thrown.map(errors.isForClients)).toEqual(thrown.map(() => false));
    expect(errors.errorKind({ [Symbol.for('cartouche.error')]: 'ToolError' })).toBe('ToolError');
  });
});

test('the code of a finding stands at its very end', () => {
  expect(['a [CT101]', 'a [CT101] b', 'a [CT1]', 'a[CT101]'].map(codeOf)).toEqual(['CT101', 'CT000', 'CT000', 'CT000']);
  expect(['a [CT101]', 'a [CT101] b'].map(withoutCode)).toEqual(['a', 'a [CT101] b']);
});

describe('what was thrown, for a log', () => {
  const foreign = runInNewContext('new TypeError("far")') as Error;
  const bare = Object.assign(new Error('a'), { stack: undefined });

  test.each<[string, unknown, object]>([
    ['an error', bare, { error: 'Error: a' }],
    ['an error with a stack', Object.assign(new Error('a'), { stack: 's' }), { error: 'Error: a', stack: 's' }],
    ['an error with a cause', Object.assign(new Error('a', { cause: bare }), { stack: 's' }), { error: 'Error: a', stack: 's', cause: 'Error: a' }], // prettier-ignore
    ['an error of another realm', foreign, { error: 'TypeError: far', stack: foreign.stack }],
    ['text', 'a', { error: 'a' }],
    ['nothing', undefined, { error: 'undefined' }],
    ['an object', { a: [{ b: 'c' }] }, { error: "{ a: [ { b: 'c' } ] }" }],
    ['a deep object', { a: { b: { c: { d: { e: 1 } } } } }, { error: expect.stringContaining('{ d: [Object] }') }],
    ['an error that cannot be read', Object.defineProperty(new Error('a'), 'message', { get: failing }), { error: 'something of type object that cannot be described' }], // prettier-ignore
  ])('%s', (_name, thrown, described) => {
    expect(describeThrown(thrown)).toEqual(described);
  });

  test('a promise that fails does not end the process', () => {
    expect(describeThrown(Promise.reject(new Error('a'))).error).toContain('Promise');
  });

  test('is an error of any realm, and nothing else', () => {
    expect([foreign, bare, { name: 'Error', message: 'a' }, null].map(isError)).toEqual([true, true, false, false]);
  });
});

describe('an Error in data', () => {
  const named = Object.assign(new Error('secret'), { name: 5 });

  test('is its name, as text too', () => {
    expect([new TypeError('secret'), named, 5, 'a'].map(textOf)).toEqual(['TypeError', 'Error', '5', 'a']);
    expect(bareForm(new TypeError('secret'))).toEqual({ name: 'TypeError' });
  });

  test('is logged under an id, so many of them, unless it is meant for clients', () => {
    const logger = new MemoryLogger();
    let next = 0;
    const teller = new LoggedErrors('tool "a"', () => `id${next++}`, logger);
    expect(teller.formOf(new errors.ToolError('said'))).toEqual({ name: 'ToolError', message: 'said' });
    expect([logger.lines, next]).toEqual([[], 0]);
    expect(teller.formOf(new TypeError('secret'))).toEqual({ name: 'TypeError', error_id: 'id0' });
    expect(logger.lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: 'tool "a": an Error is in its data; clients see its name',
        fields: expect.objectContaining({ errorId: 'id0', error: 'TypeError: secret' }),
      }),
    ]);
  });

  test('is logged so many times and no more, and has an id all the same', () => {
    const logger = new MemoryLogger();
    const teller = new LoggedErrors('a', () => 'id', logger);
    const most = BOUNDS.loggedErrors.default;
    const forms = Array.from({ length: most + 2 }, () => teller.formOf(new Error('secret')));
    expect(logger.lines).toHaveLength(most);
    expect(forms.at(-1)).toEqual({ name: 'Error', error_id: 'id' });
  });

  test('is said where that is allowed', () => {
    const teller = new LoggedErrors('a', () => 'id', new MemoryLogger(), true);
    expect(teller.formOf(new Error('open'))).toEqual({ name: 'Error', error_id: 'id', message: 'Error: open' });
  });
});

describe('a package that is not there', () => {
  const of = (code: unknown, message: string) => ({ code, message });

  test.each<[boolean, object]>([
    [true, of('MODULE_NOT_FOUND', "Cannot find module 'ajv'")],
    [true, of('ERR_MODULE_NOT_FOUND', "Cannot find package 'ajv' imported from /a")],
    [true, of('MODULE_NOT_FOUND', "Cannot find module 'ajv/dist/2020'")],
    [true, of('MODULE_NOT_FOUND', 'Cannot find module /a/node_modules/ajv/x.js')],
    [false, of('MODULE_NOT_FOUND', "Cannot find module 'ajv-formats'")],
    [false, of('MODULE_NOT_FOUND', 'Cannot find module /a/node_modules/ajv-formats/x.js')],
    [false, of('EACCES', "Cannot find module 'ajv'")],
    [false, {}],
  ])('%s: %j', (missing, error) => {
    expect(isMissing(error, 'ajv')).toBe(missing);
    const thrown = Object.assign(new Error(), error);
    const load = (): never => {
      throw thrown;
    };
    expect(() => loadOrExplain(load, 'ajv', 'site')).toThrow(
      missing ? "site: 'ajv' is not installed. Run npm install ajv. [CT702]" : thrown,
    );
  });

  test('is given as it is where it is there', () => {
    expect(loadOrExplain(() => 1, 'ajv', 'site')).toBe(1);
  });
});
