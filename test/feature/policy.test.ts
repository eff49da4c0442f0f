import { isDeepStrictEqual } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  type Decision,
  EmbeddedResource,
  type McpLayer,
  type McpLayerError,
  type Middleware,
  type Pipeline,
  type Place,
  type Policy,
  type PolicyEvent,
  RateLimitedError,
  type Registry,
  TextResourceContents,
  ToolError,
  ToolResult,
} from 'cartouche';
import { clientTransport } from 'cartouche/testing';
import { layerOf, MemoryLogger, principal } from '../support/layers.js';

const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)));

const policyOf = (pipeline: Policy['pipeline'], rest: Partial<Policy> = {}): Policy => ({
  name: 'house',
  scopeOf: () => '',
  decide: () => ({ allowed: true }),
  ...(pipeline === undefined ? {} : { pipeline }),
  ...rest,
});

const swap = (value: unknown, from: string, to: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(from, to)) as unknown;

const strict = {
  name: 't',
  input: { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false },
};

describe('what comes in', () => {
  test.each([
    ['now', (value: unknown) => value],
    ['later', (value: unknown) => later(value)],
  ])('is validated after the policy had it, be that %s', async (_when, input) => {
    const seen: unknown[] = [];
    const layer = layerOf((registry) => void registry.tool(strict, (args) => (seen.push(args), 'ok')), {
      policy: policyOf(() => ({ input })),
    });
    const refused = await layer.callTool('t', { id: 5, evil: 1 });
    expect(refused.isError).toBe(true);
    expect(refused.content).toMatchObject([{ text: expect.stringMatching(/evil.*id: /) as string }]);
    expect(seen).toEqual([]);
    expect((await layer.callTool('t', { id: 'x' })).isError).toBe(false);
    expect(seen).toEqual([{ id: 'x' }]);
  });

  test('says where it stands, and each attempt begins with what came', async () => {
    const places: Place[] = [];
    const input = (value: unknown, place: Place): Promise<unknown> => {
      places.push(place);
      return later(swap(value, 'P1', 'P1-Ada'));
    };
    const given: unknown[] = [];
    let made = 0;
    let failures = 1;
    const again: Middleware = async (_call, next) => next().catch(next);
    const layer = layerOf(
      (registry) => {
        registry.tool({ ...strict }, (args) => {
          given.push(args);
          if (failures-- > 0) throw new Error('flaky');
          return 'ok';
        });
        registry.resourceTemplate({ uriTemplate: 'r://{id}', name: 'r' }, (vars) => (given.push(vars), 'x'));
        registry.prompt(
          {
            name: 'p',
            arguments: [{ name: 'who' }],
            completions: { who: (partial, _ctx, known) => (given.push(partial, known), []) },
          },
          (args) => (given.push(args), 'x'),
        );
      },
      { policy: policyOf(() => (made++, { input })), middleware: [again] },
    );
    await layer.callTool('t', { id: 'P1' });
    expect(made).toBe(1);
    await layer.readResource('r://P1');
    await layer.getPrompt('p', { who: 'P1' });
    const completing = { arguments: { other: 'P1' } };
    await layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'who', value: 'P1' }, completing);
    const ada = 'P1-Ada';
    expect(given).toEqual([{ id: ada }, { id: ada }, { id: ada }, { who: ada }, ada, { other: ada }]);
    expect(places).toEqual([
      { part: 'arguments' },
      { part: 'arguments' },
      { part: 'variables' },
      { part: 'arguments' },
      { part: 'completion', key: 'who' },
      { part: 'completion', key: 'given' },
    ]);
  });
});

