import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Server } from '@modelcontextprotocol/server';
import {
  auditLog,
  buildServer,
  cache,
  concurrency,
  type HttpAuth,
  McpLayer,
  MemoryCacheStore,
  MemoryEventStore,
  MemoryRateLimitStore,
  metrics,
  NativeMcpServer,
  OAuthResource,
  OriginHostGuard,
  Principal,
  Registry,
  RequestInfo,
  retry,
  toOpenAITools,
  TokenAuth,
  TsyringeContainer,
} from 'cartouche';
import { NestContainer } from 'cartouche/nest';
import { clientTransport, connectInMemory } from '../../src/native/memory.js';
import { createTestClient } from '../../src/testing/test-client.js';
import { fetchTarget, modern } from '../support/http-target.js';
import { layerOf, MemoryLogger } from '../support/layers.js';

const layer = layerOf((registry) => registry.tool({ name: 'who' }, (_args, { principal }) => principal.id));
const ann = new Principal({ id: 'ann' });
const flag = true;
const count = 5;
const methods = (...names: string[]) => Object.fromEntries(names.map((name) => [name, () => undefined]));
const SERVER = {
  principalResolver: () => ann,
  onResolverError: 'refuse',
  pageSize: count,
  listChanged: flag,
  subscribe: flag,
  features: ['tools'],
  cacheHints: {},
  instructions: 'how',
  logLevel: 'info',
  identify: flag,
  maxBatchMessages: count,
  maxListenStreams: count,
  maxListenStreamsPerCaller: count,
};
const HTTP = {
  ...SERVER,
  path: '/mcp',
  auth: new TokenAuth(['t']),
  guard: { allowedHosts: ['a.example'] },
  cors: { origins: ['https://a.example'] },
  sessions: flag,
  responseMode: 'json',
  maxBodyBytes: count,
  keepAliveMs: count,
  stallMs: count,
  sessionIdleMs: count,
  maxSessions: count,
  maxSessionsPerCaller: count,
  eventStore: new MemoryEventStore(),
  retryMs: count,
  reconnectAfterMs: count,
  legacySse: { streamPath: '/s', messagePath: '/m' },
};

interface Row {
  /** Makes something of options; throws for those that cannot be used. */
  readonly make: (options: never) => unknown;
  /** Every option there is, with a value that is right. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What has to be there in any case. */
  readonly needed?: readonly string[];
}

