// node worker.mjs PROGRAM: bundles a program as Wrangler does, runs it in workerd, and prints what it answers.
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

const [program] = process.argv.slice(2);
const { outputFiles } = await build({
  entryPoints: [program],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  conditions: ['workerd', 'worker', 'browser'],
  mainFields: ['browser', 'module', 'main'],
  external: ['node:*', 'cloudflare:*'],
  logLevel: 'silent',
});
const worker = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: '2026-04-01',
  compatibilityFlags: ['nodejs_compat'],
  // Where the machine stands is asked of a server otherwise.
  cf: false,
});

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function ask(method, params) {
  const response = await worker.dispatchFetch('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params?.name && { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  const { result, error } = await response.json();
  return error?.message ?? result.tools?.map(({ name }) => name) ?? result.content.map(({ text }) => text).join();
}

const call = (name, args) => ask('tools/call', { name, arguments: args });

try {
  const report = {
    tools: await ask('tools/list'),
    order: await call('order', { count: 2 }),
    refused: await call('order', { count: 10 }),
    raw: await call('raw', { id: '6ba7b810-9dad-41d1-80b4-00c04fd430c8' }),
    rawRefused: await call('raw', { id: 1 }),
  };
  console.log(JSON.stringify(report));
} finally {
  await worker.dispose();
}
