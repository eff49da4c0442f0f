import { type HttpProcess, startHttpProcess } from '../support/http-process.js';
import { layerOf } from '../support/layers.js';
import { META } from '../support/http-target.js';
import { RawClient } from '../support/raw-client.js';

const processes: HttpProcess[] = [];
const clients: RawClient[] = [];
afterEach(() => {
  for (const { child } of processes.splice(0)) child.kill('SIGKILL');
  for (const client of clients.splice(0)) client.kill();
});

async function http(options: object = {}): Promise<HttpProcess & { call(name: string): Promise<any> }> {
  const started = await startHttpProcess(options);
  processes.push(started);
  const call = async (name: string): Promise<any> => {
    const response = await fetch(started.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, _meta: META } }),
    });
    return response.json();
  };
  return { ...started, call };
}

const exitOf = ({ child }: HttpProcess): Promise<number | null> =>
  child.exitCode === null ? new Promise((resolve) => child.once('exit', resolve)) : Promise.resolve(child.exitCode);

async function logged(from: { errors(): string }, text: string): Promise<any> {
  for (;;) {
    const line = from.errors().split('\n').find((one) => one.includes(text) && one.endsWith('}')); // prettier-ignore
    if (line !== undefined) return JSON.parse(line);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('while serving owns the process', () => {
  it.each(['stray_now', 'stray_later'])(
    'a rejection that nobody waits for is logged with its call: %s',
    async (name) => {
      const server = await http();
      expect((await server.call(name)).result.content[0].text).toBe('ok');
      const line = await logged(server, 'nobody waited for it');
      expect(line).toMatchObject({ call: `tool ${name}`, requestId: 7, error: expect.stringContaining('left behind'), errorId: expect.any(String) }); // prettier-ignore
      expect((await server.call('stray_now')).result.content[0].text).toBe('ok');
      expect(await server.end()).toBe(0);
    },
  );

  it('an exception that nobody caught lets what runs finish, takes nothing new, and ends the process with 1', async () => {
    const server = await http();
    const running = server.call('takes_a_while');
    await server.call('throw_later');
    expect((await running).result.content[0].text).toBe('finished');
    expect(await exitOf(server)).toBe(1);
    expect(await logged(server, 'was not caught')).toMatchObject({
      error: 'Error: thrown in a timer',
      call: 'tool throw_later',
    });
  });

  it('the same holds on standard input and output', async () => {
    const client = new RawClient();
    clients.push(client);
    await client.initialize();
    await client.request('tools/call', { name: 'stray_now' });
    await logged({ errors: () => client.stderr }, 'nobody waited for it');
    const running = client.request('tools/call', { name: 'takes_a_while' });
    await client.request('tools/call', { name: 'throw_later' });
    expect((await running).result.content[0].text).toBe('finished');
    expect(await client.exit()).toBe(1);
  });

  it('an option leaves both to Node', async () => {
    const server = await http({ strayErrors: 'node' });
    await server.call('stray_now').catch(() => undefined);
    expect(await exitOf(server)).toBe(1);
    expect(server.errors()).not.toContain('nobody waited for it');
  });
});

it('whoever does not own the process installs nothing', async () => {
  const count = (): number[] =>
    ['unhandledRejection', 'uncaughtException', 'SIGTERM'].map((event) => process.listenerCount(event));
  const before = count();
  const layer = layerOf((registry) => registry.tool({ name: 't' }, () => 1));
  layer.nodeHandler();
  layer.fetchHandler();
  const serving = await layer.serve('http', { port: 0, exit: false });
  expect(count()).toEqual(before);
  await serving.close();
  const owning = await layerOf(() => undefined).serve('http', { port: 0 });
  expect(count()).toEqual(before.map((listeners) => listeners + 1));
  await owning.close();
  expect(count()).toEqual(before);
});
