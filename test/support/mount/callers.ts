import assert from 'node:assert/strict';
import {
  cache,
  concurrency,
  type McpLayer,
  type McpLayerOptions,
  type Policy,
  Registry,
  McpLayer as Layer,
} from 'cartouche';
import type { Check } from './check.js';
import type { HostCase, OpenHost } from './host-case.js';
import { MemoryLogger } from './layer.js';
import { type Message, settled, until } from './wire.js';

/** What holds where a host has one local user, and nobody else to take for them. */
const ONE_USER = 'none: one local user';

/** Sends a request as one of two people. */
type Ask = (who: string, method: string, params?: Message) => Promise<Message>;

interface People {
  readonly ask: Ask;
  readonly open: OpenHost;
  readonly layer: McpLayer;
  readonly lines: readonly string[];
}

async function people(
  host: HostCase,
  fill: (registry: Registry) => void,
  work: (people: People) => Promise<string | undefined>,
  options: Partial<McpLayerOptions> & { readonly session?: string } = {},
): Promise<string | undefined> {
  const { session, ...more } = options;
  const registry = new Registry();
  fill(registry);
  const logger = new MemoryLogger();
  const layer = new Layer({ name: 'people', version: '1.0.0', registry, logger, ...more });
  const open = await host.open({ layer, ...(session === undefined ? {} : { session }) });
  try {
    const { as, wire } = open;
    if (as === undefined) return ONE_USER;
    return await work({
      open,
      layer,
      lines: logger.lines,
      ask: (who, method, params) => wire.request(method, params, as(who)),
    });
  } finally {
    await open.close();
    await layer.close();
  }
}

function call(ask: Ask, who: string, name: string, more: Message = {}): Promise<Message> {
  return ask(who, 'tools/call', { name, arguments: {}, ...more });
}

function textOf(answer: Message): string {
  return String(answer['result']?.content?.[0]?.text);
}

const answers: Check = {
  name: 'answers of two people',
  summary: 'two people of one client are two principals, and are given no kept answer of one another',
  run: (host) =>
    people(
      host,
      (registry) => {
        registry.tool({ name: 'mine', capabilities: ['read_state'] }, (_args, { principal }) => principal.id);
      },
      async ({ ask }) => {
        const mine = async (who: string): Promise<unknown[]> => {
          const answer = await call(ask, who, 'mine');
          return [textOf(answer), answer['result']._meta?.['cartouche/cache']?.hit ?? false];
        };
        assert.deepEqual(await mine('ana'), ['ana', false]);
        assert.deepEqual(await mine('ana'), ['ana', true]);
        // A session is one caller's, so that the second person has none here.
        if (hasSessions(host)) return 'yes; a session is one caller’s';
        assert.deepEqual(await mine('ben'), ['ben', false]);
        return undefined;
      },
      { middleware: [cache()] },
    ),
};

/** Hosts over HTTP whose sessions are real. */
function hasSessions({ name }: HostCase): boolean {
  return name.startsWith('fastmcp http esm') || name.startsWith('mcp-nest sessions');
}

const sessions: Check = {
  name: 'sessions of two people',
  summary: 'in a session that one caller began, another gets nothing of the layer, and is told so',
  run: (host) =>
    people(
      host,
      (registry) => {
        registry.tool({ name: 'mine' }, (_args, { principal }) => principal.id);
        registry.tool({ name: 'hidden', tags: ['hidden'] }, () => 'never');
        registry.resource({ uri: 'est://one' }, () => 'one');
        registry.prompt({ name: 'hello', completions: {} }, () => 'hello');
      },
      async ({ ask, lines }) => {
        assert.equal(textOf(await call(ask, 'ana', 'mine')), 'ana');
        const inMemory = host.name.startsWith('sdk') && host.name.includes('connect');
        if (!hasSessions(host) && !inMemory && !host.name.startsWith('sdk 1')) {
          assert.equal(textOf(await call(ask, 'ben', 'mine')), 'ben');
          return 'none: the host has no sessions';
        }
        const foreign = 'This session belongs to another caller. Open one of your own.';
        for (const [method, params] of [
          ['tools/call', { name: 'mine', arguments: {} }],
          ['resources/read', { uri: 'est://one' }],
          ['resources/subscribe', { uri: 'est://one' }],
          ['prompts/get', { name: 'hello' }],
        ] as const) {
          const { error } = await ask('ben', method, params);
          assert.deepEqual([error?.code, error?.message.replace(/^MCP error -32600: /, '')], [-32600, foreign], method);
        }
        const listed = async (who: string): Promise<string[]> =>
          ((await ask(who, 'tools/list'))['result'].tools as Message[]).map(({ name }: Message) => String(name));
        assert.deepEqual(await listed('ben'), ['host_echo', 'shared'], "the host's part is the host's");
        assert.ok((await listed('ana')).includes('mine'));
        const answer = async (name: string): Promise<string> =>
          JSON.stringify(await call(ask, 'ben', name))
            .replaceAll(name, '')
            .replace(/"id":\d+/, '');
        assert.equal(await answer('hidden'), await answer('nobody'), 'what is hidden stays hidden');
        assert.equal(lines.filter((line) => line.includes('a session that one caller opened')).length, 1);
        const both = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'ana' : 'ben'));
        const crossed = await Promise.all(both.map((who) => call(ask, who, 'mine')));
        const said = crossed.map((answer) => (answer['error'] === undefined ? textOf(answer) : 'refused'));
        assert.deepEqual(said, both.map((who) => (who === 'ana' ? 'ana' : 'refused'))); // prettier-ignore
        return undefined;
      },
      { policy: RULES, session: 'session-1' },
    ),
};

