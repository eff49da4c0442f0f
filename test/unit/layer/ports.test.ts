import { type Class, type Container, McpLayer, Registry, type Scope, Tool } from 'cartouche';
import { container as tsyringe } from 'tsyringe';
import { MemoryLogger } from '../../support/layers.js';

class Greeter {
  @Tool()
  greet(): string {
    return 'hello';
  }
}

const build = (options: object): McpLayer =>
  new McpLayer({ name: 'x', version: '1', logger: new MemoryLogger(), ...options });

describe('what is passed as a container', () => {
  test('a bare tsyringe container is refused, with what to write', () => {
    expect(() => build({ services: [Greeter], container: tsyringe.createChildContainer() })).toThrow(
      'McpLayer: container is a bare tsyringe container. Pass new TsyringeContainer({ parent: container }).',
    );
  });

  test('anything else is told what it lacks', () => {
    expect(() => build({ container: { check: () => [] } })).toThrow(
      'McpLayer: container lacks lifetimeOf(), resolve(), openScope(), dispose(). Pass an object that has it.',
    );
  });
});

describe('what is passed as stores', () => {
  test('every mistake is a finding', () => {
    expect(() => build({ stores: { cach: {}, events: {}, limits: undefined } })).toThrow(
      /McpLayer stores: no option 'cach'\. Did you mean 'cache'\?[^]*McpLayer stores: events lacks append\(\), after\(\), drop\(\)/,
    );
    expect(() => build({ stores: 'redis' })).toThrow('McpLayer stores: the options must be an object.');
  });
});

describe('a class of which only a scope knows whom it belongs to', () => {
  function counting(isShared: boolean): { container: Container; opened: () => number; open: () => number } {
    let [opened, open] = [0, 0];
    const instance = new Greeter();
    const container: Container = {
      check: () => [],
      lifetimeOf: () => 'ask',
      resolve: () => {
        throw new Error('is asked for shared classes only');
      },
      openScope: (): Scope => {
        opened++;
        open++;
        return {
          resolve: <T>(_cls: Class<T>) => instance as T,
          isShared: () => isShared,
          dispose: () => {
            open--;
          },
        };
      },
      dispose: () => undefined,
    };
    return { container, opened: () => opened, open: () => open };
  }

  test.each([
    [true, 1],
    [false, 3],
  ])('shared: %p, so that three calls open %p scopes, and close them', async (isShared, scopes) => {
    const { container, opened, open } = counting(isShared);
    const layer = build({ services: [Greeter], container });
    await layer.start();
    expect(opened()).toBe(0);
    for (let i = 0; i < 3; i++) expect((await layer.callTool('greet')).isError).toBe(false);
    expect([opened(), open(), layer.openScopes]).toEqual([scopes, 0, 0]);
    await layer.close();
  });
});

test('what is kept of the streams of a session is kept under the name of its layer', async () => {
  const sessions: string[] = [];
  const events = {
    append: async (session: string) => void sessions.push(session),
    after: async () => [],
    drop: () => Promise.reject(new Error('store down')),
  };
  const registry = new Registry();
  registry.tool({ name: 'now' }, () => 1);
  const layer = build({ name: 'estate', registry, stores: { events } });
  const handler = layer.fetchHandler({ responseMode: 'sse' });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    host: 'localhost',
  };
  const post = (message: object, more: object = {}): Promise<Response> =>
    handler(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      }),
    );
  const clientInfo = { name: 'c', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await post({ id: 1, method: 'initialize', params });
  await opened.text();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await (await post({ method: 'notifications/initialized' }, session)).text();
  await (await post({ id: 2, method: 'tools/call', params: { name: 'now', arguments: {} } }, session)).text();
  const ended = await handler(
    new Request('http://localhost/mcp', { method: 'DELETE', headers: { ...headers, ...session } }),
  );
  expect(ended.status).toBeLessThan(300);
  expect(new Set(sessions)).toEqual(new Set([`estate/${session['mcp-session-id']}`]));
  await layer.close();
});
