/**
 * What long use leaves behind: calls by the hundred thousand on every carrier, readers that never read, and requests of
 * one id. Build the package first: `node --expose-gc bench/soak.mjs [calls]`. Fails when the heap grows.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { McpLayer, Registry } from '../dist/esm/src/index.js';
import { connectInMemory } from '../dist/esm/src/testing.js';

const CALLS = Number(process.argv[2] ?? 500_000);
const GROWTH_BYTES = 8 * 1024 * 1024;
const LONG = 5 * 1024 * 1024;

function makeLayer() {
  const registry = new Registry();
  registry.tool({ name: 'echo', input: { type: 'object' } }, (args) => args);
  registry.tool({ name: 'long' }, () => ({ text: 'x'.repeat(LONG) }));
  // What the heap of a server in another process has come to.
  registry.tool({ name: 'heap' }, () => heap());
  return new McpLayer({ name: 'soak', version: '1', registry, maxOutputChars: 2 ** 30 });
}

function heap() {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { external, heapUsed } = process.memoryUsage();
  return heapUsed + external;
}

const call = (id, name = 'echo', args = { n: id }) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

/** Calls in groups, and looks at the heap a quarter of the way and at the end. */
async function soak(name, send, heapOf = heap) {
  let early = 0;
  const group = 100;
  const begun = performance.now();
  for (let done = 0; done < CALLS; done += group) {
    await Promise.all(Array.from({ length: group }, (_, i) => send(call(done + i + 1))));
    if (early === 0 && done >= CALLS / 4) early = await heapOf();
  }
  const perSecond = Math.round(CALLS / ((performance.now() - begun) / 1000));
  report(`${name}: ${CALLS} calls, ${perSecond}/s`, (await heapOf()) - early);
}

function report(what, grown) {
  const bad = grown > GROWTH_BYTES;
  if (bad) process.exitCode = 1;
  console.log(`${what}; heap ${grown >= 0 ? '+' : ''}${(grown / 1024 / 1024).toFixed(2)} MB${bad ? ' GREW' : ''}`);
}

async function memory() {
  const connection = connectInMemory(makeLayer());
  await connection.send(initialize);
  await connection.send(initialized);
  await soak('memory', (message) => connection.send(message));
  connection.close();
}

async function stdio() {
  const program = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, ['--expose-gc', program, 'serve-stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line);
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  const send = (message) =>
    new Promise((resolve) => {
      waiting.set(message.id, resolve);
      child.stdin.write(`${JSON.stringify(message)}\n`);
    });
  await send(initialize);
  child.stdin.write(`${JSON.stringify(initialized)}\n`);
  const heapOf = async () => (await send(call('heap', 'heap', {}))).result.structuredContent.result;
  await soak('stdio', send, heapOf);
  child.stdin.end();
  await once(child, 'exit');
}

function post(url, agent, message, headers = {}) {
  const body = JSON.stringify(message);
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    });
    sent.on('error', reject).on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve({ text, headers: answer.headers }));
    });
    sent.end(body);
  });
}

async function http() {
  const serving = await makeLayer().serve('http', { port: 0, exit: false, stallMs: 300 });
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const { headers } = await post(serving.url, agent, initialize);
  const session = { 'mcp-session-id': headers['mcp-session-id'], 'mcp-protocol-version': '2025-11-25' };
  await post(serving.url, agent, initialized, session);
  await soak('http', (message) => post(serving.url, agent, message, session));
  await unread(serving, session);
  await sameId(serving, agent);
  agent.destroy();
  await serving.close();
}

/** Fifty clients ask for five megabytes, and never read them. */
async function unread(serving, session) {
  const before = heap();
  const body = JSON.stringify(call(1, 'long', {}));
  const head = { host: '127.0.0.1', 'content-type': 'application/json', accept: 'application/json', ...session };
  const lines = Object.entries({ ...head, 'content-length': body.length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const sockets = Array.from({ length: 50 }, () => {
    const socket = connect(serving.port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, 5000));
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 200));
  report('50 readers that never read', heap() - before);
}

/** Batches whose requests have one id: the time of each must not grow with how many there were. */
async function sameId(serving, agent) {
  const first = await post(serving.url, agent, {
    ...initialize,
    params: { ...initialize.params, protocolVersion: '2025-03-26' },
  });
  const session = { 'mcp-session-id': first.headers['mcp-session-id'], 'mcp-protocol-version': '2025-03-26' };
  await post(serving.url, agent, initialized, session);
  const batch = Array.from({ length: 1000 }, () => call(1));
  const time = async (batches) => {
    const begun = performance.now();
    await Promise.all(Array.from({ length: batches }, () => post(serving.url, agent, batch, session)));
    return (performance.now() - begun) / batches;
  };
  await time(5);
  const [few, many] = [await time(5), await time(40)];
  const bad = many > 4 * few;
  if (bad) process.exitCode = 1;
  console.log(
    `1,000 requests of one id: ${few.toFixed(1)} ms in 5 batches, ${many.toFixed(1)} ms in 40${bad ? ' GREW' : ''}`,
  );
}

if (process.argv[2] === 'serve-stdio') await makeLayer().serve('stdio');
else for (const carrier of [memory, stdio, http]) await carrier();
