import {
  headerFault,
  type Headers,
  notificationHeaderFault,
  parameterFault,
  versionIn,
} from '../../../../src/native/http/wire/request-headers.js';
import type { JsonRpcRequest } from '../../../../src/native/messages.js';

const message = (name: string, method = 'tools/call', version = '2026-07-28'): JsonRpcRequest => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { name, arguments: { city: name }, _meta: { 'io.modelcontextprotocol/protocolVersion': version } },
});
const faultOf = (name: string, headers: Headers): string | undefined =>
  headerFault({ nameParam: 'name' }, message(name), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
    ...headers,
  })?.error.message;

const encoded = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('a header is decoded before it is compared', () => {
  it.each([
    ['echo', 'echo'],
    ['echo', ' \techo '],
    ['echo', encoded('echo')],
    ['é', encoded('é')],
    [encoded('echo'), encoded(encoded('echo'))],
  ])('the name %s may come as %s', (name, given) => {
    expect(faultOf(name, { 'mcp-name': given })).toBeUndefined();
  });

  it.each([
    ['é', 'é', 'not well encoded'],
    ['a\u0001b', 'a\u0001b', 'not well encoded'],
    ['a\u00a0', 'a\u00a0', 'not well encoded'],
    [encoded('echo'), encoded('echo'), 'differs from the body'],
    ['=?base64?!?=', '=?base64?!?=', 'not well encoded'],
    ['x'.repeat(9000), 'x'.repeat(9000), 'not well encoded'],
    ['echo', '=?BASE64?ZWNobw==?=', 'differs from the body'],
  ])('the name %s may not come as %s, though they may look the same', (name, given, problem) => {
    expect(faultOf(name, { 'mcp-name': given })).toContain(
      `Mcp-Name ${problem.startsWith('not') ? 'is ' : ''}${problem}`,
    );
  });

  it.each([
    ['mcp-method', encoded('tools/call'), undefined],
    ['mcp-method', 'tools/call\u00a0', 'Mcp-Method is not well encoded'],
    ['mcp-method', 'tools/list', "Mcp-Method is 'tools/list', the body says 'tools/call'"],
    ['mcp-protocol-version', '2026-07-28\u00a0', 'MCP-Protocol-Version is not well encoded'],
    ['mcp-protocol-version', ' 2026-07-28', undefined],
  ])('%s: %j', (header, given, problem) => {
    const fault = faultOf('echo', { [header]: given });
    if (problem === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(problem);
  });

  it.each(['tools/é', encoded('tools/call')])('the method %s of a body is not met by the same bytes', (method) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
    expect(headerFault(undefined, message('a', method), headers)).toBeDefined();
    expect(notificationHeaderFault(method, headers)).toBeDefined();
    expect(notificationHeaderFault(method, { 'mcp-method': encoded(method) })).toBeUndefined();
  });

  it.each(['é', encoded('Rome')])('the argument %s is not met by the same bytes', (city) => {
    const parameters = [{ header: 'City', path: ['city'] }] as unknown as Parameters<typeof parameterFault>[2];
    expect(parameterFault(message(city), { 'mcp-param-city': city }, parameters)).toBeDefined();
    expect(parameterFault(message(city), { 'mcp-param-city': encoded(city) }, parameters)).toBeUndefined();
  });

  it('and blanks around a version are no part of it, while other white space is', () => {
    expect(['\t2026-07-28 ', '2026-07-28\u00a0'].map((given) => versionIn({ 'mcp-protocol-version': given }))).toEqual([
      '2026-07-28',
      '2026-07-28\u00a0',
    ]);
  });
});

describe('the headers of arguments', () => {
  const call = (args: unknown): JsonRpcRequest => ({ ...message('x'), params: { name: 'x', arguments: args } });
  const fault = (path: readonly string[], args: unknown, headers: Headers = {}): boolean =>
    parameterFault(call(args), headers, [{ header: 'City', path, type: 'string' }]) !== undefined;

  it.each<[path: readonly string[]]>([[['constructor']], [['toString']], [['__proto__']], [['at', 'constructor']]])(
    'what every object inherits is no argument: %j',
    (path) => {
      for (const args of [{}, { at: {} }, null, [], 'text']) {
        expect(fault(path, args)).toBe(false);
        expect(fault(path, args, { 'mcp-param-city': 'x' })).toBe(true);
      }
    },
  );

  it.each<[args: unknown, given: string | undefined, isFault: boolean]>([
    [{ at: { city: 'x' } }, 'x', false],
    [{ at: { city: 'x' } }, 'y', true],
    [{ at: { city: 'x' } }, undefined, true],
    [{ at: { city: null } }, undefined, false],
    [{ at: { city: null } }, 'null', true],
    [{ at: {} }, undefined, false],
    [{ at: {} }, 'x', true],
    [{ at: ['x'] }, undefined, false],
    [{ at: { city: true } }, 'true', false],
    [{ at: { city: true } }, 'false', true],
    [{ at: { city: 42 } }, '42', false],
    [{ at: { city: 42 } }, '42.0', false],
    [{ at: { city: 42 } }, '42.5', true],
    [{ at: { city: 42 } }, '4.2e1', true],
    [{ at: { city: -1 } }, '-1', false],
    [{ at: { city: ['x'] } }, 'x', true],
  ])('%j with %p: a fault is %p', (args, given, isFault) => {
    expect(fault(['at', 'city'], args, given === undefined ? {} : { 'mcp-param-city': given })).toBe(isFault);
  });
});
