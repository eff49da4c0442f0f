import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { withDirectory } from './support.js';

const MAIN = resolve(__dirname, '../dist/main.js');
const server = (...args: string[]) => ({ command: process.execPath, args: [MAIN, '--stdio', ...args] });

// Each test starts processes.
jest.setTimeout(60_000);

/** Runs the built sample to its end, with `input` on its standard input. */
async function run(args: string[], input = ''): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args]);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  child.stdin.end(input);
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, ...output };
}

// `npm test` builds it first; where it is missing these tests fail.
describe('the built sample', () => {
  const clients = {
    'client 2.x': async () => {
      const client = new Client2({ name: 'test', version: '1.0.0' });
      await client.connect(new Stdio2(server()));
      return client as unknown as Client1;
    },
    'sdk 1.x': async () => {
      const client = new Client1({ name: 'test', version: '1.0.0' });
      await client.connect(new Stdio1(server()));
      return client;
    },
  };

  test.each(Object.entries(clients))('%s lists, calls, reads, prompts and completes', async (_, connect) => {
    const client = await connect();
    try {
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(9);
      const count = tools.find(({ name }) => name === 'count_assets')!;
      expect(count.inputSchema.properties).toMatchObject({ groupBy: { description: 'The field to count by.' } });
      const counted = await client.callTool({ name: 'count_assets', arguments: { groupBy: 'provider' } });
      expect(counted.structuredContent).toMatchObject({ groups: { AWS: 36, AZURE: 5, GCP: 3 } });

      const { contents } = await client.readResource({ uri: 'estate://assets/invoice-mailer/neighbors' });
      expect(JSON.parse((contents[0] as { text: string }).text).dependsOn).toHaveLength(1);
      const prompt = await client.getPrompt({ name: 'compliance_gap_analysis', arguments: { framework: 'SOC-2' } });
      expect(prompt.messages).toHaveLength(2);
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: 'estate://assets/{+ref}' },
        argument: { name: 'ref', value: 'google_' },
      });
      expect(completion.values).toHaveLength(3);
    } finally {
      await client.close();
    }
  });

  test('whoever subscribed hears that a dataset was loaded', async () => {
    const client = new Client1({ name: 'test', version: '1.0.0' });
    await client.connect(new Stdio1(server('--roots', resolve(__dirname, 'fixtures'))));
    try {
      const listChanged = new Promise<void>((heard) => {
        client.setNotificationHandler(ResourceListChangedNotificationSchema, () => heard());
      });
      const updated = new Promise<string>((heard) => {
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => heard(params.uri));
      });
      await client.subscribeResource({ uri: 'estate://datasets' });
      const loaded = await client.callTool({ name: 'load_dataset', arguments: { path: 'show.json', name: 'shown' } });
      expect(loaded.structuredContent).toMatchObject({ name: 'shown', active: true });
      await listChanged;
      expect(await updated).toBe('estate://datasets');
    } finally {
      await client.close();
    }
  });

  test('over HTTP it answers the same, says where it listens, and ends on SIGTERM', async () => {
    const child = spawn(process.execPath, [MAIN, '--http', '--port', '0']);
    try {
      const said = await new Promise<string>((heard) =>
        child.stdout.once('data', (chunk: Buffer) => heard(chunk.toString())),
      );
      const client = new Client2({ name: 'test', version: '1.0.0' });
      await client.connect(new Http2(new URL(said.replace('estate is served at ', '').trim())));
      const counted = await client.callTool({ name: 'count_assets', arguments: {} });
      expect(counted.structuredContent).toMatchObject({ groups: { AWS: 36, AZURE: 5, GCP: 3 } });
      await client.close();
    } finally {
      child.kill('SIGTERM');
    }
    expect(await new Promise((done) => child.on('close', done))).toBe(0);
  });

  test('nothing but the protocol is on stdout, and the end of stdin is the end of the server', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const { code, stdout } = await run(['--stdio'], `${JSON.stringify(initialize)}\n`);
    expect(stdout.trimEnd().split('\n').map((line) => JSON.parse(line).id)).toEqual([1]); // prettier-ignore
    expect(code).toBe(0);
  });

  test('an option that is not known is one line on stderr and exit code 2', async () => {
    const { code, stdout, stderr } = await run(['--sdtio']);
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 });
  });

  test('a state that cannot be read is one line on stderr and exit code 2', () =>
    withDirectory(async (directory) => {
      const { code, stdout, stderr } = await run(['--stdio', '--state', `${directory}/none.tfstate`]);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: 'none.tfstate: cannot be opened (ENOENT).\n',
      });
    }));

  test('a root that is misspelt is one line on stderr and exit code 2', () =>
    withDirectory(async (directory) => {
      const { code, stdout, stderr } = await run(['--stdio', '--roots', `${directory}/sttaes`]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toBe(
        `Root ${directory}/sttaes: there is no such directory. Name a directory that state files are in.\n`,
      );
    }));

  test('--help prints the options', async () => {
    expect((await run(['--help'])).stdout).toContain('--roots DIR');
  });

  test('without --stdio it serves on HTTP, shows what an agent sees in both eras, and ends where nobody is', async () => {
    const { code, stdout } = await run([]);
    expect(stdout).toMatch(/is served at http:\/\/127\.0\.0\.1:\d+\/mcp\n.* 2026-07-28 and 2025-11-25/);
    expect(stdout).toContain('claude mcp add --transport http estate http://127.0.0.1:');
    expect(stdout).toContain('"AWS":36');
    expect(stdout).toContain('9 tools');
    expect(code).toBe(0);
  });
});