const TABLE: Readonly<Record<string, Row>> = {
  'fetchHandler()': { make: (options) => layer.fetchHandler(options), options: HTTP },
  'nodeHandler()': { make: (options) => layer.nodeHandler(options), options: HTTP },
  "serve('http')": {
    make: async (options: object) => {
      const serving = await layerOf(() => undefined).serve('http', { port: 0, exit: false, graceMs: 0, ...options });
      await serving.close();
    },
    options: {
      ...HTTP,
      host: '127.0.0.1',
      port: 0,
      healthPath: '/up',
      headersTimeoutMs: 1000,
      requestTimeoutMs: 60_000,
      keepAliveTimeoutMs: 1000,
      maxHeaderBytes: 4096,
      maxConnections: count,
      graceMs: count,
      exit: false,
      strayErrors: 'node',
    },
  },
  "serve('stdio')": {
    make: async (options: object) => {
      const streams = { input: new PassThrough(), output: new PassThrough().resume() };
      const serving = await layerOf(() => undefined).serve('stdio', { ...streams, ...options, exit: false });
      await serving.close();
    },
    options: {
      ...SERVER,
      input: new PassThrough(),
      output: new PassThrough(),
      maxLineBytes: count,
      graceMs: count,
      closeMs: count,
      strayErrors: 'node',
    },
  },
  NativeMcpServer: { make: (options) => new NativeMcpServer(layer, options), options: SERVER },
  legacySse: { make: (legacySse) => layer.fetchHandler({ legacySse }), options: HTTP.legacySse },
  Registry: { make: (options) => new Registry(options), options: { defaultCapabilities: ['read_state'] } },
  guard: {
    make: (guard) => layer.fetchHandler({ guard }),
    options: { allowedHosts: ['a.example'], allowedOrigins: ['https://a.example'] },
  },
  OriginHostGuard: {
    make: (options) => new OriginHostGuard(options),
    options: { allowedHosts: '*', allowedOrigins: '*' },
  },
  cors: { make: (cors) => layer.fetchHandler({ cors }), options: { origins: '*', maxAgeSeconds: count } },
  TokenAuth: {
    make: (options) => new TokenAuth(['t'], options),
    options: { required: flag, realm: 'mcp', env: { A: 'b' } },
  },
  OAuthResource: {
    make: (options) => new OAuthResource(options),
    needed: ['resource', 'authorizationServers', 'verifyToken'],
    options: {
      resource: 'https://mcp.example/mcp',
      authorizationServers: ['https://as.example'],
      verifyToken: () => undefined,
      requiredScopes: ['a'],
      scopesFor: () => [],
      scopesSupported: ['a'],
      resourceName: 'name',
      resourceDocumentation: 'https://docs.example',
      checkAudience: flag,
      now: () => 0,
    },
  },
  McpLayer: {
    make: (options: object) => new McpLayer({ logger: new MemoryLogger(), ...options } as never),
    needed: ['name', 'version'],
    options: {
      name: 'test',
      version: '1',
      title: 'T',
      instructions: 'how',
      description: 'what',
      websiteUrl: 'https://a.example',
      services: [],
      policy: { name: 'p', ...methods('decide', 'scopeOf') },
      middleware: [],
      prefix: 'p_',
      metaPrefix: 'p/',
      includeCategories: ['a'],
      excludeCategories: ['a'],
      includeTools: ['a'],
      excludeTools: ['a'],
      readOnly: flag,
      defaultTimeoutMs: count,
      maxOutputChars: count,
      maxResultChars: count,
      validationLimits: { maxDepth: count },
      validateOutput: 'off',
      exposeErrors: flag,
      asyncContext: flag,
      onError: () => undefined,
      askTimeoutMs: count,
      confirmWithoutClient: 'refuse',
      requestState: { ttlMs: count },
      extensions: [],
      logger: new MemoryLogger(),
      clock: { now: () => 0, monotonic: () => 0 },
      ids: { next: () => 'id' },
    },
  },
  requestState: {
    make: (requestState) => new McpLayer({ name: 'test', version: '1', logger: new MemoryLogger(), requestState }),
    options: { keys: ['k'.repeat(32)], ttlMs: count, maxChars: count },
  },
  validationLimits: {
    make: (validationLimits) =>
      new McpLayer({ name: 'test', version: '1', logger: new MemoryLogger(), validationLimits }),
    options: { maxDepth: count, maxItems: count, maxPatternChars: count, maxIssues: count },
  },
  MemoryEventStore: {
    make: (options) => new MemoryEventStore(options),
    options: { maxEvents: count, maxChars: count, maxEventsPerCaller: count },
  },
  MemoryCacheStore: {
    make: (options) => new MemoryCacheStore(options),
    options: { maxEntries: count, maxChars: count },
  },
  MemoryRateLimitStore: {
    make: (options) => new MemoryRateLimitStore(options),
    options: { maxBuckets: count, clock: methods('now', 'monotonic') },
  },
  'auditLog()': {
    make: (options) => auditLog(options),
    needed: ['write'],
    options: { write: () => undefined, salt: 's'.repeat(16), kinds: ['tool'] },
  },
  'cache()': {
    make: (options) => cache(options),
    options: { ttlMs: count, resources: flag, include: () => true, store: methods('get', 'set', 'clear') },
  },
  'concurrency()': {
    make: (options) => concurrency(options),
    needed: ['total'],
    options: { total: count, perPrincipal: count, maxQueue: count, queueTimeoutMs: count, kinds: ['tool'] },
  },
  'metrics()': { make: (options) => metrics(options), options: { maxSeries: count, resource: 'r://m' } },
  'retry()': {
    make: (options) => retry(options),
    needed: ['on'],
    options: { on: ['E'], attempts: count, initialDelayMs: count, maxDelayMs: count, random: () => 0 },
  },
  'registerInto()': {
    make: (options) => {
      const server = new Server({ name: 'host', version: '1' });
      return layerOf(() => undefined).registerInto(server, options);
    },
    options: {
      prefix: 'p_',
      include: ['tools'],
      principalResolver: () => ann,
      onResolverError: 'refuse',
      listChanged: flag,
      bus: methods('publish', 'subscribe'),
      transport: 'http',
    },
  },
  createTestClient: {
    make: (options) => createTestClient(layer, options),
    options: {
      principal: ann,
      info: new RequestInfo({ transport: 'http' }),
      era: 'modern',
      version: '2026-07-28',
      capabilities: {},
      answer: () => undefined,
    },
  },
  connectInMemory: {
    make: (options) => connectInMemory(layer, options),
    options: { principal: ann, info: new RequestInfo({ transport: 'http' }), onMessage: () => undefined },
  },
  clientTransport: {
    make: (options) => clientTransport(layer, options).start(),
    options: { principal: ann, info: new RequestInfo({ transport: 'http' }) },
  },
  'toOpenAITools()': {
    make: (options) => toOpenAITools(layer, options),
    options: { principal: ann, only: ['who'], api: 'chat' },
  },
  'a request of a test client': {
    make: (options: object) => createTestClient(layer).call('who', {}, options),
    options: { signal: new AbortController().signal, meta: {} },
  },
  'buildServer()': {
    make: (options: object) =>
      buildServer(
        layerOf(() => undefined),
        'native',
        options,
      ),
    options: { name: 'n', native: {}, prefix: 'p_', include: ['tools'], listChanged: flag },
  },
  TsyringeContainer: {
    make: (options) => new TsyringeContainer(options),
    options: { parent: methods('createChildContainer', 'isRegistered'), provide: [] },
  },
  NestContainer: {
    make: (options) => new NestContainer({} as never, options),
    options: { request: () => ({}) },
  },
  'layer.callTool()': {
    make: (options) => layer.callTool('who', {}, options),
    options: { principal: ann, context: {}, signal: new AbortController().signal },
  },
};

