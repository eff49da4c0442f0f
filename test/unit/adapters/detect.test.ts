import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as McpServerV2, Server as ServerV2 } from '@modelcontextprotocol/server';
import { ConfigurationError, detectServerKind, McpLayer } from 'cartouche';
import { detectServer } from '../../../src/adapters/detect.js';
import { NativeMcpServer } from '../../../src/native/native-server.js';
import { MemoryLogger } from '../../support/mount/layer.js';

const INFO = { name: 'host', version: '1' };
const layer = (): McpLayer => new McpLayer({ name: 'x', version: '1', logger: new MemoryLogger() });

describe('detectServerKind', () => {
  test('names both servers of both SDK majors, and ours', () => {
    expect(detectServerKind(new McpServerV1(INFO))).toBe('mcpserver');
    expect(detectServerKind(new ServerV1(INFO))).toBe('lowlevel');
    expect(detectServerKind(new McpServerV2(INFO))).toBe('mcpserver');
    expect(detectServerKind(new ServerV2(INFO))).toBe('lowlevel');
    expect(detectServerKind(new NativeMcpServer(layer()))).toBe('native');
  });

  test('tells the majors apart', () => {
    expect(detectServer(new McpServerV1(INFO)).sdkMajor).toBe(1);
    expect(detectServer(new ServerV1(INFO)).sdkMajor).toBe(1);
    expect(detectServer(new McpServerV2(INFO)).sdkMajor).toBe(2);
    expect(detectServer(new ServerV2(INFO)).sdkMajor).toBe(2);
  });

  test('sees subclasses, proxies and wrappers', () => {
    class Mine extends McpServerV2 {}
    class Wrapper {
      constructor(readonly server: object) {}
    }
    expect(detectServerKind(new Mine(INFO))).toBe('mcpserver');
    expect(detectServerKind(new Proxy(new McpServerV1(INFO), {}))).toBe('mcpserver');
    expect(detectServerKind(new Wrapper(new ServerV1(INFO)))).toBe('lowlevel');
    expect(detectServerKind(new Wrapper(new Wrapper(new McpServerV2(INFO))))).toBe('mcpserver');
  });

  test.each([[{}], [null], [undefined], ['server'], [[]], [{ server: {} }], [() => undefined]])(
    'refuses %p, saying what it takes',
    (value) => {
      expect(() => detectServerKind(value)).toThrow(TypeError);
      expect(() => detectServerKind(value)).toThrow(
        /is not an MCP server\. Pass an McpServer or Server of @modelcontextprotocol\/sdk 1\.x/,
      );
    },
  );

  test('refuses a server of a major version that does not exist yet, naming what it lacks', () => {
    const future = {
      setRequestHandler: () => undefined,
      registerCapabilities: () => undefined,
      notification: () => undefined,
    };
    expect(() => detectServerKind(future)).toThrow(
      /of an SDK version that is not known here \(it lacks .*_requestHandlers/,
    );
  });

  test('refuses tmcp, saying why', () => {
    expect(() => detectServerKind({ receive: () => undefined, hasMethod: () => true })).toThrow(
      /a tmcp server cannot be mounted in/,
    );
  });

  test('a FastMCP without its subpath is an error that names the import', () => {
    const fake = { addTool: () => undefined, start: () => undefined, sessions: [] };
    expect(() => layer().registerInto(fake)).toThrow(ConfigurationError);
    expect(() => layer().registerInto(fake)).toThrow(/import 'cartouche\/fastmcp'/);
  });

  test('our own server is returned unchanged, and one of another layer is refused', () => {
    const own = layer();
    const server = new NativeMcpServer(own);
    expect(own.registerInto(server)).toMatchObject({ kind: 'native', server, sdkMajor: undefined });
    expect(() => layer().registerInto(server)).toThrow(TypeError);
  });
});
