import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveStdio } from '../../src/native/stdio.js';
import { ENVELOPE } from '../support/conversation.js';
import { protocolLayer, QUIET } from '../support/protocol-layer.js';
import { RawClient } from '../support/raw-client.js';

jest.setTimeout(60_000);

let client: RawClient | undefined;

function start(options: object = {}): RawClient {
  return (client = new RawClient(options));
}

afterEach(() => {
  client?.kill();
  client = undefined;
});

const count = (text: string, part: string) => text.split(part).length - 1;

describe('a server on standard input and output', () => {
  test('speaks both eras on one pipe, and answers in the order in which the work is done', async () => {
    const client = start();
    await client.initialize();
    client.send({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: { name: 'wait', arguments: { ms: 300 } } });
    client.send({
      jsonrpc: '2.0',
      id: 'modern',
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'hi' }, _meta: ENVELOPE },
    });
    client.send({
      jsonrpc: '2.0',
      id: 'fast',
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'ho' } },
    });
    await client.waitFor(({ id }) => id === 'slow');
    expect(client.messages.map(({ id }) => id)).toEqual([1, 'modern', 'fast', 'slow']);
    expect(client.messages[1].result).toMatchObject({ resultType: 'complete', content: [{ text: 'hi' }] });
    expect(client.messages[2].result).not.toHaveProperty('resultType');
  });

  test('keeps standard output for the protocol: what handlers print goes to standard error', async () => {
    const client = start();
    await client.initialize();
    const { result } = await client.request('tools/call', { name: 'chatty' });
    expect(result.content[0].text).toBe('said it');
    client.closeInput();
    expect(await client.exit()).toBe(0);
    expect(client.messages).toHaveLength(2);
    for (const line of ['onStart', 'from console.log', 'from process.stdout.write'])
      expect(client.stderr).toContain(`${line}\n`);
  });

  test('sends progress before the answer', async () => {
    const client = start();
    await client.initialize();
    await client.request('tools/call', { name: 'progress', _meta: { progressToken: 'p' } }, 'call');
    await client.request('ping');
    expect(client.messages.slice(1).map(({ id, params }) => id ?? params.progress)).toEqual([1, 3, 'call', 2]);
  });

  test('answers bad lines and goes on with the next', async () => {
    const client = start({ maxLineBytes: 1000 });
    for (const line of [
      '{bad',
      '',
      '   ',
      '\r',
      '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}',
      '[]',
      '5',
      `"${'x'.repeat(2000)}"`,
    ])
      client.write(`${line}\n`);
    client.write('{"jsonrpc":"2.0","id":"again","method":"ping"}\r\n');
    await client.waitFor(({ id }) => id === 'again');
    const codes = client.messages.map(({ id, error }) => `${id} ${error?.code}`);
    expect(codes.sort()).toEqual([
      '1 undefined',
      'again undefined',
      'null -32600',
      'null -32600',
      'null -32600',
      'null -32700',
    ]);
  });

  test('refuses a line that is not UTF-8, as HTTP does', async () => {
    const client = start();
    client.write(
      Buffer.from([
        ...Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"'),
        0xff,
        0x22,
        0x7d,
        0x7d,
        0x0a,
      ]),
    );
    expect((await client.waitFor(() => true)).error.code).toBe(-32700);
  });

  test('cancels without an answer, in either era', async () => {
    const client = start();
    await client.initialize();
    client.send({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'deaf' } });
    client.send({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params: { name: 'wait', _meta: ENVELOPE } });
    client.send({
      jsonrpc: '2.0',
      id: 'c',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: ENVELOPE },
    });
    await client.waitFor(({ method }) => method === 'notifications/subscriptions/acknowledged');
    for (const requestId of ['a', 'b', 'c', 'd']) client.notify('notifications/cancelled', { requestId });
    await client.request('tools/call', { name: 'change_tools' });
    await client.request('ping');
    expect(client.messages.filter(({ id }) => ['a', 'b', 'c'].includes(id))).toEqual([]);
    expect(client.messages.filter(({ params }) => params?._meta)).toHaveLength(1);
  });
});

