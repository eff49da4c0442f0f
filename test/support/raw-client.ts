import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const HERE = __dirname;

/** The command that starts a server written in TypeScript. */
export function serverCommand(file = 'stdio-fixture.ts', options: object = {}): { command: string; args: string[] } {
  const args = [path.join(HERE, 'register.cjs'), path.join(HERE, file), JSON.stringify(options)];
  return { command: process.execPath, args };
}

/** A raw client of a server in a process of its own: it sends lines, and keeps what comes back in order. */
export class RawClient {
  readonly child: ChildProcess;
  /** Every line of standard output, parsed. A line that is no JSON fails the test that reads it. */
  readonly messages: any[] = [];
  stderr = '';
  #rest = '';
  #waiting: (() => void)[] = [];
  #lastId = 0;

  constructor(options: object = {}, file = 'stdio-fixture.ts') {
    const { command, args } = serverCommand(file, options);
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdin!.on('error', () => {});
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.child.on('exit', () => this.#wake());
  }

  /** Writes text or bytes as they are. */
  write(text: string | Uint8Array): void {
    this.child.stdin!.write(text);
  }

  send(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  notify(method: string, params?: object): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** Sends a request and waits for its answer. */
  async request(method: string, params?: object, id: unknown = ++this.#lastId): Promise<any> {
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.waitFor((message) => message.id === id && !('method' in message));
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<any> {
    const response = await this.request('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'raw', version: '0' },
    });
    this.notify('notifications/initialized');
    return response;
  }

  /** The first message, of all that came or will come, for which `test` holds. */
  async waitFor(test: (message: any) => boolean): Promise<any> {
    for (;;) {
      const found = this.messages.find(test);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null)
        throw new Error(`the server exited with ${this.child.exitCode}: ${this.stderr}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** Closes the server's input. */
  closeInput(): void {
    this.child.stdin!.end();
  }

  /** How the process ended: its exit code, or the signal that killed it. */
  async exit(): Promise<number | string> {
    const { child } = this;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    if (!child.stdout!.closed) await once(child.stdout!, 'close');
    return child.exitCode ?? child.signalCode!;
  }

  /** Ends the process, however. For `afterEach`. */
  kill(): void {
    if (this.child.exitCode === null) this.child.kill('SIGKILL');
  }

  #take(text: string): void {
    this.#rest += text;
    if (!text.includes('\n')) return;
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) this.messages.push(JSON.parse(line));
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
