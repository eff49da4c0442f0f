import { classify } from '../../../src/native/classify.js';
import { envelopeFault, negotiate, versionFault } from '../../../src/native/era.js';
import { idOf, invalidRequest, kindOf } from '../../../src/native/messages.js';
import { prepare, serialise } from '../../../src/native/prepared.js';
import { ENVELOPE } from '../../support/conversation.js';

const base = { jsonrpc: '2.0' };

test.each([
  ['a request', { ...base, id: 1, method: 'ping' }, 'request'],
  ['a request with id 0', { ...base, id: 0, method: 'ping' }, 'request'],
  ['a request with an empty id', { ...base, id: '', method: 'ping' }, 'request'],
  ['a request whose params are null', { ...base, id: 1, method: 'ping', params: null }, 'request'],
  ['a notification', { ...base, method: 'notifications/initialized' }, 'notification'],
  ['a result', { ...base, id: 1, result: {} }, 'response'],
  ['an error', { ...base, id: 1, error: { code: 1, message: 'x' } }, 'response'],
  ['an error without an id', { ...base, error: { code: 1, message: 'x' } }, 'response'],
  ['a list', [], 'batch'],
  ['an id that is null', { ...base, id: null, method: 'ping' }, 'invalid'],
  ['an id that is no whole number', { ...base, id: 1.5, method: 'ping' }, 'invalid'],
  ['an id that loses digits', { ...base, id: 2 ** 53, method: 'ping' }, 'invalid'],
  ['an id that is true', { ...base, id: true, method: 'ping' }, 'invalid'],
  ['an id that is an object', { ...base, id: {}, method: 'ping' }, 'invalid'],
  ['positional params', { ...base, id: 1, method: 'ping', params: [] }, 'invalid'],
  ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, 'invalid'],
  ['no version', { id: 1, method: 'ping' }, 'invalid'],
  ['a method that is a number', { ...base, id: 1, method: 5 }, 'invalid'],
  ['an answer that is both', { ...base, id: 1, result: {}, error: { code: 1, message: '' } }, 'invalid'],
  ['an empty object', {}, 'invalid'],
  ['null', null, 'invalid'],
  ['text', 'ping', 'invalid'],
  ['a number', 3, 'invalid'],
])('%s is judged by its shape', (_name, value, kind) => {
  expect(kindOf(value)).toBe(kind);
});

test('an invalid message is answered under its id where that can be read, else under null', () => {
  expect(idOf({ id: 'a' })).toBe('a');
  expect(idOf({ id: null })).toBeNull();
  expect(idOf([])).toBeNull();
  expect(invalidRequest({ id: 7, method: 'x' })).toEqual({
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32600, message: 'Invalid request: "jsonrpc" must be "2.0".' },
  });
});

test.each([
  ['the envelope', { ...base, id: 1, method: 'ping', params: { _meta: ENVELOPE } }, undefined, 'modern'],
  [
    'half an envelope',
    { ...base, id: 1, method: 'x', params: { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } } },
    undefined,
    'modern',
  ],
  [
    'an initialize with an envelope',
    { ...base, id: 1, method: 'initialize', params: { _meta: ENVELOPE } },
    undefined,
    'modern',
  ],
  ['an initialize', { ...base, id: 1, method: 'initialize', params: {} }, undefined, 'handshake'],
  ['a method that only modern clients know', { ...base, id: 1, method: 'server/discover' }, undefined, 'modern'],
  [
    'a progress token',
    { ...base, id: 1, method: 'tools/call', params: { _meta: { progressToken: 1 } } },
    undefined,
    'handshake',
  ],
  [
    'a _meta that is no object',
    { ...base, id: 1, method: 'tools/call', params: { _meta: 'x' } },
    undefined,
    'handshake',
  ],
  ['a header of the modern era', { ...base, id: 1, method: 'tools/list' }, '2026-07-28', 'modern'],
  ['a header of the handshake era', { ...base, id: 1, method: 'tools/list' }, '2025-11-25', 'handshake'],
  ['no object', 'x', undefined, 'handshake'],
])('the era is decided by the message: %s', (_name, message, header, era) => {
  expect(classify(message, header)).toBe(era);
});

test('an envelope is judged before the version that it names', () => {
  const request = (meta: object) => ({ ...base, id: 1, method: 'tools/list', params: { _meta: meta } }) as any;
  const [version, capabilities] = Object.keys(ENVELOPE) as [string, string];
  expect(envelopeFault({ ...base, id: 1, method: 'x' } as any)?.error.code).toBe(-32602);
  expect(envelopeFault(request({ [version]: 'v9' }))?.error.code).toBe(-32602);
  expect(envelopeFault(request({ [version]: 5, [capabilities]: {} }))?.error.code).toBe(-32602);
  expect(envelopeFault(request({ [version]: 'v9', [capabilities]: [] }))?.error.code).toBe(-32602);
  expect(envelopeFault(request({ [version]: 'v9', [capabilities]: {} }))).toBeUndefined();
  expect(versionFault(request({ ...ENVELOPE }))).toBeUndefined();
  expect(versionFault(request({ [version]: '2025-11-25', [capabilities]: {} }))?.error).toEqual({
    code: -32022,
    message: 'Unsupported protocol version: 2025-11-25',
    data: { supported: ['2026-07-28'], requested: '2025-11-25' },
  });
});

test('initialize is answered with the version asked for, or the newest of its era', () => {
  expect(negotiate('2024-11-05')).toBe('2024-11-05');
  expect(negotiate('2026-07-28')).toBe('2025-11-25');
  expect(negotiate('1999-01-01')).toBe('2025-11-25');
});

test('a prepared result is turned into JSON once, and reads the same', () => {
  let reads = 0;
  const result = prepare({
    get tools() {
      reads++;
      return [];
    },
  });
  const expected = '{"jsonrpc":"2.0","id":"a\\"b","result":{"tools":[]}}';
  expect(serialise({ jsonrpc: '2.0', id: 'a"b', result })).toBe(expected);
  expect(serialise({ jsonrpc: '2.0', id: 'a"b', result })).toBe(expected);
  expect(reads).toBe(1);
});

test('a message that JSON cannot say is answered with an error under its id', () => {
  const text = serialise({ jsonrpc: '2.0', id: 3, result: { n: 1n } });
  expect(JSON.parse(text)).toMatchObject({ id: 3, error: { code: -32603 } });
});
