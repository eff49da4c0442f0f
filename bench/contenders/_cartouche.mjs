// What the two cartouche contenders share: how a layer is served.
import * as F from '../lib/fixture.mjs';

export const meta = (label) => ({
  label,
  memory: true,
  http: ['stateless', 'session', 'session-sse', 'modern'],
  stdio: true,
});

const OPTIONS = {
  stateless: { sessions: false },
  session: { responseMode: 'json' },
  'session-sse': { responseMode: 'sse' },
  modern: {},
};

export async function serve(layer, { transport, mode, port }) {
  if (transport === 'stdio') {
    await layer.serve('stdio');
    return {};
  }
  if (transport === 'memory') {
    const { connectInMemory } = await import('../../dist/esm/src/testing.js');
    const connection = connectInMemory(layer);
    await connection.send(F.INIT);
    await connection.send(F.INITED);
    return { rpc: (message) => connection.send(message) };
  }
  const serving = await layer.serve('http', { port, ...OPTIONS[mode] });
  return { port: serving.port };
}

/** Resources, templates and prompts, which are served and not called. */
export function registerRest(registry) {
  for (const { uri, ...rest } of F.RESOURCES)
    registry.resource({ uri, ...rest }, () => F.readResource(uri).contents[0].text);
  for (const { uriTemplate, ...rest } of F.TEMPLATES)
    registry.resourceTemplate({ uriTemplate, ...rest }, (_variables, context) => String(context.requestId));
  for (const prompt of F.PROMPTS) registry.prompt(prompt, (args) => `${prompt.name}: ${args.topic}`);
}
