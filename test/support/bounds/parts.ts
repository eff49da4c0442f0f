import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/server';
import {
  type AuditEntry,
  auditLog,
  cache,
  concurrency,
  DocumentPolicy,
  MemoryCacheStore,
  MemoryRateLimitStore,
  metrics,
  type PolicyEvent,
  Principal,
  type PrincipalInit,
  Registry,
  retry,
} from 'cartouche';
import { SessionOwners } from '../../../src/adapters/session-owners.js';
import { warnOnce } from '../../../src/adapters/warn-once.js';
import type { PART_BOUNDS } from '../../../src/core/bounds/parts.js';
import { StreamSink } from '../../../src/middleware/audit-sinks.js';
import { KeyedHash } from '../../../src/core/keyed-hash.js';
import { compileConfirmation } from '../../../src/registry/confirmation.js';
import { fixedClock } from '../../../src/testing/deterministic.js';
import { layerOf, MemoryLogger } from '../layers.js';
import { sampleLayer } from '../mount/layer.js';
import { MemoryWire } from '../mount/wire.js';
import { type Probe, TEXT, works } from './probe.js';

/** As it is, and not a copy of its names: what is spied on here is seen by whoever imports it. */
const crypto = jest.requireActual<typeof import('node:crypto')>('node:crypto');

/** How often a hash is made for the last of several texts. */
function hashesFor(texts: readonly string[], last: string): number {
  const made = jest.spyOn(crypto, 'hash');
  const hash = new KeyedHash(Buffer.from('a secret'));
  for (const text of texts) hash.digest(text);
  made.mockClear();
  hash.digest(last);
  const times = made.mock.calls.length;
  made.mockRestore();
  return times;
}

/** The audit log's line about a call of somebody. */
async function auditedCaller(init: PrincipalInit): Promise<AuditEntry> {
  const entries: AuditEntry[] = [];
  const layer = layerOf((registry) => registry.tool({ name: 'noop', capabilities: [] }, () => 1), {
    middleware: [auditLog({ write: (entry) => void entries.push(entry), salt: 'a salt of some length' })],
  });
  await layer.callTool('noop', {}, { principal: new Principal(init) });
  return entries[0] as AuditEntry;
}

/** Runs a call that fails until its last attempt, and says how long its pauses were asked to be. */
async function retried(options: object, failures: number): Promise<{ failed: boolean; pauses: readonly unknown[] }> {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  let runs = 0;
  const layer = layerOf(
    (registry) =>
      registry.tool({ name: 'shaky', capabilities: [] }, () => {
        if (++runs <= failures) throw Object.assign(new Error('no'), { code: 'ESHAKY' });
        return 1;
      }),
    { middleware: [retry({ on: ['ESHAKY'], initialDelayMs: 1, random: () => 1, ...options })] },
  );
  const { isError } = await layer.callTool('shaky');
  const pauses = timers.mock.calls.map(([, ms]) => ms);
  timers.mockRestore();
  return { failed: isError, pauses };
}

/** A decision about a tool that is not there. */
function decided(changes: Partial<PolicyEvent>): PolicyEvent {
  return {
    outcome: 'not_found',
    reason: undefined,
    kind: 'tool',
    name: 'x',
    primitive: undefined,
    principal: Principal.anonymous(),
    args: {},
    requestId: undefined,
    session: undefined,
    nested: false,
    at: 0,
    ...changes,
  };
}

