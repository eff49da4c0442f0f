import type { IncomingMessage } from 'node:http';
import { parseJsonBytes, parseJsonText } from '../../json-bytes.js';
import { type BodyCallback, BodyError } from '../wire/carrier.js';

/** How much of a body that is too long is still read, as a multiple of the limit, so that the client sees the answer. */
const DRAIN_FACTOR = 4;

/** A node request, maybe with the body that a parser in front of us put there. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown };

/** Reads the body of a node request as JSON, or takes it from the host. Calls `done` once. */
export function readNodeBody(request: NodeRequest, given: unknown, maxBytes: number, done: BodyCallback): void {
  const parsed = given ?? hostBody(request);
  if (parsed !== undefined) {
    fromHost(parsed, done);
  } else if (request.readableEnded || request.destroyed) {
    // Its end has been told already: who waits for it now waits for ever.
    done(undefined, new BodyError(request.complete ? 'consumed' : 'incomplete'));
  } else if (Number(request.headers['content-length']) > maxBytes) {
    discard(request, maxBytes * DRAIN_FACTOR);
    done(undefined, new BodyError('too-large'));
  } else collect(request, maxBytes, done);
}

function collect(request: NodeRequest, maxBytes: number, done: BodyCallback): void {
  let chunks: Buffer[] | undefined = [];
  let bytes = 0;
  const fail = (reason: BodyError['reason']): void => {
    chunks = undefined;
    done(undefined, new BodyError(reason));
  };
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks?.push(chunk);
    else if (chunks !== undefined) fail('too-large');
    else if (bytes > maxBytes * DRAIN_FACTOR) request.destroy();
  });
  request.on('end', () => {
    if (chunks === undefined) return;
    const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    chunks = undefined;
    parseBytes(whole, done);
  });
  // A connection that breaks is an error of the request, too; where somebody destroyed it, it only closes.
  const broken = (): void => {
    if (chunks !== undefined) fail('incomplete');
  };
  request.on('error', broken);
  request.on('close', broken);
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

function fromHost(body: unknown, done: BodyCallback): void {
  if (typeof body === 'string') parsed(parseJsonText, body, done);
  else if (body instanceof Uint8Array) parseBytes(Buffer.from(body.buffer, body.byteOffset, body.byteLength), done);
  else done(body);
}

/** A web-standard body, as far as it is read here. */
interface WebBody {
  readonly bodyUsed: boolean;
  readonly body: AsyncIterable<Uint8Array> | null;
  readonly headers: { get(name: string): string | null };
}

/** Reads a web-standard body as JSON. Calls `done` once. */
export function readWebBody(request: WebBody, maxBytes: number, done: BodyCallback): void {
  void collectWeb(request, maxBytes).then(
    (bytes) => parseBytes(bytes, done),
    (error: unknown) => done(undefined, error instanceof BodyError ? error : new BodyError('incomplete')),
  );
}

async function collectWeb(request: WebBody, maxBytes: number): Promise<Buffer> {
  if (request.bodyUsed) throw new BodyError('consumed');
  if (Number(request.headers.get('content-length')) > maxBytes) throw new BodyError('too-large');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new BodyError('too-large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseBytes(bytes: Buffer, done: BodyCallback): void {
  parsed(parseJsonBytes, bytes, done);
}

function parsed<T>(parse: (given: T) => unknown, given: T, done: BodyCallback): void {
  let value: unknown;
  try {
    value = parse(given);
  } catch {
    done(undefined, new BodyError('not-json'));
    return;
  }
  done(value);
}
