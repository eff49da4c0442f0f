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
import { HttpWire, type Message, settled, until, type Wire } from './wire.js';

/** What holds where a host has one local user, and nobody else to take for them. */
const ONE_USER = 'none: one local user';

const NO_SESSIONS = 'none: there are no sessions';

/** Sends a request as one of two people. */
type Ask = (who: string, method: string, params?: Message) => Promise<Message>;

interface People {
  /** In one connection, whoever opened it. */
  readonly ask: Ask;
  /** Each in a session of their own, where there are sessions. */
  readonly askOwn: Ask;
  readonly wireOf: (who: string) => Promise<Wire>;
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
  let wires = (): Iterable<Promise<Wire>> => [];
  try {
    const { as, wire, wireOf } = open;
    if (as === undefined || wireOf === undefined) return ONE_USER;
    const own = new Map<string, Promise<Wire>>();
    const ownWire = (who: string): Promise<Wire> => {
      const known = own.get(who) ?? wireOf(who);
      own.set(who, known);
      return known;
    };
    wires = () => own.values();
    const ask: Ask = (who, method, params) => wire.request(method, params, as(who));
    const askOwn: Ask = async (who, method, params) => (await ownWire(who)).request(method, params);
    return await work({
      open,
      layer,
      lines: logger.lines,
      ask,
      askOwn: host.sessions === 'none' ? ask : askOwn,
      wireOf: ownWire,
    });
  } finally {
    for (const wire of wires()) await (await wire).close();
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
      async ({ askOwn }) => {
        const mine = async (who: string): Promise<unknown[]> => {
          const answer = await call(askOwn, who, 'mine');
          return [textOf(answer), answer['result']._meta?.['cartouche/cache']?.hit ?? false];
        };
        assert.deepEqual(await mine('ana'), ['ana', false]);
        assert.deepEqual(await mine('ana'), ['ana', true]);
        assert.deepEqual(await mine('ben'), ['ben', false]);
        const both = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'cleo' : 'dora'));
        assert.deepEqual((await Promise.all(both.map(mine))).map(([id]) => id), both, 'at once'); // prettier-ignore
        return undefined;
      },
      { middleware: [cache()] },
    ),
};

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
      async ({ ask, lines, open: { wire } }) => {
        assert.equal(textOf(await call(ask, 'ana', 'mine')), 'ana');
        if (host.sessions === 'none') {
          assert.equal(textOf(await call(ask, 'ben', 'mine')), 'ben');
          return NO_SESSIONS;
        }
        if (host.sessions === 'carrier') {
          for (const method of ['tools/list', 'resources/list', 'ping', 'tools/call', 'resources/subscribe']) {
            const answer = await ask('ben', method, { name: 'mine', uri: 'est://one' });
            assert.deepEqual([(wire as HttpWire).lastStatus, answer['result']], [404, undefined], method);
          }
          assert.equal(textOf(await call(ask, 'ana', 'mine')), 'ana');
          return undefined;
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
      async ({ askOwn: ask }) => {
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
      async ({ askOwn }) => {
        const calls = ['ana', 'ana', 'ben'].map((who) => call(askOwn, who, 'slow'));
        await until(() => started === 2, 'one of each');
        await settled();
        assert.equal(started, 2, 'the second of one of them waits');
        release();
        assert.deepEqual((await Promise.all(calls)).map(textOf), ['ana', 'ana', 'ben']);
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
        return hearsAsAnonymous(host) ? 'yes; with a policy, only of what an anonymous caller may see' : undefined;
      },
      { policy },
    );
  },
};

const subscriptions: Check = {
  name: 'subscriptions of two people',
  summary: 'each hears of the resources that they may see, and of nothing else',
  run: (host) =>
    people(
      host,
      (registry) => {
        registry.resource({ uri: 'est://ana', tags: ['ana'] }, () => 'hers');
        registry.resource({ uri: 'est://all' }, () => 'all');
      },
      async ({ layer, wireOf }) => {
        if (!host.stateful) return 'none: a server per request has no session';
        const uris = ['est://ana', 'est://all'];
        const wires = await Promise.all(['ana', 'ben'].map(wireOf));
        for (const wire of wires) {
          if (host.era === 'handshake') for (const uri of uris) await wire.request('resources/subscribe', { uri });
          await wire.listen(uris);
        }
        await settled();
        for (const uri of uris) layer.notifyChange('resource', uri);
        const heard = ({ notifications }: Wire): unknown[] =>
          notifications
            .filter(({ method }) => method === 'notifications/resources/updated')
            .map(({ params }) => params.uri);
        await until(() => wires.every((wire) => heard(wire).includes('est://all')), 'est://all, for both');
        await settled();
        const [ana, ben] = wires.map(heard);
        assert.deepEqual(ben, ['est://all']);
        if (hearsAsAnonymous(host)) {
          assert.deepEqual(ana, ['est://all']);
          return 'yes; with a policy, only of what an anonymous caller may see';
        }
        assert.deepEqual(ana, uris);
        return undefined;
      },
      { policy: RULES },
    ),
};

/** Hosts with one bus for the streams of all callers. */
function hearsAsAnonymous({ name }: HostCase): boolean {
  return name.includes('createMcpHandler') || name.startsWith('mcp-nest 2026');
}

const replay: Check = {
  name: 'replay for two people',
  summary: 'what one caller missed on a stream is replayed to nobody else',
  run: (host) =>
    people(
      host,
      (registry) => {
        registry.tool({ name: 'mine' }, (_args, { principal }) => principal.id);
      },
      async ({ layer, wireOf, open: { as } }) => {
        if (host.era === 'modern') return 'none: streams of 2026-07-28 are not resumed';
        if (host.sessions === 'none') return NO_SESSIONS;
        const wire = await wireOf('ana');
        if (!(wire instanceof HttpWire)) return 'none: one connection in memory';
        await call((_who, method, params) => wire.request(method, params), 'ana', 'mine');
        await wire.listen([]);
        await settled();
        layer.notifyChange('tools');
        layer.notifyChange('prompts');
        const has = (): boolean =>
          wire.notifications.some(({ method }) => method === 'notifications/tools/list_changed');
        await until(has, 'tools/list_changed');
        if (wire.firstEvent === undefined) return 'none: the host numbers no events';
        const got = await wire.resumed(as?.('ben').headers);
        if (host.sessions === 'carrier') {
          assert.equal(got, 404);
          return undefined;
        }
        return typeof got === 'number'
          ? `yes; the host answers ${got}`
          : 'no: the host replays to whoever has the session’s id';
      },
    ),
};

/** Two people of one OAuth client, who must never be taken for one. */
export const CALLER_CHECKS: readonly Check[] = [answers, sessions, states, subscriptions, updates, replay, slots];
