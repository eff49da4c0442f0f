import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { bindingOf, buildServer, ConfigurationError, detectServerKind } from 'cartouche';
import { isMissing, missingPackage } from '../../../src/adapters/load-package.js';
import { sampleLayer } from '../../support/mount/layer.js';
import { MemoryWire } from '../../support/mount/wire.js';

describe('buildServer', () => {
  test.each([
    ['auto', 'lowlevel', 2],
    ['sdk', 'lowlevel', 2],
    ['sdk-v2', 'lowlevel', 2],
    ['sdk-v1', 'lowlevel', 1],
    ['mcpserver', 'mcpserver', 2],
  ] as const)('%s gives a %s of SDK %d that serves the layer alone', async (flavor, kind, sdkMajor) => {
    const { layer } = sampleLayer({ title: 'Sample', instructions: 'Be kind.' });
    const server = (await buildServer(layer, flavor)) as Server;
    expect(detectServerKind(server)).toBe(kind);
    expect(bindingOf(server)).toMatchObject({ kind, sdkMajor, layer });
    const wire = new MemoryWire();
    await server.connect(wire.transport);
    await wire.initialize();
    expect(wire.initialized['result']).toMatchObject({
      serverInfo: { name: 'sample', version: '1.0.0', title: 'Sample' },
      instructions: 'Be kind.',
    });
    const listed = (await wire.request('tools/list'))['result'].tools as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(
      layer
        .listTools()
        .map(({ name }) => name)
        .filter((name) => name !== 'secret'),
    );
    await server.close();
  });

  test('takes the class to build with', async () => {
    class Mine extends Server {}
    const server = await buildServer(sampleLayer().layer, 'sdk', { serverClass: Mine, name: 'mine' });
    expect(server).toBeInstanceOf(Mine);
    await expect(buildServer(sampleLayer().layer, 'mcpserver', { serverClass: McpServer })).resolves.toBeInstanceOf(
      McpServer,
    );
    await expect(buildServer(sampleLayer().layer, 'sdk-v1', { serverClass: ServerV1 })).resolves.toBeInstanceOf(
      ServerV1,
    );
  });

  test('native is our own server', async () => {
    const server = await buildServer(sampleLayer().layer, 'native');
    expect(bindingOf(server)).toMatchObject({ kind: 'native' });
  });

  test('refuses a flavor that there is not', async () => {
    await expect(buildServer(sampleLayer().layer, 'vanilla' as never)).rejects.toThrow(
      /there is no flavor 'vanilla'\. Use auto, native/,
    );
  });

  test('names the command that installs a package that is missing, and not for what that package lacks itself', async () => {
    const load = async (name: string): Promise<unknown> => import(name);
    const error = await load('@modelcontextprotocol/none').catch((thrown: unknown) => thrown);
    expect(isMissing(error, '@modelcontextprotocol/none')).toBe(true);
    expect(isMissing(error, '@modelcontextprotocol/server')).toBe(false);
    expect(isMissing(new Error('broken'), '@modelcontextprotocol/none')).toBe(false);
    expect(() => missingPackage('fastmcp', "buildServer 'fastmcp'")).toThrow(ConfigurationError);
    expect(() => missingPackage('fastmcp', "buildServer 'fastmcp'")).toThrow(/Run npm install fastmcp\./);
  });
});
