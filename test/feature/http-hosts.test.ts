import 'reflect-metadata';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { resolve } from 'node:path';
import { Controller, type INestApplication, All, Module, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { fetchTarget, modern, portTarget, serverTarget, type Target } from '../support/http-target.js';
import { layerOf, MemoryLogger } from '../support/layers.js';

const logger = new MemoryLogger();
const layer = layerOf(
  (registry) =>
    registry.tool({ name: 'who' }, (_args, ctx) => ({ id: ctx.principal.id, roles: [...ctx.principal.roles] })),
  { logger },
);
const who = modern('tools/call', { name: 'who' });
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const handler = layer.nodeHandler({ guard: false });

async function expressTarget(prepare: (app: express.Express) => void): Promise<Target> {
  const app = express();
  prepare(app);
  app.use('/mcp', handler);
  const server = createServer(app);
  closers.push(() => server.close());
  return serverTarget(server, 'express');
}

async function fastifyTarget(prepare: (app: FastifyInstance) => void): Promise<Target> {
  const app = fastify();
  prepare(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  closers.push(() => app.close());
  return portTarget((app.server.address() as AddressInfo).port, 'fastify');
}

const TOLD =
  'The body was read before it reached the MCP handler. Leave it at request.body, or pass it on: it is the third argument of a node handler, and parsedBody in the second one of a fetch handler.';

/** Reads a request to its end, and keeps nothing. */
function drain(request: IncomingMessage, _response: ServerResponse, next: () => void): void {
  request.resume().once('end', () => setImmediate(next));
}

describe('a body that something in front has read', () => {
  it.each([
    ['parsed', express.json()],
    ['text', express.text({ type: () => true })],
    ['bytes', express.raw({ type: () => true })],
  ])('is taken from request.body of Express: %s', async (_form, parser) => {
    const target = await expressTarget((app) => app.use(parser));
    expect((await target.send(who)).json.result.structuredContent.id).toBe('anonymous');
  });

  it('is missed in words where it was left nowhere, and the log says it', async () => {
    const target = await expressTarget((app) => app.use(drain));
    const answer = await target.send(who);
    expect([answer.status, answer.json.error.code, answer.json.error.message]).toEqual([500, -32603, TOLD]);
    expect(logger.text).toContain('The body was read before it reached the MCP handler.');
  });

  it('is missed in words behind a fetch handler, too', async () => {
    const fetchHandler = layer.fetchHandler();
    const request = new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: '{}',
    });
    await request.text();
    const answer = await fetchHandler(request);
    expect([answer.status, ((await answer.json()) as { error: { message: string } }).error.message]).toEqual([
      500,
      TOLD,
    ]);
  });

  it('is missed in words when only the raw objects of Fastify were passed on', async () => {
    const target = await fastifyTarget((app) =>
      app.all('/mcp', (request, reply) => {
        reply.hijack();
        handler(request.raw, reply.raw);
      }),
    );
    expect((await target.send(who)).json.error.message).toBe(TOLD);
  });
});

describe('Fastify', () => {
  it('takes the handler as a route, as the README shows it', async () => {
    const readme = readFileSync(resolve(__dirname, '../../README.md'), 'utf8');
    expect(readme).toContain("fastify.all('/mcp', layer.nodeHandler()); // Fastify\n");
    const target = await fastifyTarget((app) => app.all('/mcp', layer.nodeHandler()));
    expect((await target.send(who)).json.result.structuredContent.id).toBe('anonymous');
    expect((await target.send({ method: 'GET' })).status).toBe(405);
  });

  it('says who calls, and what headers the answer has besides ours', async () => {
    const target = await fastifyTarget((app) => {
      app.addHook('preHandler', (request, reply, done) => {
        Object.assign(request, { user: { id: 'ana', roles: ['admin'] } });
        void reply.header('x-front', 'yes');
        done();
      });
      app.all('/mcp', handler);
    });
    const answer = await target.send(who);
    expect(answer.json.result.structuredContent).toEqual({ id: 'ana', roles: ['default', 'admin'] });
    expect(answer.headers['x-front']).toBe('yes');
  });

  it('takes the body as the third argument beside the raw objects', async () => {
    const target = await fastifyTarget((app) =>
      app.all('/mcp', (request, reply) => {
        reply.hijack();
        handler(request.raw, reply.raw, request.body);
      }),
    );
    expect((await target.send(who)).json.result.structuredContent.id).toBe('anonymous');
  });
});

