import {
  hasMethods,
  type HighLevelServer,
  looksLikeProtocol,
  majorOf,
  protocolFault,
  type ProtocolServer,
} from './host.js';

/** What a layer can be mounted in. */
export type ServerKind = 'native' | 'mcpserver' | 'lowlevel' | 'fastmcp' | 'nest';

/** A server that was recognised, taken apart. */
export interface DetectedServer {
  readonly kind: ServerKind;
  readonly sdkMajor: 1 | 2 | undefined;
  /** The object that is mounted into: what a wrapper wraps. */
  readonly target: object;
  /** Of SDK servers. */
  readonly protocol?: ProtocolServer;
  readonly highLevel?: HighLevelServer;
}

/** How many wrappers are looked through. */
const MAX_WRAPPERS = 2;

const TAKES =
  'an McpServer or Server of @modelcontextprotocol/sdk 1.x or @modelcontextprotocol/server 2.x, a FastMCP of fastmcp, ' +
  'a McpStrategy of @rekog/mcp-nest, or a NativeMcpServer';

/**
 * Names what `server` is, by its shape: class names collide between SDKs, and `instanceof` fails between the ES module
 * and the CommonJS copy of one.
 *
 * @throws {TypeError} When it is nothing that a layer can be mounted in.
 */
export function detectServerKind(server: unknown): ServerKind {
  return detectServer(server).kind;
}

/** As {@link detectServerKind}, with the parts. @throws {TypeError} */
export function detectServer(server: unknown): DetectedServer {
  let candidate = server;
  for (let depth = 0; depth <= MAX_WRAPPERS; depth++) {
    const found = recognise(candidate);
    if (found !== undefined) return found;
    candidate = (candidate as { server?: unknown } | null | undefined)?.server;
  }
  throw new TypeError(`registerInto: ${describe(server)} is not an MCP server. Pass ${TAKES}.`);
}

function recognise(value: unknown): DetectedServer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (hasMethods(value, 'createSession') && hasMethods(value['layer'], 'callTool', 'toolsWire')) {
    return { kind: 'native', sdkMajor: undefined, target: value };
  }
  if (hasMethods(value, 'bindRequestHandlers', 'createBoundServer'))
    return { kind: 'nest', sdkMajor: 2, target: value };
  if (hasMethods(value, 'addTool', 'start') && Array.isArray(value['sessions'])) {
    return { kind: 'fastmcp', sdkMajor: 1, target: value };
  }
  if (hasMethods(value, 'receive', 'hasMethod') && !hasMethods(value, 'setRequestHandler')) {
    throw new TypeError(
      'registerInto: a tmcp server cannot be mounted in: what it sends with a request, only its own handlers can. ' +
        `Serve the layer by itself beside it, or pass ${TAKES}.`,
    );
  }
  const { server } = value as { server?: unknown };
  if (hasMethods(value, 'registerTool') && looksLikeProtocol(server)) {
    const protocol = checked(server, 'McpServer.server');
    return {
      kind: 'mcpserver',
      sdkMajor: majorOf(protocol),
      target: value,
      protocol,
      highLevel: value as unknown as HighLevelServer,
    };
  }
  if (!looksLikeProtocol(value)) return undefined;
  const protocol = checked(value, 'Server');
  return { kind: 'lowlevel', sdkMajor: majorOf(protocol), target: value, protocol };
}

/** @throws {TypeError} For a server whose insides are not those of a version that was tested. */
function checked(value: unknown, name: string): ProtocolServer {
  const fault = protocolFault(value);
  if (fault === undefined) return value as ProtocolServer;
  throw new TypeError(
    `registerInto: this ${name} is of an SDK version that is not known here (it lacks ${fault}). ` +
      `Use @modelcontextprotocol/sdk 1.x or @modelcontextprotocol/server 2.x, or a newer cartouche.`,
  );
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return value === null || value === undefined ? String(value) : `a ${typeof value}`;
  const name = (value.constructor as { name?: string } | undefined)?.name;
  return name === undefined || name === '' || name === 'Object' ? 'this object' : `this ${name}`;
}