describe('the end of input', () => {
  test('ends the process with 0, hooks called once, while a timer and a socket are alive', async () => {
    const client = start();
    await client.initialize();
    client.closeInput();
    expect(await client.exit()).toBe(0);
    expect(count(client.stderr, 'onStop')).toBe(1);
  });

  test('does not cut an answer of 20 MiB to the last request', async () => {
    const client = start();
    await client.initialize();
    client.send({
      jsonrpc: '2.0',
      id: 'big',
      method: 'tools/call',
      params: { name: 'big', arguments: { bytes: 20 * 1024 * 1024 } },
    });
    client.closeInput();
    expect(await client.exit()).toBe(0);
    const { result } = client.messages.find(({ id }) => id === 'big');
    expect(result.content[0].text.length).toBe(20 * 1024 * 1024);
  });

  test('takes a last line without an end for a line', async () => {
    const client = start();
    client.write('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    client.closeInput();
    expect(await client.exit()).toBe(0);
    expect(client.messages).toEqual([{ jsonrpc: '2.0', id: 'last', result: {} }]);
  });

  test('gives running calls their grace, and cancels what takes longer', async () => {
    const client = start({ graceMs: 400 });
    await client.initialize();
    client.send({ jsonrpc: '2.0', id: 'short', method: 'tools/call', params: { name: 'wait', arguments: { ms: 50 } } });
    client.send({ jsonrpc: '2.0', id: 'deaf', method: 'tools/call', params: { name: 'deaf' } });
    client.closeInput();
    expect(await client.exit()).toBe(0);
    expect(client.messages.slice(1).map(({ id }) => id)).toEqual(['short']);
    expect(count(client.stderr, 'onStop')).toBe(1);
  });

  test('ends listen streams with their result', async () => {
    const client = start();
    client.send({
      jsonrpc: '2.0',
      id: 0,
      method: 'subscriptions/listen',
      params: { notifications: {}, _meta: ENVELOPE },
    });
    await client.waitFor(({ method }) => method === 'notifications/subscriptions/acknowledged');
    client.closeInput();
    expect(await client.exit()).toBe(0);
    expect(client.messages.at(-1)).toMatchObject({ id: 0, result: { resultType: 'complete' } });
  });

  test('and a signal at once call the hooks once', async () => {
    const client = start();
    await client.initialize();
    client.child.kill('SIGTERM');
    client.closeInput();
    expect(await client.exit()).toBe(0);
    expect(count(client.stderr, 'onStop')).toBe(1);
  });
});

describe('a signal', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends the process cleanly, with the input still open',
    async (signal) => {
      const client = start();
      await client.initialize();
      client.child.kill(signal);
      expect(await client.exit()).toBe(0);
      expect(count(client.stderr, 'onStop')).toBe(1);
    },
  );

  test('that comes a second time ends it at once', async () => {
    const client = start({ graceMs: 60_000 });
    await client.initialize();
    client.send({ jsonrpc: '2.0', id: 'deaf', method: 'tools/call', params: { name: 'deaf' } });
    await client.request('ping');
    client.child.kill('SIGTERM');
    await sleep(200);
    expect(client.child.exitCode).toBeNull();
    client.child.kill('SIGTERM');
    expect(await client.exit()).toBe(143);
  });
});

test('a client that closes its ends only is noticed', async () => {
  const client = start();
  await client.initialize();
  client.child.stdout!.destroy();
  client.child.stderr!.destroy();
  client.send({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'chatty' } });
  await once(client.child, 'exit');
  expect(client.child.exitCode).toBe(0);
});

describe('inside a process', () => {
  function serve(options: object = {}) {
    const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1024 })];
    const warnings: string[] = [];
    const layer = protocolLayer({ logger: { ...QUIET, warn: (message) => warnings.push(message) } });
    const serving = serveStdio(layer, { input, output, ...options });
    const send = (message: unknown) => input.write(`${JSON.stringify(message)}\n`);
    return { layer, input, output, serving, send, warnings };
  }

  async function linesOf(output: PassThrough): Promise<any[]> {
    let text = '';
    for await (const chunk of output) text += String(chunk);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  test('serving resolves when it has begun, and closes without ending the process', async () => {
    const { serving, input, output, send } = serve();
    const { closed, session } = await serving;
    send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    input.end();
    await closed;
    expect(session.closed).toBe(true);
    output.end();
    expect(await linesOf(output)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  test('a reader that is slow loses progress, never answers, and memory stays bounded', async () => {
    const { layer, serving, send, output, warnings } = serve();
    layer.registry.tool({ name: 'noisy' }, async (_args, context) => {
      for (let i = 1; i <= 100_000; i++) {
        context.reportProgress(i, 100_000, 'x'.repeat(100));
        if (i % 1000 === 0) await sleep(0);
      }
      return 'done';
    });
    const { close, session } = await serving.then((it) => ({ close: () => it.close(), session: it.session }));
    send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'noisy', _meta: { progressToken: 1 } } });
    send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'no_arguments' } });
    do await sleep(1);
    while (session.runningCount > 0);
    expect(warnings).toEqual([]);
    const reading = linesOf(output);
    while (warnings.length === 0) await sleep(1);
    send({ jsonrpc: '2.0', id: 3, method: 'ping' });
    await sleep(1);
    await close();
    output.end();
    const lines = await reading;
    const progress = lines
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => params.progress);
    expect(progress.length).toBeLessThan(20_000);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(lines.filter(({ id }) => id !== undefined).map(({ id }) => id)).toEqual(
      expect.arrayContaining([0, 1, 2, 3]),
    );
    expect(warnings).toEqual([expect.stringContaining('reads slowly')]);
  });

  test('a service that does not start gives standard output back', async () => {
    const { write } = process.stdout;
    const layer = protocolLayer();
    layer.start = () => Promise.reject(new Error('no database'));
    await expect(serveStdio(layer, { input: new PassThrough() })).rejects.toThrow('no database');
    expect(process.stdout.write).toBe(write);
  });

  test('standard output is guarded while it is served, and given back', async () => {
    const { write } = process.stdout;
    const input = new PassThrough();
    const { close } = await serveStdio(protocolLayer(), { input }).then((it) => ({ close: () => it.close() }));
    expect(process.stdout.write).not.toBe(write);
    await close();
    expect(process.stdout.write).toBe(write);
  });
});

test('the options are checked, all at once, before anything is served', async () => {
  const { write } = process.stdout;
  const options = { maxLineByte: 5, graceMs: -1, pageSize: 'big', input: 'stdin' } as never;
  await expect(protocolLayer().serve('stdio', options)).rejects.toThrow(/^4 findings[^]*Did you mean 'maxLineBytes'/);
  expect(process.stdout.write).toBe(write);
});

test('only a transport that there is can be served', async () => {
  await expect(protocolLayer().serve('carrier pigeon' as never)).rejects.toThrow("Use 'stdio'");
});