describe('Nest on Fastify', () => {
  @Controller('mcp')
  class McpController {
    @All()
    serve(@Req() request: IncomingMessage, @Res() response: ServerResponse): void {
      handler(request, response);
    }
  }

  @Module({ controllers: [McpController] })
  class AppModule {}

  it('serves a controller that passes on what it got', async () => {
    const app: INestApplication = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
    closers.push(() => app.close());
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    expect((await portTarget(port, 'nest').send(who)).json.result.structuredContent.id).toBe('anonymous');
  });
});

describe('what a body is written in', () => {
  it.each([
    ['application/json; charset=utf-8', 200],
    ['application/json;charset="UTF-8"', 200],
    ['application/json; charset=us-ascii', 200],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=iso-8859-1', 415],
    ['application/json; x=1; charset=utf-16le', 415],
  ])('%s: %i', async (type, status) => {
    const target = await fetchTarget(layer);
    const answer = await target.send({ ...who, headers: { ...who.headers, 'content-type': type } });
    expect(answer.status).toBe(status);
    if (status === 415) expect(answer.json.error.message).toBe('A body must be application/json, in UTF-8.');
  });

  it('may begin with a byte order mark, and must be UTF-8', async () => {
    const target = await fetchTarget(layer);
    const text = JSON.stringify(who.body);
    expect((await target.send({ ...who, body: `\ufeff${text}` })).status).toBe(200);
    const broken = Buffer.concat([
      Buffer.from(text.slice(0, -1)),
      Buffer.from(',"x":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const answer = await target.send({ ...who, body: broken });
    expect([answer.status, answer.json.error.code]).toEqual([400, -32700]);
  });
});

describe('a refusal on a connection that is closed behind it', () => {
  it.each([
    ['a body over the limit', {}, 413],
    ['a type that is not taken', { 'content-type': 'text/plain' }, 415],
  ])('reaches a client that is still sending: %s', async (_name, headers, status) => {
    const server = createServer(layer.nodeHandler({ maxBodyBytes: 1000 }));
    const target = await serverTarget(server, 'node');
    closers.push(() => server.close());
    for (let i = 0; i < 20; i++) {
      const answer = await target.send({
        ...who,
        headers: { ...who.headers, ...headers },
        body: Buffer.alloc(3900, 32),
      });
      expect(answer.status).toBe(status);
    }
  });

  it('ends, also when the client never ends its request', async () => {
    const server = createServer(layer.nodeHandler({ maxBodyBytes: 1000 }));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closers.push(() => server.close());
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined);
    socket.write(
      'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\nx',
    );
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 415 /);
  });
});

describe('a client of a fetch handler that goes away', () => {
  const request = (signal: AbortSignal, body: unknown, headers: Record<string, string | undefined> = {}): Request =>
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(headers as Record<string, string>),
      },
      body: JSON.stringify(body),
      signal,
    });
  const slow = layerOf((registry) => {
    registry.tool(
      { name: 'slow' },
      (_args, ctx) => new Promise((resolve) => ctx.signal.addEventListener('abort', resolve)),
    );
    registry.tool({ name: 'talks' }, async (_args, ctx) => {
      ctx.reportProgress(1);
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
    });
  });

  it('lets its promise settle', async () => {
    const controller = new AbortController();
    const sent = modern('tools/call', { name: 'slow' });
    const answer = slow.fetchHandler()(request(controller.signal, sent.body, sent.headers));
    setTimeout(() => controller.abort(), 20);
    expect((await answer).status).toBe(499);
    expect((await slow.fetchHandler()(request(AbortSignal.abort(), sent.body, sent.headers))).status).toBe(499);
  });

  it('ends an open stream without an error, which runtimes would print', async () => {
    const controller = new AbortController();
    const sent = modern('tools/call', { name: 'talks' }, { progressToken: 'p' });
    const answer = await slow.fetchHandler()(request(controller.signal, sent.body, sent.headers));
    const reader = answer.body!.getReader();
    expect(String(Buffer.from((await reader.read()).value))).toContain('notifications/progress');
    controller.abort();
    expect((await reader.read()).done).toBe(true);
    await reader.closed;
  });
});
