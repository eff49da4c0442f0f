import {
  AccessDeniedError,
  McpLayer,
  type McpLayerOptions,
  NotFoundError,
  type Policy,
  type Principal,
  Registry,
  TextContent,
  type ToolContext,
  ToolError,
  ToolResult,
} from 'cartouche';

/** Everything a logger was told, for tests. */
export class MemoryLogger {
  readonly lines: string[] = [];
  debug = (): void => undefined;
  info = (message: string): void => void this.lines.push(message);
  warn = (message: string): void => void this.lines.push(message);
  error = (message: string): void => void this.lines.push(message);
}

/** A schema that any host which derives, parses or prints schemas again would change. */
export const ODD_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { where: { $ref: '#/$defs/place' }, note: { type: 'string', 'x-hint': { a: [1, null] } } },
  allOf: [{ required: ['where'] }],
  $defs: { place: { type: 'string', minLength: 1 } },
  'x-vendor': true,
} as const;

/** Hides `secret` and denies `locked` to everyone who is not an admin. */
export const RULES: Policy = {
  name: 'rules',
  scopeOf: (principal) => [...principal.roles].sort().join(),
  decide: (primitive, principal) => {
    if (principal.roles.has('admin')) return { allowed: true };
    if (primitive.tags.has('secret')) return { allowed: false, hidden: true, reason: 'secret' };
    if (primitive.tags.has('locked')) return { allowed: false, hidden: false, reason: 'locked' };
    return { allowed: true };
  },
};

const unexpected = (): Error => Object.assign(new Error('postgres://user:password@db'), { toJSON: () => 'password' });

/** Handlers that give what nobody should see in other places than what they throw. */
export const LEAKS: Readonly<Record<string, (context: ToolContext) => unknown>> = {
  returned: unexpected,
  settled: () => Promise.allSettled([Promise.reject(unexpected())]),
  mapped: () => new Map([['a', { list: new Set([unexpected()]) }]]),
  structured: () => ToolResult.structured({ failure: unexpected() }).withMeta({ 'example.com/failure': unexpected() }),
  caused: () => {
    throw new ToolError('Lookup failed.', { cause: unexpected() });
  },
  attached: () => {
    throw new ToolError('Lookup failed.', { table: 'users', failures: [unexpected()] });
  },
  logged: (context) => {
    context.log('warning', unexpected());
    context.log('warning', { failure: unexpected() });
    return 'done';
  },
  stepped: (context) => context.step('look', () => ({ failure: unexpected() })),
};

/** What the running handlers of {@link sampleLayer} tell a test. */
export interface Probe {
  principal?: Principal;
  started?: () => void;
  aborted?: () => void;
  info?: unknown;
}

/** A layer with something of everything, and one thing that goes wrong in each way. */
export function sampleLayer(options: Partial<McpLayerOptions> = {}): {
  layer: McpLayer;
  logger: MemoryLogger;
  probe: Probe;
} {
  const registry = new Registry();
  const logger = new MemoryLogger();
  const probe: Probe = {};
  registry.tool(
    {
      name: 'odd',
      title: 'Odd',
      description: 'A tool of many keys.',
      input: ODD_SCHEMA,
      output: { type: 'object', properties: { where: { type: 'string' } }, additionalProperties: true },
      icons: [{ src: 'data:,', theme: 'dark' }],
      meta: { 'example.com/deep': { list: [1, { two: null }] } },
      tags: ['a', 'b'],
    },
    (args: Record<string, unknown>) =>
      new ToolResult({
        content: [
          new TextContent('text', {
            annotations: { audience: ['user'], priority: 1 },
            meta: { 'example.com/block': 1 },
          }),
        ],
        structuredContent: { where: args['where'], extra: { kept: [1, 2] } },
        meta: { 'example.com/result': 'kept' },
      }).link('est://one', 'One', { size: 3, title: 'The one' }),
  );
  registry.tool({ name: 'echo', input: { type: 'object', properties: { text: { type: 'string' } } } }, (args, ctx) => {
    probe.principal = ctx.principal;
    probe.info = ctx.info;
    return `layer:${String((args as { text?: unknown }).text)}`;
  });
  registry.tool({ name: 'shared' }, () => 'from the layer');
  registry.tool({ name: 'boom' }, () => {
    throw new Error('postgres://user:password@db');
  });
  registry.tool({ name: 'refuse' }, () => {
    throw new ToolError('not today');
  });
  registry.tool({ name: 'gone' }, () => {
    throw new NotFoundError('no such thing');
  });
  registry.tool({ name: 'leaky', input: { type: 'object', properties: { way: { type: 'string' } } } }, (args, ctx) =>
    LEAKS[String((args as { way?: unknown }).way)]?.(ctx),
  );
  registry.tool({ name: 'secret', tags: ['secret'] }, () => 'secret');
  registry.tool({ name: 'locked', tags: ['locked'] }, () => 'locked');
  registry.tool({ name: 'working' }, (_args, ctx) => {
    ctx.reportProgress(1, 2, 'half');
    ctx.log('warning', { step: 1 }, 'worker');
    ctx.log('debug', 'chatter');
    return 'done';
  });
  registry.tool({ name: 'asking' }, async (_args, ctx) => {
    const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
    const answer = await ctx.elicit('who', form, { message: 'Who?' });
    return `asked ${answer.action === 'accept' ? JSON.stringify(answer.content) : answer.action}`;
  });
  registry.tool({ name: 'slow' }, async (_args, ctx) => {
    probe.started?.();
    await new Promise<void>((resolve) => {
      ctx.signal.addEventListener('abort', () => resolve());
    });
    probe.aborted?.();
    return 'too late';
  });
  registry.resource({ uri: 'est://one', title: 'One', description: 'First.', size: 3 }, () => ({ one: 1 }));
  registry.resource({ uri: 'est://secret', tags: ['secret'] }, () => 'secret');
  registry.resource({ uri: 'est://locked' }, () => {
    throw new AccessDeniedError('Access denied: est://locked', { why: 'test' });
  });
  registry.resourceTemplate(
    {
      uriTemplate: 'est://items/{id}',
      title: 'Item',
      completions: { id: (partial: string) => ['a1', 'a2', 'b1'].filter((id) => id.startsWith(partial)) },
    },
    (vars) => {
      if (vars['id'] === 'none') throw new NotFoundError('no item none');
      return { id: vars['id'] };
    },
  );
  registry.prompt(
    {
      name: 'greet',
      title: 'Greet',
      arguments: [{ name: 'who', required: true, description: 'Whom' }, { name: 'how' }],
      completions: { who: (partial: string) => ['ada', 'alan'].filter((who) => who.startsWith(partial)) },
    },
    (args) => `Greet ${String(args['who'])}`,
  );
  const layer = new McpLayer({ name: 'sample', version: '1.0.0', registry, logger, policy: RULES, ...options });
  // What is said of the odd schema is not about mounting.
  logger.lines.length = 0;
  return { layer, logger, probe };
}
