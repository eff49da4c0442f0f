import { IsString } from 'class-validator';
import { answeringClient } from '../../../src/asking/answering-client.js';
import type { ToolContext } from '../../../src/core/context.js';
import { errorKind } from '../../../src/core/errors.js';
import type { Middleware, MiddlewareFunction } from '../../../src/core/middleware.js';
import { ALLOW_ALL } from '../../../src/core/ports.js';
import { cache } from '../../../src/middleware/cache.js';
import { McpLayer } from '../../../src/mcp-layer.js';
import { Registry } from '../../../src/registry/registry.js';
import { ALL, converse, layerOf, round } from './support.js';

class Name {
  @IsString()
  name!: string;
}

const ask = { message: 'Who?' };
const answers = { elicit: () => ({ action: 'accept', content: { name: 'Ada' } }) as const };

describe('a call inside a call', () => {
  function nested(): { layer: McpLayer; runs: string[] } {
    const runs: string[] = [];
    const registry = new Registry();
    registry.tool({ name: 'inner', input: { type: 'object' } }, async (_args: unknown, ctx: ToolContext) => {
      await ctx.step('once', () => runs.push('inner'));
      return ctx.elicit('who', Name, ask);
    });
    registry.tool({ name: 'work', input: { type: 'object' } }, async (_args: unknown, ctx: ToolContext) => {
      await ctx.step('once', () => runs.push('outer'));
      const first = await ctx.layer.callTool('inner', {}, { context: ctx });
      const second = await ctx.layer.callTool('inner', {}, { context: ctx });
      await ctx.elicit('who', Name, ask);
      return [first.structuredContent, second.structuredContent];
    });
    return { layer: new McpLayer({ name: 'x', version: '1', registry }), runs };
  }

  test('asks on the outer call’s account, under keys of its own', async () => {
    const { layer, runs } = nested();
    const first = await round(layer);
    expect(Object.keys(first.asked!)).toEqual(['inner/who']);
    const yes = { action: 'accept', content: { name: 'Ada' } };
    const second = await round(layer, { requestState: first.state, inputResponses: { 'inner/who': yes } });
    expect(Object.keys(second.asked!)).toEqual(['inner#2/who']);
    expect(runs).toEqual(['outer', 'inner', 'inner']);
  });

  test('gives both eras the same', async () => {
    const modern = await converse(nested().layer, answers);
    const handshake = await nested().layer.callTool('work', {}, { context: { client: answeringClient(answers) } });
    expect(modern.result.structuredContent).toEqual(handshake.structuredContent);
    expect(modern.rounds).toBe(4);
  });
});

describe('the middleware', () => {
  test('that tries again finds what was answered and done', async () => {
    let runs = 0;
    let asked = 0;
    let steps = 0;
    const again: MiddlewareFunction = async (_call, next) => {
      try {
        return await next();
      } catch {
        return next();
      }
    };
    const handler = async (_args: unknown, ctx: ToolContext): Promise<unknown> => {
      const answer = await ctx.elicit('who', Name, ask);
      await ctx.step('once', () => steps++);
      if (++runs === 1) throw new Error('flaky');
      return answer;
    };
    const elicit = (): { action: 'accept'; content: { name: string } } => {
      asked++;
      return { action: 'accept', content: { name: 'Ada' } };
    };
    const layer = layerOf(handler, { middleware: [again] });
    const result = await layer.callTool('work', {}, { context: { client: answeringClient({ elicit }) } });
    expect([result.isError, runs, asked, steps]).toEqual([false, 2, 1, 1]);
  });

  test('sees what has to be asked as something thrown, and cannot hide it', async () => {
    const seen: unknown[] = [];
    const hides: Middleware = async (call, next) => {
      try {
        return await next();
      } catch (error) {
        seen.push(errorKind(error));
        return call.kind === 'tool' ? (undefined as never) : next();
      }
    };
    const { asked } = await round(layerOf((_args, ctx) => ctx.elicit('who', Name, ask), { middleware: [hides] }));
    expect([Object.keys(asked!), seen]).toEqual([['who'], ['InputRequiredError']]);
  });
});

test('a cache keeps nothing that a person answered', async () => {
  let asked = 0;
  const elicit = (): { action: 'decline' } => {
    asked++;
    return { action: 'decline' };
  };
  const layer = layerOf((_args, ctx) => ctx.elicit('who', Name, ask), { middleware: [cache()] });
  const context = { client: answeringClient({ elicit }) };
  await layer.callTool('work', {}, { context });
  await layer.callTool('work', {}, { context });
  expect(asked).toBe(2);
});

test('a policy rewrites what is asked and what is answered', async () => {
  const swap = (from: string, to: string) => (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(from, to)) as unknown;
  const policy = {
    ...ALLOW_ALL,
    pipeline: () => ({ input: swap('PERSON_1', 'Ada'), output: swap('Ada', 'PERSON_1') }),
  };
  let told = '';
  const handler = async (_args: unknown, ctx: ToolContext): Promise<string> => {
    const answer = await ctx.elicit('who', Name, { message: 'Is it Ada?' });
    return answer.action === 'accept' ? String(answer.content.name === 'Ada') : '';
  };
  const elicit = ({ message }: { message: string }): { action: 'accept'; content: { name: string } } => {
    told = message;
    return { action: 'accept', content: { name: 'PERSON_1' } };
  };
  const { result } = await converse(layerOf(handler, { policy }), { elicit });
  expect([told, result.content[0].text]).toEqual(['Is it PERSON_1?', 'true']);
  const handshake = await layerOf(handler, { policy }).callTool('work', {}, { context: { client: answeringClient({ elicit }) } }); // prettier-ignore
  expect([told, (handshake.toWire() as any).content[0].text]).toEqual(['Is it PERSON_1?', 'true']);
});

test('prompts and resources ask too', async () => {
  const registry = new Registry();
  registry.prompt(
    { name: 'p' },
    async (_args: unknown, ctx: ToolContext) => (await ctx.elicit('who', Name, ask)).action,
  );
  const input = { type: 'object', properties: { id: { type: 'string' } } };
  registry.resourceTemplate(
    { uriTemplate: 'x://t/{id}', name: 't', input },
    async (_vars: unknown, ctx: ToolContext) => (await ctx.elicit('who', Name, ask)).action,
  );
  const layer = new McpLayer({ name: 'x', version: '1', registry });
  const client = answeringClient(answers);
  expect((await layer.getPrompt('p', {}, { context: { client } })).toWire()).toMatchObject({
    messages: [{ content: { text: 'accept' } }],
  });
  expect((await layer.readResource('x://t/1', { context: { client } }))[0]!.toWire()).toMatchObject({ text: 'accept' });
  const modern = { era: 'modern', version: '2026-07-28', capabilities: ALL, inputResponses: {}, requestState: undefined } as const; // prettier-ignore
  for (const call of [
    layer.getPrompt('p', {}, { context: { client: modern } }),
    layer.readResource('x://t/1', { context: { client: modern } }),
  ]) {
    await expect(call).rejects.toMatchObject({ name: 'InputRequiredError', data: { inputRequests: { who: {} } } });
  }
  // Nobody to ask is an error of the request, and says why.
  await expect(layer.getPrompt('p')).rejects.toMatchObject({ name: 'AskingError', code: -32603 });
});