describe('what leaves', () => {
  const leak = 'hunter2';
  const places: Place[] = [];

  function fill(registry: Registry): void {
    registry.tool({ name: 'all' }, (_args, ctx) => {
      ctx.link(`a://${leak}`, leak, { title: leak, description: leak });
      return new ToolResult({
        content: [
          new EmbeddedResource(
            new TextResourceContents(`e://${leak}`, JSON.stringify({ leak }), { mimeType: 'application/json' }),
            { meta: { leak } },
          ),
        ],
        structuredContent: { leak },
        meta: { leak },
      });
    });
    registry.tool({ name: 'mirrored' }, () => ({ leak }));
    registry.tool({ name: 'fails' }, () => {
      throw new ToolError(leak, { leak });
    });
    registry.resource({ uri: 'r://x', mimeType: 'application/json' }, () => ({ leak }));
    registry.resource({ uri: 'r://fails' }, () => {
      throw new ToolError(leak, { leak });
    });
    registry.prompt(
      { name: 'p', description: leak, arguments: [{ name: 'a' }], completions: { a: () => [leak, 'dropped'] } },
      () => leak,
    );
  }

  function masked(): { layer: McpLayer; logger: MemoryLogger } {
    const logger = new MemoryLogger();
    const pipeline = (): Pipeline => {
      let count = 0;
      return {
        output(value, place) {
          places.push(place);
          count++;
          return later(value === 'dropped' ? undefined : swap(value, leak, '•••'));
        },
        report: () => ({ masked: count }),
      };
    };
    return { layer: layerOf(fill, { policy: policyOf(pipeline), logger }), logger };
  }

  test('is waited for in every channel, and each value says where it stands', async () => {
    const { layer } = masked();
    const seen: unknown[] = [];
    for (const name of ['all', 'mirrored', 'fails']) seen.push((await layer.callTool(name)).toWire());
    seen.push((await layer.readResource('r://x')).map((contents) => contents.toWire()));
    const error = (await layer.readResource('r://fails').catch((thrown: unknown) => thrown)) as McpLayerError;
    seen.push(error.message, error.data);
    seen.push((await layer.getPrompt('p')).toWire());
    seen.push(await layer.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }));
    const transcript = JSON.stringify(seen);
    expect(transcript).not.toContain(leak);
    expect(transcript.match(/•••/g)).toHaveLength(19);
    expect(seen[1]).toMatchObject({ structuredContent: { leak: '•••' }, content: [{ text: '{"leak":"•••"}' }] });
    expect(seen.at(-1)).toMatchObject({ values: ['•••'] });
    expect(places.slice(0, 9)).toEqual([
      { part: 'structured' },
      { part: 'uri' },
      { part: 'structured', mimeType: 'application/json' },
      { part: 'meta' },
      { part: 'meta' },
      { part: 'uri' },
      { part: 'text', key: 'title' },
      { part: 'text', key: 'description' },
      { part: 'text', key: 'name' },
    ]);
    expect(places).toContainEqual({ part: 'error', key: 'message' });
    expect(places).toContainEqual({ part: 'completion', key: 'a' });
  });

  test('is reported in _meta: of results, of failures, of prompts and of resources', async () => {
    const { layer } = masked();
    const meta = (masked: number): object => ({ 'cartouche/transforms': { masked } });
    expect((await layer.callTool('mirrored')).meta).toMatchObject(meta(1));
    expect((await layer.callTool('fails')).meta).toMatchObject(meta(2));
    expect((await layer.getPrompt('p')).meta).toMatchObject(meta(2));
    expect((await layer.readResource('r://x'))[0]?.options.meta).toMatchObject(meta(1));
  });

  test('never becomes {} or a value of another shape', async () => {
    for (const output of [() => later('text'), () => later([1]), () => null]) {
      const logger = new MemoryLogger();
      const layer = layerOf(fill, { policy: policyOf(() => ({ output })), logger });
      const result = await layer.callTool('mirrored');
      expect(result).toMatchObject({ isError: true, structuredContent: undefined });
      expect(logger.text).toContain("policy 'house', structured: output made no object of an object.");
    }
    const layer = layerOf(fill, { policy: policyOf(() => ({ output: () => later(undefined) })) });
    expect(await layer.callTool('mirrored')).toMatchObject({ content: [], structuredContent: undefined });
  });

  test('in progress and log messages cannot wait: a promise is refused by name, and the message dropped', async () => {
    const logger = new MemoryLogger();
    const told: unknown[] = [];
    const sink = { progress: (...args: unknown[]) => told.push(args), log: (...args: unknown[]) => told.push(args) };
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 't' }, (_args, ctx) => {
          ctx.log('info', leak);
          ctx.reportProgress(1, 2, leak);
          return 'done';
        });
      },
      { policy: policyOf(() => ({ output: (value) => Promise.reject(new Error(String(value))) })), logger },
    );
    await layer.callTool('t', {}, { context: { sink } });
    expect(told).toEqual([[1, 2, undefined]]);
    const refusals = logger.lines.filter(({ message }) => message.includes('a message cannot wait'));
    expect(refusals.map(({ message }) => message.split(':')[0])).toEqual([
      "policy 'house', log",
      "policy 'house', progress",
    ]);
    expect(JSON.stringify(refusals)).not.toContain(leak);
  });

  test('through a real client: results, questions and answers', async () => {
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 'ask' }, async (_args, ctx) => {
          const form = { type: 'object', properties: { name: { type: 'string' } } } as const;
          const answer = await ctx.elicit('who', form, { message: `Is it ${leak}?` });
          return { same: answer.action === 'accept' && isDeepStrictEqual(answer.content, { name: leak }), leak };
        });
      },
      {
        policy: policyOf(() => ({
          input: (value) => later(swap(value, 'P1', leak)),
          output: (value) => later(swap(value, leak, 'P1')),
        })),
      },
    );
    const client = new Client({ name: 'c', version: '1' }, { capabilities: { elicitation: {} } });
    let asked = '';
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked = params.message;
      return { action: 'accept', content: { name: 'P1' } };
    });
    await client.connect(clientTransport(layer) as Transport);
    const result = await client.callTool({ name: 'ask', arguments: {} });
    expect([asked, result.structuredContent]).toEqual(['Is it P1?', { same: true, leak: 'P1' }]);
    await client.close();
  });

  test('promises no output schema', () => {
    const tool = { name: 't', output: { type: 'object', properties: {} } } as const;
    const wire = (pipeline: Policy['pipeline']): object =>
      layerOf((registry) => void registry.tool(tool, () => ({})), { policy: policyOf(pipeline) }).toolsWire()[0] ?? {};
    expect(wire(() => ({ output: later }))).not.toHaveProperty('outputSchema');
    expect(wire(() => ({ input: later }))).toHaveProperty('outputSchema');
    expect(wire(undefined)).toHaveProperty('outputSchema');
  });
});

