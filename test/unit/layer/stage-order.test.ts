import { IsString } from 'class-validator';
import {
  type McpLayer,
  type Pipeline,
  type Policy,
  RateLimitedError,
  TextContent,
  type ToolContext,
  ToolResult,
} from 'cartouche';
import { answeringClient } from '../../../src/asking/answering-client.js';
import { STAGES } from '../../../src/layer/stage-list.js';
import { layerOf, MemoryLogger } from '../../support/layers.js';

const order = 'admit transform-input validate confirm invoke normalise check-output transform-output cap-text append-links cap-answer stamp'; // prettier-ignore

/** What happened, in order, in calls of one tool; each stage that can be seen says so. */
interface Watched {
  readonly layer: McpLayer;
  readonly seen: string[];
}

interface Setup {
  readonly handler?: (args: any, ctx: ToolContext) => unknown;
  readonly pipeline?: Pipeline;
  readonly admit?: Policy['admit'];
  readonly tool?: object;
  readonly options?: object;
}

class Args {
  @IsString()
  id!: string;
}

function watched({ handler, pipeline = {}, admit, tool = {}, options = {} }: Setup): Watched {
  const seen: string[] = [];
  const policy: Policy = {
    name: 'house',
    scopeOf: () => '',
    decide: () => ({ allowed: true }),
    admit: (primitive, principal) => {
      seen.push('admit');
      return admit?.(primitive, principal);
    },
    pipeline: () => ({
      ...pipeline,
      input: (value, place) => {
        seen.push(`input ${place.part}`);
        return pipeline.input === undefined ? value : pipeline.input(value, place);
      },
    }),
  };
  const layer = layerOf(
    (registry) =>
      void registry.tool({ name: 't', input: Args, ...tool }, async (args: Args, ctx) => {
        seen.push('handler');
        return handler === undefined ? 'done' : await handler(args, ctx);
      }),
    { policy, ...options },
  );
  return { layer, seen };
}

const text = async (layer: McpLayer, args: object = { id: 'a' }, options: object = {}): Promise<string> =>
  (await layer.callTool('t', args, options)).content.map((block) => (block as TextContent).text).join('|');

describe('each stage stands where the one after it needs it', () => {
  test('the list', () => {
    expect(STAGES.map(({ name }) => name)).toEqual(order.split(' '));
  });

  test('admit, then transform-input: what is too often costs no rewriting', async () => {
    const admit = (): never => {
      throw new RateLimitedError('Too often.');
    };
    const { layer, seen } = watched({ admit });
    expect((await layer.callTool('t', { id: 'a' })).isError).toBe(true);
    expect(seen).toEqual(['admit']);
  });

  test('transform-input, then validate: what the policy made of the arguments is what is checked', async () => {
    const made = watched({ pipeline: { input: () => ({ id: 'made' }) }, handler: ({ id }: Args) => id });
    expect(await text(made.layer, { id: 5 })).toBe('made');
    const broken = watched({ pipeline: { input: () => ({ id: 5 }) } });
    expect((await broken.layer.callTool('t', { id: 'a' })).isError).toBe(true);
    expect(broken.seen).toEqual(['admit', 'input arguments']);
  });

  test('validate, then confirm, then invoke: a person is asked about checked arguments, before anything runs', async () => {
    const { layer, seen } = watched({ tool: { confirm: 'Run {id}?' } });
    const elicit = ({ message }: { message: string }): { action: 'decline' } => {
      seen.push(message);
      return { action: 'decline' };
    };
    const context = { client: answeringClient({ elicit }) };
    await layer.callTool('t', { id: 5 }, { context });
    expect(seen.splice(0)).toEqual(['admit', 'input arguments']);
    await layer.callTool('t', { id: 'a' }, { context });
    expect(seen).toEqual(['admit', 'input arguments', 'Run a?', 'input answer']);
  });

  test('check-output, then transform-output: the schema holds what the handler gave, not what the policy made', async () => {
    const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const redacts = { output: (value: unknown) => (typeof value === 'object' ? { redacted: true } : 'redacted') };
    const good = watched({ handler: () => ({ n: 1 }), pipeline: redacts, tool: { output } });
    expect(await good.layer.callTool('t', { id: 'a' })).toMatchObject({
      isError: false,
      structuredContent: { redacted: true },
    });
    const mends = { output: (value: unknown) => (typeof value === 'object' ? { n: 1 } : value) };
    const bad = watched({ handler: () => ({ n: 'x' }), pipeline: mends, tool: { output } });
    expect((await bad.layer.callTool('t', { id: 'a' })).isError).toBe(true);
  });

  test('transform-output, then cap-text: what is hidden is hidden before half of it is cut off', async () => {
    const hides = {
      output: (value: unknown) => (typeof value === 'string' ? value.replaceAll('SECRET', '***') : value),
    };
    const { layer } = watched({
      handler: () => new ToolResult({ content: [new TextContent('1234SECRET and more')] }),
      pipeline: hides,
      options: { maxOutputChars: 8 },
    });
    expect(await text(layer)).toBe('1234*** \n… [cut: 8 of 16 characters]');
  });

  test('transform-output, then append-links: a link is rewritten once, and stands last', async () => {
    const marks = { output: (value: unknown) => (typeof value === 'string' ? `${value}!` : value) };
    const { layer } = watched({
      handler: (_args, ctx) => {
        ctx.link('r://a', 'name');
        return ToolResult.text('said');
      },
      pipeline: marks,
    });
    const { content } = await layer.callTool('t', { id: 'a' });
    expect(content.map((block) => block.toWire())).toMatchObject([
      { type: 'text', text: 'said!' },
      { type: 'resource_link', uri: 'r://a!', name: 'name!' },
    ]);
  });

  test('cap-text, then cap-answer: a text that was cut is no answer over the limit', async () => {
    const options = { maxOutputChars: 10, maxResultChars: 100 };
    const { layer } = watched({ handler: () => ToolResult.text('x'.repeat(400)), options });
    expect((await layer.callTool('t', { id: 'a' })).isError).toBe(false);
    const many = Array.from({ length: 4 }, () => new TextContent('x'.repeat(30)));
    const wide = watched({
      handler: () => new ToolResult({ content: many }),
      options: { maxOutputChars: 50, maxResultChars: 100 },
    });
    expect((await wide.layer.callTool('t', { id: 'a' })).isError).toBe(true);
  });

  test('stamp, last: an answer says how long all of it took', async () => {
    let now = 0;
    const clock = { now: () => now, monotonic: () => now };
    const takesTime = { output: (value: unknown) => ((now = 50), value) };
    const { layer } = watched({ pipeline: takesTime, options: { clock } });
    expect((await layer.callTool('t', { id: 'a' })).meta).toMatchObject({ 'cartouche/duration_ms': 50 });
  });
});

