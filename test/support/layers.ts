import { type Logger, McpLayer, type McpLayerOptions, Principal, Registry } from 'cartouche';

/** A logger that keeps what it was told. */
export class MemoryLogger implements Logger {
  readonly lines: { level: string; message: string; fields: Readonly<Record<string, unknown>> }[] = [];

  debug(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'debug', message, fields });
  }

  info(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'info', message, fields });
  }

  warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'warn', message, fields });
  }

  error(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'error', message, fields });
  }

  get text(): string {
    return JSON.stringify(this.lines);
  }
}

/** A layer over functions, quiet unless it is given a logger. */
export function layerOf(fill: (registry: Registry) => void, options: Partial<McpLayerOptions> = {}): McpLayer {
  const registry = new Registry();
  fill(registry);
  let id = 0;
  return new McpLayer({
    name: 'test',
    version: '1.0.0',
    logger: new MemoryLogger(),
    ids: { next: () => `id-${++id}` },
    ...options,
    registry,
  });
}

export function principal(id: string, ...roles: string[]): Principal {
  return new Principal({ id, roles: roles.length === 0 ? ['default'] : roles });
}

/** A promise with its ends in hand. */
export function deferred<T = void>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}
