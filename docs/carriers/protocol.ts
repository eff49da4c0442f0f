import { createServer, connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type Layer, McpLayer, Principal, Registry, type ToolContext } from 'cartouche';
import { NativeMcpServer, serialise } from 'cartouche/native';

/** MCP over a socket, a message a line. Who is at the other end is known by the connection, not by what it says. */
function serveSocket(server: NativeMcpServer, socket: Socket): void {
  const session = server.createSession({
    transport: 'unknown',
    principal: new Principal({ id: `socket-${socket.remoteAddress ?? '?'}` }),
    send: (message) => socket.write(`${serialise(message)}\n`),
  });
  createInterface({ input: socket }).on('line', (line) => {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      message = line; // The engine answers what is no message, too.
    }
    // `send` has carried progress and logs by then; a notification has no reply.
    void session.handle(message).then((reply) => {
      if (reply !== undefined) socket.write(`${serialise(reply)}\n`);
    });
  });
  socket.on('close', () => session.close());
}

const registry = new Registry();
registry.tool({ name: 'greet', capabilities: [] }, (_: unknown, ctx: ToolContext) => {
  ctx.log('info', 'greeting');
  return `Hello, ${ctx.principal.id}.`;
});
const layer: Layer = new McpLayer({ name: 'post', version: '1.0.0', registry });
await layer.start();
const server = new NativeMcpServer(layer);
const listening = createServer((socket) => serveSocket(server, socket)).listen(0, '127.0.0.1');
await new Promise((resolve) => listening.once('listening', resolve));

// A client that says three things and hears what comes back.
const { port } = listening.address() as { port: number };
const client = connect(port, '127.0.0.1');
const say = (message: object): boolean => client.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const clientInfo = { name: 'reader', version: '1.0.0' };
say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
for await (const line of createInterface({ input: client })) {
  const message = JSON.parse(line) as { id?: number; result?: Record<string, unknown>; params?: object };
  const { id, params, result } = message;
  console.log(
    id === undefined ? 'on its own:' : `reply ${id}:`,
    params ?? result?.['content'] ?? result?.['serverInfo'],
  );
  if (id === 1) break;
  if (id !== 0) continue;
  say({ method: 'notifications/initialized' });
  say({ id: 1, method: 'tools/call', params: { name: 'greet' } });
}
client.destroy();
server.close();
listening.close();
await layer.close();
