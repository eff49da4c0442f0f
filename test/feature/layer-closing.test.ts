import { PassThrough } from 'node:stream';
import { McpLayer, McpService, Tool } from 'cartouche';
import { createTestClient } from 'cartouche/testing';
import { serveStdio } from '../../src/native/stdio.js';
import { modern, type Sent } from '../support/http-target.js';
import { layerOf, MemoryLogger } from '../support/layers.js';

const CLOSING = 'The server is closing.';

const request = ({ body, headers }: Sent) =>
  new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', host: '127.0.0.1', ...headers },
    body: JSON.stringify(body),
  });

describe('a layer that closes', () => {
  let calls = 0;
  const layer = () =>
    layerOf((registry) => {
      registry.tool({ name: 'count' }, () => ++calls);
      registry.tool({ name: 'waits' }, () => new Promise(() => undefined));
    });

  beforeEach(() => {
    calls = 0;
  });

  it('ends the streams of the handlers that were made from it, which refuse what comes then', async () => {
    const closing = layer();
    const handler = closing.fetchHandler();
    const filter = { notifications: { toolsListChanged: true } };
    const stream = await handler(request(modern('subscriptions/listen', filter)));
    const text = stream.text();
    await closing.close();
    expect(await text).toContain('"id"');
    const refused = await handler(request(modern('tools/call', { name: 'count', arguments: {} })));
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain(CLOSING);
    expect(calls).toBe(0);
  });

  it('closes the port that it is served at', async () => {
    const closing = layer();
    const serving = await closing.serve('http', { port: 0, exit: false, graceMs: 0 });
    await closing.close();
    await serving.close();
    expect(serving.server.listening).toBe(false);
    await expect(fetch(serving.url)).rejects.toThrow('fetch failed');
  });

  it('ends a conversation on streams, and leaves the process to whoever closed it', async () => {
    const closing = layer();
    const input = new PassThrough();
    const output = new PassThrough();
    const serving = await serveStdio(closing, { input, output, exit: true });
    const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    await closing.close();
    await serving.closed;
    expect(exit).not.toHaveBeenCalled();
    exit.mockRestore();
  });

  it('answers what still waits, and refuses a client in memory in words', async () => {
    const closing = layer();
    const client = createTestClient(closing, { era: 'modern' });
    const waiting = client.call('waits').catch(String);
    await closing.close();
    expect(await waiting).toContain(CLOSING);
    await expect(client.call('count')).rejects.toThrow(CLOSING);
    expect(calls).toBe(0);
  });

  it('refuses in words what is called inside the process', async () => {
    const closing = layer();
    await closing.close();
    await expect(closing.callTool('count')).rejects.toThrow(CLOSING);
    await expect(closing.readResource('x://y')).rejects.toThrow(CLOSING);
    await expect(closing.list('tools')).rejects.toThrow(CLOSING);
    expect(calls).toBe(0);
  });

  it('lets no call reach a service that has stopped, also where it waited before its handler', async () => {
    const seen: string[] = [];
    @McpService()
    class Store {
      onStop(): void {
        seen.push('stopped');
      }

      @Tool()
      read(): string {
        seen.push('read');
        return 'value';
      }
    }
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const closing = new McpLayer({
      name: 'test',
      version: '1',
      services: [Store],
      logger: new MemoryLogger(),
      middleware: [async (_call, next) => gate.then(next)],
    });
    await closing.start();
    const waiting = closing.callTool('read');
    await closing.close();
    open();
    await expect(waiting).rejects.toThrow(CLOSING);
    expect(seen).toEqual(['stopped']);
  });

  it('goes on closing where the end of something that was made from it throws', async () => {
    const logger = new MemoryLogger();
    const closing = layerOf(() => undefined, { logger });
    const ended: string[] = [];
    closing.onClose(() => {
      throw new Error('stuck');
    });
    closing.onClose(() => ended.push('second'));
    closing.onClose(() => ended.push('third'))();
    await closing.close();
    expect(ended).toEqual(['second']);
    expect(logger.text).toContain('stuck');
  });
});