describe('a result that does not fit its output schema', () => {
  const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const build = (result: unknown, validateOutput?: 'error' | 'warn' | 'off') => {
    const logger = new MemoryLogger();
    const layer = layerOf((registry) => void registry.tool({ name: 't', output }, () => result), {
      logger,
      ...(validateOutput === undefined ? {} : { validateOutput }),
    });
    return { layer, warnings: () => logger.lines.filter(({ level }) => level === 'warn') };
  };
  const warning = {
    level: 'warn',
    message: "tool 't': its result does not fit its output schema",
    fields: { issues: expect.stringMatching(/^n: /) as string },
  };

  test.each<[option: 'error' | 'warn' | 'off' | undefined, isError: boolean, warned: object[]]>([
    [undefined, true, [warning]],
    ['error', true, [warning]],
    ['warn', false, [warning]],
    ['off', false, []],
  ])('validateOutput %p', async (option, isError, warned) => {
    const { layer, warnings } = build({ n: 'x' }, option);
    const result = await layer.callTool('t');
    expect(result.isError).toBe(isError);
    expect(warnings()).toEqual(warned);
    if (!isError) expect(result.structuredContent).toEqual({ n: 'x' });
    else
      expect((result.content[0] as TextContent).text).toContain('The result of t does not fit its output schema: n: ');
  });

  test.each(['error', 'warn', 'off', undefined] as const)('one that fits is sent, with %p', async (option) => {
    const { layer, warnings } = build({ n: 1 }, option);
    expect(await layer.callTool('t')).toMatchObject({ isError: false, structuredContent: { n: 1 } });
    expect(warnings()).toEqual([]);
  });

  test.each(['error', 'warn', undefined] as const)('an error result has to fit nothing, with %p', async (option) => {
    const { layer, warnings } = build(ToolResult.error('failed'), option);
    const result = await layer.callTool('t');
    expect([result.isError, result.content.map((block) => block.toWire()['text'])]).toEqual([true, ['failed']]);
    expect(warnings()).toEqual([]);
  });

  test('of a field deep inside names its place, and the whole its own words', async () => {
    const { layer, warnings } = build('none', 'warn');
    await layer.callTool('t');
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]?.fields['issues']).not.toMatch(/^: /);
  });
});