const refusal = async (make: Row['make'], options: unknown): Promise<string> => {
  try {
    await make(options as never);
    return 'taken';
  } catch (error) {
    return (error as Error).name === 'ConfigurationError' ? (error as Error).message : `no finding: ${String(error)}`;
  }
};
const base = ({ needed = [], options }: Row) => Object.fromEntries(needed.map((name) => [name, options[name]]));

describe.each(Object.entries(TABLE))('the options of %s', (_name, row) => {
  const names = Object.keys(row.options);

  it('are taken where they are right', async () => {
    for (const name of names) {
      if (name === 'input' || name === 'output') continue;
      const taken = await refusal(row.make, { ...base(row), [name]: row.options[name] });
      expect([name, taken]).toEqual([name, 'taken']);
    }
  });

  it('are refused as the promise of them', async () => {
    const promised = Promise.resolve({ ...base(row), ...row.options });
    if (row.needed === undefined && !/^serve/.test(_name)) expect(await refusal(row.make, promised)).not.toBe('taken');
  });

  it('are refused by a name that is none', async () => {
    for (const name of ['unheardOf', ...names.map((own) => `${own}x`)]) {
      const said = await refusal(row.make, { ...base(row), [name]: row.options[name.slice(0, -1)] ?? 1 });
      expect([name, said]).toEqual([name, expect.stringContaining(`'${name}'`)]);
    }
  });

  it('are refused with a promise of a value, and with what is none', async () => {
    for (const name of names) {
      const wrongs = {
        promise: Promise.resolve(row.options[name]),
        null: null,
        NaN: Number.NaN,
        symbol: Symbol('wrong'),
      };
      for (const [kind, wrong] of Object.entries(wrongs)) {
        const said = await refusal(row.make, { ...base(row), [name]: wrong });
        expect([name, kind, said]).toEqual([name, kind, expect.stringContaining(name)]);
        expect([name, kind, said]).not.toEqual([name, kind, expect.stringContaining('no finding')]);
      }
    }
  });
});

