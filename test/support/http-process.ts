import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as nodeRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';

/** A fixture server in a process of its own. */
export interface HttpProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything it wrote to standard error. */
  errors(): string;
  /** Ends it, and gives its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `http-fixture.ts` with options of `layer.serve('http')`. */
export async function startHttpProcess(options: object = {}): Promise<HttpProcess> {
  const child = spawn(
    process.execPath,
    [resolve(__dirname, 'register.cjs'), resolve(__dirname, 'http-fixture.ts'), JSON.stringify(options)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data').then(([text]) => String(text).trim()),
    exited.then(([code]) => Promise.reject(new Error(`the fixture ended with ${code}: ${errors}`))),
  ]);
  return {
    url,
    child,
    errors: () => errors,
    end: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return (await exited)[0];
    },
  };
}

/** A proxy that gives every request to the next of several servers. */
export async function startRoundRobin(urls: readonly string[]): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0;
  const server = createServer((request, response) => {
    const { port } = new URL(urls[turn++ % urls.length] ?? '');
    const { method, url: path, headers } = request;
    const upstream = nodeRequest({ port, host: '127.0.0.1', method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
