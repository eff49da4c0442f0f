import { IsOptional, IsString } from 'class-validator';
import { Expose } from 'class-transformer';
import { Tool } from '../../../decorators/tool.js';
import { answeringClient } from '../../../src/asking/answering-client.js';
import { ConfigurationError } from '../../../src/core/errors.js';
import type { McpLayerOptions } from '../../../src/layer/options.js';
import { McpLayer } from '../../../src/mcp-layer.js';
import { layerOf, round } from './support.js';

class DeleteArgs {
  @IsString()
  name!: string;

  @IsOptional()
  @IsString()
  @Expose({ name: 'why' })
  reason?: string;
}

let deleted: string[] = [];

class Files {
  @Tool({ confirm: 'Delete {name}? Reason: {why}', capabilities: ['write_fs'] })
  deleteFile({ name }: DeleteArgs): string {
    deleted.push(name);
    return `${name} is gone`;
  }
}

function files(options: Partial<McpLayerOptions> = {}): McpLayer {
  return new McpLayer({ name: 'files', version: '1', services: [Files], ...options });
}

beforeEach(() => {
  deleted = [];
});

describe('a tool with confirm', () => {
  test('asks with the arguments in the question, and runs when the person consents', async () => {
    const asked: unknown[] = [];
    const client = answeringClient({
      elicit: (question) => {
        asked.push(question);
        return { action: 'accept', content: {} };
      },
    });
    const args = { name: `a\nb${'x'.repeat(300)}`, why: 'old' };
    const result = await files().callTool('delete_file', args, { context: { client } });
    expect(result.isError).toBe(false);
    expect(asked).toEqual([
      { message: `Delete a b${'x'.repeat(197)}…? Reason: old`, schema: { type: 'object', properties: {} } },
    ]);
    expect(deleted).toHaveLength(1);
  });

  test('does nothing when the person declines or closes the question', async () => {
    for (const [action, how] of [
      ['decline', 'declined'],
      ['cancel', 'closed the question'],
    ] as const) {
      const client = answeringClient({ elicit: () => ({ action }) });
      const { content, isError } = (await files().callTool('delete_file', { name: 'a' }, { context: { client } })).toWire() as any; // prettier-ignore
      expect([isError, content[0].text]).toEqual([
        true,
        `delete_file was not run: the person who was asked to confirm it ${how}.`,
      ]);
    }
    expect(deleted).toEqual([]);
  });

  test('is not confirmed for arguments that are wrong', async () => {
    const client = answeringClient({ elicit: () => Promise.reject(new Error('asked')) });
    const { content } = (await files().callTool('delete_file', {}, { context: { client } })).toWire() as any;
    expect(content[0].text).toBe('Invalid arguments: name: is required');
  });

  test('refuses where nobody can be asked, or proceeds where the layer says so', async () => {
    const nobody = [undefined, answeringClient({})];
    for (const client of nobody) {
      const refused = await files().callTool('delete_file', { name: 'a' }, { context: { client } });
      expect(refused.isError).toBe(true);
      expect(deleted).toEqual([]);
    }
    const proceeds = files({ confirmWithoutClient: 'proceed' });
    for (const client of nobody) await proceeds.callTool('delete_file', { name: 'a' }, { context: { client } });
    expect(deleted).toEqual(['a', 'a']);
    const declines = answeringClient({ elicit: () => ({ action: 'decline' }) });
    await proceeds.callTool('delete_file', { name: 'b' }, { context: { client: declines } });
    expect(deleted).toEqual(['a', 'a']);
  });

  test('is listed as destructive, unless it says otherwise', () => {
    const [tool] = files().toolsWire() as any;
    expect(tool.annotations.destructiveHint).toBe(true);
    const [mild] = layerOf(() => 1, { tool: { confirm: 'Sure?', destructive: false } }).toolsWire() as any;
    expect(mild.annotations.destructiveHint).toBe(false);
    expect(JSON.stringify(tool)).not.toContain('Delete');
  });

  test('may make its question of the arguments itself, and asks before what the handler asks', async () => {
    const layer = layerOf(
      (_args, ctx) => ctx.elicit('more', { type: 'object', properties: {} }, { message: 'More?' }),
      {
        tool: { confirm: ({ n }: { n: number }) => `Delete ${n} files?` },
      },
    );
    const first = await round(layer, {}, { n: 3 });
    expect(first.asked).toEqual({
      'cartouche/confirm': {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Delete 3 files?', requestedSchema: { type: 'object', properties: {} } },
      },
    });
    const yes = { 'cartouche/confirm': { action: 'accept' } };
    const second = await round(layer, { requestState: first.state, inputResponses: yes }, { n: 3 });
    expect(Object.keys(second.asked!)).toEqual(['more']);
    // The consent was given to three files, not to four.
    await expect(round(layer, { requestState: first.state, inputResponses: yes }, { n: 4 })).rejects.toThrow(
      'belongs to another request',
    );
  });

  test('takes no consent that comes before the question', async () => {
    const layer = layerOf(() => 'done', { tool: { confirm: 'Sure?' } });
    const { asked } = await round(layer, { inputResponses: { 'cartouche/confirm': { action: 'accept' } } });
    expect(Object.keys(asked!)).toEqual(['cartouche/confirm']);
  });

  test('names a capability that a modern client lacks', async () => {
    const layer = layerOf(() => 'done', { tool: { confirm: 'Sure?' } });
    await expect(round(layer, { capabilities: {} })).rejects.toMatchObject({
      data: { requiredCapabilities: { elicitation: {} } },
    });
  });

  test('that names an argument which is not there fails when the layer is built', () => {
    class Wrong {
      @Tool({ confirm: 'Delete {nam}?' })
      remove(_args: DeleteArgs): void {}

      @Tool({ confirm: '' })
      empty(_args: DeleteArgs): void {}
    }
    expect(() => new McpLayer({ name: 'x', version: '1', services: [Wrong] })).toThrow(ConfigurationError);
    try {
      new McpLayer({ name: 'x', version: '1', services: [Wrong] });
    } catch (error) {
      expect((error as ConfigurationError).findings).toEqual([
        'Wrong.remove: confirm names {nam}, which is not one of its arguments. Did you mean {name}? [CT223]',
        "Wrong.empty: confirm is neither text nor a function. Pass one, such as 'Delete {name}?'. [CT222]",
      ]);
    }
  });
});

test('a form that a tool, prompt or resource says it asks with is checked when the layer is built', () => {
  class Unfit {
    @IsString({ each: true })
    tags!: string[];
  }
  class Asks {
    @Tool({ asks: [Unfit] })
    ask(): void {}
  }
  expect(() => new McpLayer({ name: 'x', version: '1', services: [Asks] })).toThrow(
    /Unfit\.tags: a form has lists of given values only/,
  );
});