describe('an authenticator that gives what it should not', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['no', false],
    ['yes', true],
    ['a name', 'ann'],
    ['a list', [ann]],
    ['the promise of nothing', Promise.resolve(undefined)],
    ['a principal of its own making', { principal: { id: 'ann' } }],
    ['the promise of a principal', { principal: Promise.resolve(ann) }],
    ['a principal by another name', { user: ann }],
    ['the promise of a token', { accessToken: Promise.resolve({ sub: 'ann' }) }],
    ['a token as text', { accessToken: 'abc' }],
    ['a refusal without a status', { status: undefined, message: 'no' }],
    ['a refusal that is none', { status: 200, message: 'yes' }],
    ['a refusal without words', { status: 401 }],
  ])('lets nobody in: %s', async (_what, outcome) => {
    const auth = { authenticate: () => outcome } as unknown as HttpAuth;
    const target = await fetchTarget(layer, { auth });
    const answer = await target.send(modern('tools/call', { name: 'who' }));
    expect([answer.status, answer.json.error.message]).toEqual([500, 'Internal error.']);
    await target.close();
  });

  it.each<[string, unknown]>([
    ['no', false],
    ['yes', true],
    ['null', null],
    ['a promise', Promise.resolve(undefined)],
    ['a promise of a refusal', Promise.resolve({ status: 403, message: 'no' })],
  ])('lets no message through: authorize gives %s', async (_what, refused) => {
    const auth = { authenticate: () => ({ principal: ann }), authorize: () => refused } as unknown as HttpAuth;
    const target = await fetchTarget(layer, { auth });
    expect((await target.send(modern('tools/call', { name: 'who' }))).status).toBe(500);
    await target.close();
  });

  it('may let a caller in as nobody in particular', async () => {
    const target = await fetchTarget(layer, { auth: { authenticate: () => ({}) } });
    const answer = await target.send(modern('tools/call', { name: 'who' }));
    expect(answer.json.result.structuredContent.result).toBe('anonymous');
    await target.close();
  });
});

it.each<[string, unknown]>([
  ['a text, each letter of which would be a token', 'secret'],
  ['a promise', Promise.resolve(['secret'])],
  ['a list of other things', [1]],
  ['something that is no principal', { secret: 'ann' }],
  ['the promise of a principal', { secret: Promise.resolve(ann) }],
  ['nobody', { secret: undefined }],
])('TokenAuth takes no %s', (_what, tokens) => {
  expect(() => new TokenAuth(tokens as never)).toThrow(/^TokenAuth: /);
});

it.each([null, 'ann', { id: 'ann' }, Promise.resolve(ann)])(
  'nobody is called for as the local user: %s',
  async (principal) => {
    await expect(layer.callTool('who', {}, { principal: principal as never })).rejects.toThrow(
      'a call: principal must be',
    );
    await expect(layer.callTool('who', {}, { context: { principal: principal as never } })).rejects.toThrow(
      'principal',
    );
  },
);

it('every object of options that is taken is one of those above, or said not to be', () => {
  const root = join(__dirname, '../..');
  const declared = ['src', 'providers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...readFileSync(join(root, folder, name), 'utf8').matchAll(/^export interface (\w+Options)\b/gm),
      ])
      .map(([, name]) => name!),
  );
  expect(declared.filter((name) => !TRIED.has(name) && !OTHERS.has(name))).toEqual([]);
});

const TRIED: ReadonlySet<string> = new Set([
  ...['HttpOptions', 'ServeHttpOptions', 'StdioOptions', 'NativeServerOptions', 'LegacySseOptions', 'MountOptions'],
  ...['GuardOptions', 'CorsOptions', 'TokenAuthOptions', 'OAuthResourceOptions', 'ResolverOptions', 'McpLayerOptions'],
  ...['RequestStateOptions', 'MemoryEventStoreOptions', 'MemoryCacheStoreOptions', 'AuditLogOptions', 'CacheOptions'],
  ...['ConcurrencyOptions', 'MetricsOptions', 'RetryOptions', 'TestClientOptions', 'MemoryOptions', 'ModelToolOptions'],
  ...['CallOptions', 'CompleteOptions', 'AiSdkOptions', 'LangChainOptions', 'RegistryOptions'],
  ...['TestRequestOptions', 'BuildOptions', 'NestContainerOptions', 'TsyringeOptions', 'MemoryRateLimitOptions'],
]);

const OTHERS: ReadonlySet<string> = new Set([
  // Of decorators and registrations: src/registry/option-checks.ts.
  ...['CommonOptions', 'ToolOptions', 'ResourceOptions', 'PromptOptions', 'ServiceOptions'],
  // From within.
  ...[
    'SchemaOptions',
    'RawValidatorOptions',
    'ReflectOptions',
    'ClassValidationOptions',
    'ReaderOptions',
    'EmitOptions',
  ],
  ...['WireOptions', 'CapabilityOptions', 'ResolvedHttpOptions', 'ResolvedServerOptions', 'ResolvedMountOptions'],
  ...['ClientCallOptions', 'ClientRequestOptions', 'PeerRequestOptions'],
  // What content and questions are made of: none of them says who may do what.
  ...[
    'ContentOptions',
    'ResourceLinkOptions',
    'ResourceContentsOptions',
    'QuestionOptions',
    'FormOptions',
    'UrlOptions',
    'CauseOptions',
  ],
]);
