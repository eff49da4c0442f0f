import { AccessDeniedError, type CallKind, McpLayer, NotFoundError, Registry, ToolError } from 'cartouche';
import { createTestClient, fixedClock, type ProtocolFailure, sequentialIds } from 'cartouche/testing';

class SoldOut extends Error {}

const FAILURES: Readonly<Record<string, () => Error>> = {
  told: () => new ToolError('No such article.', { nearest: 'a-1' }),
  absent: () => new NotFoundError('a-9 is not in stock.'),
  denied: () => new AccessDeniedError('Not your warehouse.'),
  mapped: () => new SoldOut('table stock, row 9'),
  unexpected: () => new Error('connect to postgres://admin:secret@db failed'),
};

const registry = new Registry();
for (const [name, make] of Object.entries(FAILURES)) {
  const fail = (): never => {
    throw make();
  };
  registry.tool({ name, capabilities: ['read_state'] }, fail);
  registry.resource({ uri: `stock://${name}`, name, capabilities: ['read_state'] }, fail);
}
registry.tool({ name: 'slow', capabilities: ['read_state'], timeoutMs: 20 }, () => new Promise(() => undefined));

const logger = {
  debug() {},
  info() {},
  warn() {},
  error: (message: string, { errorId, error }: Record<string, unknown> = {}) =>
    console.log('log:', message, errorId, error),
};
const layer = new McpLayer({
  name: 'stock',
  version: '1.0.0',
  registry,
  logger,
  clock: fixedClock(),
  ids: sequentialIds(),
  onError: (error, site: { readonly kind: CallKind }) =>
    error instanceof SoldOut ? new ToolError(`Sold out (asked as a ${site.kind}).`) : undefined,
});

for (const name of [...Object.keys(FAILURES), 'slow']) {
  const { content, isError, meta } = await layer.callTool(name);
  console.log(
    `${name}:`,
    isError,
    content.map((block) => block.toWire()['text']),
    meta,
  );
}
for (const era of ['handshake', 'modern'] as const) {
  const client = createTestClient(layer, { era });
  const tell = (asked: string) => (error: unknown) => {
    const { code, message } = error as ProtocolFailure;
    console.log(`${era}, ${asked}:`, code, message);
  };
  for (const name of [...Object.keys(FAILURES), 'unknown']) await client.read(`stock://${name}`).catch(tell(name));
  await client.call('no_such_tool').catch(tell('no_such_tool'));
  client.close();
}
await layer.close();