describe('the decision', () => {
  function watched(rest: Partial<Policy> = {}): {
    layer: McpLayer;
    events: PolicyEvent[];
    decided: string[];
    logger: MemoryLogger;
  } {
    const events: PolicyEvent[] = [];
    const decided: string[] = [];
    const logger = new MemoryLogger();
    const decide = ({ id }: { id: string }): Decision => {
      decided.push(id);
      if (id === 'hidden') return { allowed: false, hidden: true, reason: 'secret' };
      return id === 'denied' ? { allowed: false, hidden: false, reason: 'no' } : { allowed: true };
    };
    const policy = policyOf(undefined, {
      decide,
      admit: ({ id }) => {
        if (id === 'limited') throw new RateLimitedError('Too often.');
        return id === 'slow' ? later(undefined) : undefined;
      },
      record: (event) => void events.push(event),
      ...rest,
    });
    const layer = layerOf(
      (registry) => {
        for (const name of ['open', 'slow', 'hidden', 'denied', 'limited']) registry.tool({ name }, () => name);
        registry.prompt(
          { name: 'p', arguments: [{ name: 'a' }, { name: 'b' }], completions: { a: () => [] } },
          () => '',
        );
      },
      { policy, logger, clock: { now: () => 7, monotonic: () => 1 } },
    );
    return { layer, events, decided, logger };
  }

  test('is made once per call, and recorded once', async () => {
    const { layer, events, decided } = watched();
    const told: unknown[] = [];
    for (const name of ['open', 'slow', 'hidden', 'denied', 'limited', 'unknown']) {
      decided.length = 0;
      await layer.callTool(name, {}, { principal: principal('ada') }).catch((error: unknown) => error);
      told.push([decided.length, ...events.splice(0).map(({ outcome, reason }) => [outcome, reason])]);
    }
    expect(told).toEqual([
      [1, ['allowed', undefined]],
      [1, ['allowed', undefined]],
      [1, ['not_found', 'secret']],
      [1, ['denied', 'no']],
      [1, ['limited', 'Too often.']],
      [0, ['not_found', undefined]],
    ]);
  });

  test('is recorded with who asked for what', async () => {
    const { layer, events } = watched();
    const caller = principal('ada');
    await layer.callTool('open', { n: 1 }, { principal: caller, context: { requestId: 3, session: 's' } });
    expect(events).toEqual([
      {
        outcome: 'allowed',
        reason: undefined,
        kind: 'tool',
        name: 'open',
        primitive: layer.findTool('open'),
        principal: caller,
        args: { n: 1 },
        requestId: 3,
        session: 's',
        nested: false,
        at: 7,
      },
    ]);
  });

  test('of other kinds is recorded too, that of lists is not', async () => {
    const { layer, events } = watched();
    await layer.list('tools');
    await layer.getPrompt('p');
    await layer.readResource('r://none').catch(() => undefined);
    for (const name of ['a', 'b']) await layer.complete({ type: 'ref/prompt', name: 'p' }, { name, value: '' });
    expect(events.map(({ kind, name, outcome, reason }) => [kind, name, outcome, reason])).toEqual([
      ['prompt', 'p', 'allowed', undefined],
      ['resource', 'r://none', 'not_found', undefined],
      ['completion', 'p#a', 'allowed', undefined],
      ['completion', 'p#b', 'not_found', 'nothing to complete'],
    ]);
  });

  test('log that fails stops no call', async () => {
    const failing = (): never => {
      throw new Error('disk');
    };
    for (const record of [failing, () => Promise.reject(new Error('disk'))] as Policy['record'][]) {
      const { layer, logger } = watched(record === undefined ? {} : { record });
      expect((await layer.callTool('open')).isError).toBe(false);
      await later(undefined);
      expect(logger.text).toContain("policy 'house': record failed");
    }
  });

  test('that comes as a promise denies, hides, and is named', async () => {
    const decide = (() => Promise.reject(new Error('late'))) as unknown as Policy['decide'];
    const { layer, events, logger } = watched({ decide });
    await expect(layer.callTool('open')).rejects.toMatchObject({ name: 'NotFoundError' });
    expect(await layer.list('tools')).toEqual([]);
    expect(events).toMatchObject([{ outcome: 'not_found', reason: expect.stringContaining('decide returned a promise') as string }]); // prettier-ignore
    expect(logger.text).toContain("policy 'house': decide returned a promise");
  });

  test('and a pipeline that comes as a promise lets nothing through', async () => {
    let ran = 0;
    const logger = new MemoryLogger();
    const pipeline = (() => Promise.resolve({})) as unknown as Policy['pipeline'];
    const layer = layerOf((registry) => void registry.tool({ name: 't' }, () => ++ran), {
      policy: policyOf(pipeline),
      logger,
    });
    expect((await layer.callTool('t')).isError).toBe(true);
    expect([ran, logger.text]).toEqual([0, expect.stringContaining("policy 'house': pipeline returned a promise")]);
  });
});