const RULES: Policy = {
  name: 'rules',
  scopeOf: ({ id }) => id,
  decide: ({ tags }, { id }) => {
    if (tags.has('hidden')) return { allowed: false, hidden: true, reason: 'hidden' };
    return tags.has('ana') && id !== 'ana' ? { allowed: false, hidden: true, reason: 'not ana' } : { allowed: true };
  },
};

const states: Check = {
  name: 'request states of two people',
  summary: 'a request state of one caller is refused from another',
  run: (host) =>
    people(
      host,
      (registry) => {
        registry.tool({ name: 'ask' }, async (_args, ctx) => {
          const found = await ctx.step('find', () => `found for ${ctx.principal.id}`);
          await ctx.elicit('sure', { type: 'object', properties: {} }, { message: 'Go on?' });
          return found;
        });
      },
      async ({ ask }) => {
        if (host.era === 'handshake') return 'none: a question is part of its call';
        const { requestState } = (await call(ask, 'ana', 'ask'))['result'];
        assert.equal(typeof requestState, 'string');
        const inputResponses = { sure: { action: 'accept', content: {} } };
        const stolen = await call(ask, 'ben', 'ask', { requestState, inputResponses });
        assert.ok(stolen['error'] !== undefined, 'refused');
        assert.ok(!JSON.stringify(stolen).includes('found for ana'));
        assert.equal(textOf(await call(ask, 'ana', 'ask', { requestState, inputResponses })), 'found for ana');
        return undefined;
      },
    ),
};

const slots: Check = {
  name: 'slots of two people',
  summary: 'nobody waits for the slots of another',
  run: async (host) => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started = 0;
    return people(
      host,
      (registry) => {
        registry.tool({ name: 'slow' }, async (_args, { principal }) => {
          started++;
          await released;
          return principal.id;
        });
      },
      async ({ ask }) => {
        if (hasSessions(host)) return 'none: a session is one caller’s';
        const calls = ['ana', 'ben'].map((who) => call(ask, who, 'slow'));
        await until(() => started === 2, 'both at once');
        release();
        assert.deepEqual((await Promise.all(calls)).map(textOf), ['ana', 'ben']);
        return undefined;
      },
      { middleware: [concurrency({ perPrincipal: 1 })] },
    );
  },
};

const updates: Check = {
  name: 'updates of what is hidden',
  summary: 'updates of a resource go to those alone who may see it when it changes',
  run: async (host) => {
    let isOpen = true;
    const policy: Policy = {
      name: 'gate',
      scopeOf: () => undefined,
      decide: ({ tags }) =>
        isOpen || !tags.has('gated') ? { allowed: true } : { allowed: false, hidden: true, reason: 'closed' },
    };
    return people(
      host,
      (registry) => {
        registry.resource({ uri: 'est://gated', tags: ['gated'] }, () => 'gated');
        registry.resource({ uri: 'est://open' }, () => 'open');
      },
      async ({ layer, open: { as, wire } }) => {
        if (!host.stateful) return 'none: a server per request has no session';
        if (host.era === 'handshake') {
          for (const uri of ['est://gated', 'est://open'])
            await wire.request('resources/subscribe', { uri }, as?.('ana'));
          await wire.listen([]);
        } else await wire.listen(['est://gated', 'est://open']);
        await settled();
        const heard = async (): Promise<unknown[]> => {
          wire.notifications.length = 0;
          for (const uri of ['est://gated', 'est://open']) layer.notifyChange('resource', uri);
          const uris = (): unknown[] =>
            wire.notifications
              .filter(({ method }) => method === 'notifications/resources/updated')
              .map(({ params }) => params.uri);
          await until(() => uris().includes('est://open'), 'est://open');
          await settled();
          return uris();
        };
        assert.deepEqual(await heard(), ['est://gated', 'est://open']);
        isOpen = false;
        assert.deepEqual(await heard(), ['est://open']);
        return host.name.includes('createMcpHandler') || host.name.startsWith('mcp-nest 2026')
          ? 'yes; with a policy, only of what an anonymous caller may see'
          : undefined;
      },
      { policy },
    );
  },
};

/** Two people of one OAuth client, who must never be taken for one. */
export const CALLER_CHECKS: readonly Check[] = [answers, sessions, states, slots, updates];
