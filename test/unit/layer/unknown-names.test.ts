import { toAnthropicTools } from '../../../src/adapters/exports/anthropic.js';
import { toOpenAITools } from '../../../src/adapters/exports/openai.js';
import { McpLayer } from '../../../src/mcp-layer.js';
import { Registry } from '../../../src/registry/registry.js';

const registry = new Registry();
registry.tool({ name: 'count_assets' }, () => 1);
registry.tool({ name: 'drop_database', tags: ['hidden'] }, () => 1);
registry.prompt({ name: 'compare_estates' }, () => 'x');
const layer = new McpLayer({
  name: 'test',
  version: '1',
  registry,
  policy: {
    name: 'hides',
    decide: ({ tags }) => (tags.has('hidden') ? { allowed: false, hidden: true, reason: 'hidden' } : { allowed: true }),
    scopeOf: () => undefined,
  },
});

describe('a name that nothing has', () => {
  test('is answered with the nearest that the caller may know of', async () => {
    await expect(layer.callTool('count_asests')).rejects.toThrow(
      "Unknown tool: count_asests. Did you mean 'count_assets'?",
    );
    await expect(layer.getPrompt('compare_estate')).rejects.toThrow(
      "Unknown prompt: compare_estate. Did you mean 'compare_estates'?",
    );
    await expect(layer.callTool('nothing')).rejects.toThrow(/^Unknown tool: nothing$/);
  });

  test('never with one that is hidden', async () => {
    await expect(layer.callTool('drop_databas')).rejects.toThrow(/^Unknown tool: drop_databas$/);
    await expect(layer.callTool('drop_database')).rejects.toThrow(/^Unknown tool: drop_database$/);
  });

  test('is answered so where a model calls it', async () => {
    const { content } = await toAnthropicTools(layer).run({
      id: '1',
      name: 'count_asset',
      input: {},
    });
    expect(JSON.stringify(content)).toContain("Unknown tool: count_asset. Did you mean 'count_assets'?");
    const { run } = toOpenAITools(layer);
    const answer = await run({ id: '1', type: 'function', function: { name: 'count_asset', arguments: '{}' } });
    expect(JSON.stringify(answer)).toContain("Did you mean 'count_assets'?");
  });
});