export const PART_PROBES: Readonly<Record<keyof typeof PART_BOUNDS, Probe>> = {
  cacheTtlMs: {
    limit: 1000,
    fits: async (count, limit) => {
      const clock = fixedClock(0);
      let runs = 0;
      const layer = layerOf((registry) => registry.tool({ name: 'one', capabilities: [] }, () => ++runs), {
        clock,
        middleware: [cache({ ttlMs: limit })],
      });
      await layer.callTool('one');
      // Its last millisecond is the one before.
      clock.advance(count - 1);
      await layer.callTool('one');
      return runs === 1;
    },
  },
  maxCacheEntries: {
    limit: 3,
    fits: (count, limit) => {
      const store = new MemoryCacheStore({ maxEntries: limit });
      for (let i = 0; i < count; i++) store.set('n', String(i), { storedAt: 0, json: '1' });
      return store.get('n', '0') !== undefined;
    },
  },
  maxCacheChars: {
    limit: 100,
    fits: (count, limit) => {
      const store = new MemoryCacheStore({ maxChars: limit });
      // The key is kept as `"n" k`.
      store.set('n', 'k', { storedAt: 0, json: TEXT(count - 5) });
      return store.size === 1;
    },
  },
  maxBuckets: {
    limit: 3,
    fits: (count, limit) => {
      const store = new MemoryRateLimitStore({ maxBuckets: limit, clock: fixedClock() });
      const take = (key: number): boolean => store.take('n', [{ key: String(key), burst: 1, perSecond: 1 }]).allowed;
      for (let key = 0; key < count; key++) take(key);
      return !take(0);
    },
  },
  decisionsKept: {
    fits: (count) => {
      const policy = DocumentPolicy.load({});
      for (let at = 0; at < count; at++) policy.record(decided({ at }));
      return policy.decisions[0]?.at === 0;
    },
  },
  decisionNameChars: {
    fits: (count) => {
      const policy = DocumentPolicy.load({});
      policy.record(decided({ name: TEXT(count), principal: new Principal({ id: TEXT(count) }) }));
      const [entry] = policy.decisions;
      return entry?.name.length === count && entry.principal.length === count;
    },
  },
  policyViews: {
    fits: (count) => {
      const names = Array.from({ length: 10 }, (_, index) => `r${index}`);
      const policy = DocumentPolicy.load({ roles: Object.fromEntries(names.map((name) => [name, {}])) });
      const spec = new Registry().tool({ name: 'one' }, () => 1);
      const steps = (bits: number): unknown =>
        policy.explain(spec, new Principal({ id: 'a', roles: names.filter((_, index) => bits & (1 << index)) })).steps;
      const first = steps(0);
      for (let bits = 1; bits < count; bits++) steps(bits);
      return steps(0) === first;
    },
  },
  policyAliases: {
    fits: (count) => {
      const path = join(mkdtempSync(join(tmpdir(), 'cartouche-policy-')), 'aliases.yaml');
      writeFileSync(
        path,
        `description: &d text\nallowTools: [${Array(count - 1)
          .fill('*d')
          .join(', ')}]\n`,
      );
      return works(() => DocumentPolicy.load(path)).finally(() => rmSync(dirname(path), { recursive: true }));
    },
  },
  maxQueue: {
    limit: 2,
    fits: async (count, limit) => {
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      const layer = layerOf((registry) => registry.tool({ name: 'one' }, () => gate), {
        middleware: [concurrency({ total: 1, maxQueue: limit })],
      });
      const calls = Array.from({ length: count + 1 }, () => layer.callTool('one'));
      await sleep(5);
      release();
      return (await Promise.all(calls)).every(({ isError }) => !isError);
    },
  },
  queueTimeoutMs: {
    limit: 4321,
    fits: async (count, limit) => {
      const timers = jest.spyOn(globalThis, 'setTimeout');
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      const layer = layerOf((registry) => registry.tool({ name: 'one' }, () => gate), {
        middleware: [concurrency({ total: 1, queueTimeoutMs: limit })],
      });
      const calls = [layer.callTool('one'), layer.callTool('one')];
      await sleep(5);
      const waits = timers.mock.calls.some(([, ms]) => ms !== undefined && ms >= count && ms < 10_000);
      timers.mockRestore();
      release();
      await Promise.all(calls);
      return waits;
    },
  },
  attempts: { limit: 4, fits: async (count, limit) => !(await retried({ attempts: limit }, count - 1)).failed },
  maxDelayMs: {
    limit: 7,
    fits: async (count, limit) => {
      const { pauses } = await retried({ initialDelayMs: count, maxDelayMs: limit, attempts: 2 }, 1);
      return pauses.includes(count);
    },
  },
  maxSeries: {
    limit: 3,
    fits: async (count, limit) => {
      const counts = metrics({ maxSeries: limit, resource: false });
      const layer = layerOf(
        (registry) => {
          for (let i = 0; i < count; i++) registry.tool({ name: `t${i}` }, () => i);
        },
        { middleware: [counts] },
      );
      for (let i = 0; i < count; i++) await layer.callTool(`t${i}`);
      return !counts.prometheus().includes('(other)');
    },
  },
  auditBacklogBytes: {
    fits: (count) => {
      let written = false;
      const stream = { writableLength: count, on() {}, write: () => (written = true) };
      new StreamSink(stream as never, () => undefined).write('line\n');
      return written;
    },
  },
  auditNameChars: { fits: async (count) => (await auditedCaller({ id: TEXT(count) })).principal === TEXT(count) },
  auditRoles: {
    fits: async (count) => {
      const { roles } = await auditedCaller({ id: 'ann', roles: Array.from({ length: count }, (_, i) => `r${i}`) });
      return roles.at(-1) === `r${count - 1}`;
    },
  },
  hashesKept: {
    fits: (count) => {
      const texts = (prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
      // One generation is full, and then the next: one more, and the first is gone.
      return hashesFor([...texts('a'), ...texts('b')], 'a0') === 0;
    },
  },
  hashedChars: { fits: (count) => hashesFor([TEXT(count)], TEXT(count)) === 0 },
  hostPages: {
    fits: async (count) => {
      const server = new Server({ name: 'host', version: '1' }, { capabilities: { tools: {} } });
      let pages = 0;
      server.setRequestHandler('tools/list', () => {
        pages++;
        return pages === count ? { tools: [] } : { tools: [], nextCursor: String(pages) };
      });
      const { layer, logger } = sampleLayer();
      layer.registerInto(server);
      const wire = new MemoryWire();
      await server.connect(wire.transport);
      await wire.initialize();
      await wire.request('tools/call', { name: 'echo', arguments: { text: 'x' } });
      return logger.lines.length === 0;
    },
  },
  hostWarnings: {
    fits: (count) => {
      const logger = new MemoryLogger();
      const layer = layerOf(() => undefined, { logger });
      for (let i = 0; i < count; i++) warnOnce(layer, String(i), 'a warning');
      warnOnce(layer, '0', 'a warning');
      return logger.lines.length === count;
    },
  },
  hostSessions: {
    fits: (count) => {
      const owners = new SessionOwners();
      const [ann, bo] = [new Principal({ id: 'ann' }), new Principal({ id: 'bo' })];
      for (let session = 0; session < count; session++) owners.isForeign(String(session), ann);
      return owners.isForeign('0', bo);
    },
  },
  loggedErrors: {
    fits: async (count) => {
      const logger = new MemoryLogger();
      const layer = layerOf(
        (registry) =>
          registry.tool({ name: 'fails', capabilities: [] }, () =>
            Array.from({ length: count }, () => new Error('from the database')),
          ),
        { logger },
      );
      await layer.callTool('fails');
      return logger.lines.length === count;
    },
  },
  confirmationChars: {
    fits: (count) => {
      const input = { type: 'object', properties: { name: { type: 'string' } } };
      const question = compileConfirmation('Delete {name}?', input, 'test');
      return question({ name: TEXT(count) }) === `Delete ${TEXT(count)}?`;
    },
  },
};
