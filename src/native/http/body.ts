import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { BodyError } from './carrier.js';

/** How much of a body that is too long is still read, as a multiple of the limit, so that the client sees the answer. */
const DRAIN_FACTOR = 4;

/** A node request, maybe with the body that a parser in front of us put there. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown };

/** Reads the body of a node request as JSON, or takes it from the host. @throws {BodyError} */
export function readNodeBody(request: NodeRequest, given: unknown, maxBytes: number): Promise<unknown> {
  const parsed = given ?? hostBody(request);
  if (parsed !== undefined) return Promise.resolve().then(() => fromHost(parsed));
  if (Number(request.headers['content-length']) > maxBytes) {
    discard(request, maxBytes * DRAIN_FACTOR);
    return Promise.reject(new BodyError('too-large'));
  }
  return new Promise((resolve, reject) => collect(request, maxBytes, resolve, reject));
}

function collect(
  request: NodeRequest,
  maxBytes: number,
  resolve: (value: unknown) => void,
  reject: (error: BodyError) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let settled = false;
  const fail = (error: BodyError): void => {
    settled = true;
    chunks.length = 0;
    reject(error);
  };
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (settled) {
      if (bytes > maxBytes * DRAIN_FACTOR) request.destroy();
    } else if (bytes > maxBytes) fail(new BodyError('too-large'));
    else chunks.push(chunk);
  });
  request.on('end', () => {
    if (settled) return;
    try {
      resolve(parseBytes(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    } catch (error) {
      fail(error as BodyError);
    }
  });
  request.on('error', () => fail(new BodyError('incomplete')));
  request.on('close', () => {
    if (!request.complete) fail(new BodyError('incomplete'));
  });
}

function discard(request: NodeRequest, maxBytes: number): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) request.destroy();
  });
  request.on('error', () => undefined);
}

/** Old parsers leave `{}` where they read nothing. */
function hostBody(request: NodeRequest): unknown {
  const { body } = request;
  if (body === undefined || body === null) return undefined;
  const untouched = !request.readableEnded && !request.readableDidRead;
  return untouched && typeof body === 'object' && Object.keys(body).length === 0 ? undefined : body;
}

function fromHost(body: unknown): unknown {
  if (typeof body === 'string') return parseText(body);
  if (body instanceof Uint8Array) return parseBytes(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  return body;
}

/** Reads a web-standard body as JSON. @throws {BodyError} */
export async function readWebBody(
  request: { readonly body: AsyncIterable<Uint8Array> | null; readonly headers: { get(name: string): string | null } },
  maxBytes: number,
): Promise<unknown> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw new BodyError('too-large');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw new BodyError('too-large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof BodyError ? error : new BodyError('incomplete');
  }
  return parseBytes(Buffer.concat(chunks));
}

function parseBytes(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new BodyError('not-json');
  return parseText(bytes.toString('utf8'));
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BodyError('not-json');
  }
}