test('a policy sees what a tool tells its pipelines', async () => {
  const seen: unknown[] = [];
  const pipeline: Policy['pipeline'] = ({ transformHints }) => void seen.push(transformHints);
  const layer = layerOf((registry) => void registry.tool({ name: 't', transformHints: { skip: ['x'] } }, () => 1), { policy: policyOf(pipeline) }); // prettier-ignore
  await layer.callTool('t');
  expect(seen).toEqual([{ skip: ['x'] }]);
});

test('a policy begins before the services and ends after everything else, once', async () => {
  const order: unknown[] = [];
  const say = (what: string) => () => void order.push(what);
  const logger = new MemoryLogger();
  const policy = policyOf(undefined, {
    attach: ({ layer, metaPrefix }) => void order.push(['attach', layer, metaPrefix]),
    start: () => later(undefined).then(say('start')),
    close: () => {
      order.push('close');
      throw new Error('disk');
    },
  });
  const middleware = [{ name: 'm', attach: say('attach m'), close: say('close m') }];
  const layer = layerOf(() => undefined, { policy, middleware, logger });
  await Promise.all([layer.start(), layer.start()]);
  await Promise.all([layer.close(), layer.close()]);
  expect(order).toEqual([['attach', 'test', 'cartouche/'], 'attach m', 'start', 'close m', 'close']);
  expect(logger.text).toContain('the policy house failed to close');
});

test('a handler reaches no control of its request: not to abort it, nor to end the policy’s rewriting', async () => {
  let own: string[] = [];
  const layer = layerOf((registry) => {
    registry.tool({ name: 't' }, (_args, ctx) => {
      own = [ctx, Object.getPrototypeOf(ctx) as object].flatMap((level) => Object.getOwnPropertyNames(level));
    });
  });
  await layer.callTool('t');
  expect(own.sort()).toEqual(
    [
      ...['client', 'info', 'layer', 'meta', 'principal', 'requestId', 'session'],
      ...['aborted', 'ask', 'canAsk', 'constructor', 'elicit', 'elicitUrl', 'link', 'listRoots', 'log', 'notifyChange'],
      ...['reportProgress', 'sample', 'signal', 'step'],
    ].sort(),
  );
});
