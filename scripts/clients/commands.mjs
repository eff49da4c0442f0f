// Clients that are programs: each row runs one as a user would, and reads what it prints.
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TOOL = 'count_assets';
const ARGS = JSON.stringify({ groupBy: 'provider' });

export function commandRows({ url, command, args, folder }) {
  // Some of them read the configuration of editors from the home folder.
  const home = mkdtempSync(join(tmpdir(), 'clients-'));
  const bin = (name) => join(folder, 'node_modules/.bin', name);
  const program = (name, ...rest) => run(bin(name), rest, { cwd: home, home });
  const server = [command, ...args];

  const inspector = (era) => async (transport) => {
    const to = transport === 'http' ? [url] : server;
    const options = ['--protocol-era', era, '-q', '--format', 'json'];
    const listed = await program('mcp-inspector', '--cli', ...to, '--method', 'tools/list', ...options);
    const call = await program(
      'mcp-inspector',
      '--cli',
      ...to,
      '--method',
      'tools/call',
      '--tool-name',
      TOOL,
      '--tool-args-json',
      ARGS,
      ...options,
    );
    return { tools: countTools(listed), call };
  };

  async function mcporter(transport) {
    const stdio = ['--stdio', server.join(' '), '--name', 'estate'];
    const listed = await program(
      'mcporter',
      'list',
      ...(transport === 'http' ? [url, '--allow-http'] : stdio),
      '--json',
    );
    const to = transport === 'http' ? ['--http-url', url, '--allow-http'] : stdio;
    const call = await program('mcporter', 'call', ...to, TOOL, 'groupBy=provider', '--output', 'json');
    return { tools: countTools(listed), call };
  }

  async function mcpCli(transport) {
    const remote = [
      join(folder, 'node_modules/mcp-remote/dist/proxy.js'),
      url,
      '--allow-http',
      '--transport',
      'http-only',
      '--silent',
    ];
    const config = join(home, `mcp-cli-${transport}.json`);
    const estate = { command, args: transport === 'http' ? remote : args };
    writeFileSync(config, JSON.stringify({ mcpServers: { estate } }));
    return { call: await program('mcp-cli', '--config', config, 'call-tool', `estate:${TOOL}`, '--args', ARGS) };
  }

  /** A bridge: it speaks stdio to us, and HTTP to the server. */
  async function mcpRemote() {
    const lines = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'm', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: TOOL, arguments: JSON.parse(ARGS) } },
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const text = await run(bin('mcp-remote'), [url, '--allow-http', '--transport', 'http-only', '--silent'], {
      cwd: home,
      home,
      input: lines,
      until: '"id":3',
    });
    return { tools: countTools(text), call: text };
  }

  const both = (client, era, work) =>
    ['stdio', 'http'].map((transport) => ({ client, transport, era, run: () => work(transport) }));
  return [
    ...both('inspector cli', 'legacy', inspector('legacy')),
    ...both('inspector cli', 'auto', inspector('auto')),
    ...both('inspector cli', 'modern', inspector('modern')),
    ...both('mcporter', 'handshake', mcporter),
    ...both('@wong2/mcp-cli', 'handshake', mcpCli),
    { client: 'mcp-remote', transport: 'http', era: 'handshake', run: mcpRemote },
  ];
}

function countTools(text) {
  return new Set([...text.matchAll(/"name":\s*"([a-z_]+)"/g)].map(([, name]) => name)).size;
}

function run(program, args, { cwd, home, input, until }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, HOME: home, NO_COLOR: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (until !== undefined && output.includes(until)) child.kill('SIGTERM');
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0 || (until !== undefined && output.includes(until))) resolve(output);
      else reject(new Error(`ended with ${code ?? signal}: ${errors || output}`));
    });
    if (input === undefined) child.stdin.end();
    else for (const line of input) child.stdin.write(line);
  });
}
