import { DocumentPolicy, type PolicyDocument, type Primitive, Principal } from 'cartouche';
import { layerOf, MemoryLogger, principal } from '../../support/layers.js';

const primitive = (changes: Partial<Primitive> = {}): Primitive => ({
  kind: 'tool',
  id: 'get_asset',
  category: 'assets',
  tags: new Set(),
  sensitivity: 'internal',
  capabilities: new Set(['read_state']),
  declared: true,
  ...changes,
});

const template = primitive({ kind: 'template', id: 'asset://{id}' });
const prompt = primitive({ kind: 'prompt', id: 'review' });
const undeclared = primitive({ declared: false, capabilities: new Set() });

/** Why a document denies it; `undefined` where it allows it. */
function reason(document: PolicyDocument, of = primitive(), who = principal('ann', 'analyst')): string | undefined {
  const decision = DocumentPolicy.load(document).decide(of, who);
  return decision.allowed ? undefined : decision.reason;
}

describe('what is decided', () => {
  test.each<[string, PolicyDocument, Primitive, string | undefined]>([
    ['nothing said', {}, primitive(), undefined],
    [
      'denied by name',
      { denyTools: ['get_*'] },
      primitive(),
      "tool 'get_asset' denied by the policy: denyTools 'get_*'",
    ],
    ['another name', { denyTools: ['put_*'] }, primitive(), undefined],
    ['case matters', { denyTools: ['GET_ASSET'] }, primitive(), undefined],
    ['lists of tools say nothing of templates', { allowTools: [], denyTools: ['*'] }, template, undefined],
    [
      'templates go by the lists of resources',
      { denyResources: ['asset://*'] },
      template,
      "template 'asset://{id}' denied by the policy: denyResources 'asset://*'",
    ],
    ['prompts by their own', { allowPrompts: ['x'] }, prompt, "prompt 'review' not in allowPrompts of the policy"],
    [
      'an empty list allows nothing',
      { allowTools: [] },
      primitive(),
      "tool 'get_asset' not in allowTools of the policy",
    ],
    [
      'denied by category',
      { denyCategories: ['assets'] },
      primitive(),
      "tool 'get_asset' denied by the policy: denyCategories 'assets'",
    ],
    [
      'not in the categories',
      { allowCategories: ['x'] },
      primitive(),
      "tool 'get_asset' not allowed by the policy: category 'assets' is not in allowCategories",
    ],
    [
      'both allow lists have to let it in',
      { allowTools: ['*'], allowCategories: ['x'] },
      primitive(),
      "tool 'get_asset' not allowed by the policy: category 'assets' is not in allowCategories",
    ],
    [
      'a deny goes before an allow',
      { allowTools: ['*'], denyTools: ['get_asset'] },
      primitive(),
      "tool 'get_asset' denied by the policy: denyTools 'get_asset'",
    ],
    [
      'above the ceiling',
      { maxSensitivity: 'public' },
      primitive(),
      "sensitivity 'internal' is above 'public' of the policy",
    ],
    ['at the ceiling', { maxSensitivity: 'internal' }, primitive(), undefined],
    ['a capability', { denyCapabilities: ['read_state'] }, primitive(), "capability 'read_state' denied by the policy"],
    [
      'a capability that is not in the list',
      { allowCapabilities: ['exec'] },
      primitive(),
      "capability 'read_state' not in allowCapabilities of the policy",
    ],
    ['a capability that it has not', { denyCapabilities: ['exec'] }, primitive(), undefined],
    [
      'a tool that declares none may have any',
      { denyCapabilities: ['exec'] },
      undeclared,
      "capability 'exec' denied by the policy (the tool declares none, and so may have it)",
    ],
    ['but reveal', { denyCapabilities: ['reveal'] }, undeclared, undefined],
    [
      'a prompt that declares none has none',
      { denyCapabilities: ['exec'] },
      { ...prompt, declared: false, capabilities: new Set() },
      undefined,
    ],
  ])('%s', (_name, document, of, expected) => {
    expect(reason(document, of)).toBe(expected);
  });

  test.each<[string, PolicyDocument, string | undefined]>([
    [
      'a deny of a rule is the last word',
      { rules: [{ name: 'never', denyTools: ['get_asset'] }, { allowTools: ['*'] }] },
      "tool 'get_asset' denied by rule 'never': denyTools 'get_asset'",
    ],
    [
      'a capability denied by a rule',
      {
        rules: [{ name: 'never', denyCapabilities: ['read_state'] }],
        roles: { analyst: { allowCapabilities: ['read_state'] } },
      },
      "capability 'read_state' denied by rule 'never'",
    ],
    [
      'a rule without a name',
      { rules: [{}, { denyCategories: ['assets'] }] },
      "tool 'get_asset' denied by rules[1]: denyCategories 'assets'",
    ],
    [
      'rules of roles come first',
      { roles: { analyst: { denyTools: ['*'] } }, rules: [{ denyTools: ['*'] }] },
      "tool 'get_asset' denied by role 'analyst': denyTools '*'",
    ],
    ['a role that the caller has not', { roles: { lead: { denyTools: ['*'] } } }, undefined],
    [
      'a ceiling of a rule goes before the policy’s',
      { maxSensitivity: 'public', roles: { analyst: { maxSensitivity: 'internal' } } },
      undefined,
    ],
    [
      'and may be lower',
      { maxSensitivity: 'restricted', roles: { analyst: { maxSensitivity: 'public' } } },
      "sensitivity 'internal' is above 'public' of role 'analyst'",
    ],
    ['the highest of several', { rules: [{ maxSensitivity: 'public' }, { maxSensitivity: 'internal' }] }, undefined],
    [
      'an allow list of a rule skips the policy’s lists',
      { denyTools: ['*'], denyCategories: ['assets'], allowTools: [], roles: { analyst: { allowTools: ['get_*'] } } },
      undefined,
    ],
    [
      'an allow list that lacks it does not',
      { denyTools: ['*'], roles: { analyst: { allowTools: ['x'] } } },
      "tool 'get_asset' denied by the policy: denyTools '*'",
    ],
    [
      'nor one of another kind',
      { denyTools: ['*'], roles: { analyst: { allowPrompts: ['*'] } } },
      "tool 'get_asset' denied by the policy: denyTools '*'",
    ],
    [
      'it skips no capability',
      { denyCapabilities: ['read_state'], roles: { analyst: { allowTools: ['*'] } } },
      "capability 'read_state' denied by the policy",
    ],
    [
      'a rule grants a capability',
      { denyCapabilities: ['read_state'], roles: { analyst: { allowCapabilities: ['read_state'] } } },
      undefined,
    ],
    [
      'a role with a match of its own',
      { roles: { analyst: { match: { roles: ['lead'] }, denyTools: ['*'] } } },
      undefined,
    ],
  ])('%s', (_name, document, expected) => {
    expect(reason(document)).toBe(expected);
  });

  test.each<[NonNullable<NonNullable<PolicyDocument['rules']>[0]['match']>, boolean]>([
    [{}, true],
    [{ roles: [] }, true],
    [{ roles: ['lead', 'analyst'] }, true],
    [{ roles: ['lead'] }, false],
    [{ principals: ['a*'] }, true],
    [{ principals: [] }, true],
    [{ principals: ['b*'] }, false],
    [{ names: ['get_*'] }, true],
    [{ names: ['put_*'] }, false],
    [{ names: [] }, true],
    [{ categories: ['x', 'assets'] }, true],
    [{ categories: ['x'] }, false],
    [{ tags: ['cloud'] }, true],
    [{ tags: ['x'] }, false],
    [{ kinds: ['tool'] }, true],
    [{ kinds: ['prompt', 'resource', 'template'] }, false],
    [{ sensitivity: ['internal'] }, true],
    [{ sensitivity: ['public'] }, false],
    [{ capabilities: ['read_state'] }, true],
    [{ capabilities: ['exec'] }, false],
    [{ roles: ['analyst'], names: ['put_*'] }, false],
    [{ roles: ['analyst'], names: ['get_*'], kinds: ['tool'] }, true],
  ])('a rule for %j matches: %j', (match, expected) => {
    const denied = reason({ rules: [{ match, denyTools: ['*'] }] }, primitive({ tags: new Set(['cloud']) }));
    expect(denied !== undefined).toBe(expected);
  });

  test('a rule for a capability matches a tool that declares none', () => {
    const document: PolicyDocument = { rules: [{ match: { capabilities: ['exec'] }, denyTools: ['*'] }] };
    expect(reason(document, undeclared)).toBeDefined();
  });

  test.each([undefined, true, false])('hideDenied: %j', (hideDenied) => {
    const policy = DocumentPolicy.load({ denyTools: ['*'], ...(hideDenied === undefined ? {} : { hideDenied }) });
    expect(policy.decide(primitive(), principal('ann'))).toMatchObject({ allowed: false, hidden: hideDenied ?? true });
  });
});

test('callers whom the same rules concern share a scope, others do not', () => {
  const policy = DocumentPolicy.load({ roles: { lead: {} }, rules: [{ match: { principals: ['root'] } }] });
  const scope = (id: string, ...roles: string[]): string => policy.scopeOf(principal(id, ...roles));
  expect(scope('ann')).toBe(scope('bob', 'analyst'));
  expect(new Set([scope('ann'), scope('ann', 'lead'), scope('root'), scope('root', 'lead')]).size).toBe(4);
});

test('explains each step up to the one that decided, as JSON', () => {
  const policy = DocumentPolicy.load({
    name: 'house',
    maxSensitivity: 'confidential',
    denyCapabilities: ['read_state', 'exec'],
    roles: { analyst: { allowCapabilities: ['read_state'], rateLimits: [{ rate: 1, per: 'second' }] } },
    rules: [{ name: 'slow', match: { kinds: ['prompt'] } }],
  });
  const explain = (of: Primitive, who: Principal): unknown => JSON.parse(JSON.stringify(policy.explain(of, who)));
  expect(explain(primitive({ tags: new Set(['cloud']) }), principal('ann', 'analyst'))).toEqual({
    policy: 'house',
    principal: { id: 'ann', roles: ['analyst'] },
    primitive: {
      kind: 'tool',
      id: 'get_asset',
      category: 'assets',
      sensitivity: 'internal',
      declared: true,
      capabilities: ['read_state'],
      tags: ['cloud'],
    },
    allowed: true,
    hidden: false,
    steps: [
      { asked: 'rules', found: "role 'analyst' matches", denies: false },
      { asked: 'denies of rules', found: 'none', denies: false },
      { asked: 'sensitivity', found: "'internal' is within 'confidential' of the policy", denies: false },
      { asked: 'lists', found: 'nothing against it', denies: false },
      { asked: 'capabilities', found: "'read_state' granted by role 'analyst'", denies: false },
    ],
    rateLimits: [{ name: '1/second', scope: 'principal', burst: 1, perSecond: 1 }],
  });
  expect(explain(primitive(), principal('bob'))).toMatchObject({
    allowed: false,
    hidden: true,
    reason: "capability 'read_state' denied by the policy",
    steps: [
      { asked: 'rules', found: 'none matches' },
      {},
      {},
      {},
      { asked: 'capabilities', found: "capability 'read_state' denied by the policy", denies: true },
    ],
  });
});

describe('the decision log', () => {
  const open = (document: PolicyDocument) => {
    const policy = DocumentPolicy.load(document);
    const layer = layerOf(
      (registry) => {
        registry.tool({ name: 'plain', capabilities: [], sensitivity: 'public' }, () => 1);
        registry.tool({ name: 'shows', capabilities: ['reveal'], sensitivity: 'public' }, () => 1);
        registry.tool({ name: 'secret', capabilities: [], sensitivity: 'public' }, () => 1);
      },
      { policy, clock: { now: () => 7, monotonic: () => 0 } },
    );
    const call = (name: string, args: unknown = {}) =>
      layer.callTool(name, args, { principal: principal('ann') }).then(
        () => undefined,
        () => undefined,
      );
    return { policy, call };
  };

  test('keeps what was refused, limited or can reveal, and never a value', async () => {
    const { call, policy } = open({
      denyTools: ['secret'],
      rateLimits: [{ rate: 1, per: 'day', tools: ['plain'] }],
    });
    for (const name of ['plain', 'plain', 'shows', 'secret', 'nothing']) await call(name, { password: 'hunter2' });
    expect(policy.decisions.map(({ name, outcome, reason }) => [name, outcome, reason])).toEqual([
      ['plain', 'limited', 'Too often: the limit is 1/day plain. Try again in 86400 s.'],
      ['shows', 'allowed', undefined],
      ['secret', 'not_found', "tool 'secret' denied by the policy: denyTools 'secret'"],
      ['nothing', 'not_found', undefined],
    ]);
    expect(policy.decisions[1]).toEqual({
      at: 7,
      outcome: 'allowed',
      kind: 'tool',
      name: 'shows',
      primitive: { kind: 'tool', id: 'shows' },
      principal: 'ann',
      arguments: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      nested: false,
    });
    expect(JSON.stringify(policy.decisions)).not.toContain('hunter2');
  });

  test('equal arguments have equal hashes, whatever the order of their keys', async () => {
    const { call, policy } = open({ audit: true });
    for (const args of [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      { a: 1, b: 3 },
    ])
      await call('plain', args);
    const [first, second, third] = policy.decisions.map((entry) => entry.arguments);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('with audit keeps every call, and the newest of them', async () => {
    const { call, policy } = open({ audit: true, auditSize: 2 });
    for (const name of ['plain', 'shows', 'nothing']) await call(name);
    expect(policy.decisions.map(({ name }) => name)).toEqual(['shows', 'nothing']);
    await call('plain');
    expect(policy.decisions.map(({ name }) => name)).toEqual(['nothing', 'plain']);
  });
});

test('warns of denies that match nothing when the layer starts', async () => {
  const logger = new MemoryLogger();
  const layer = layerOf(
    (registry) => {
      registry.tool({ name: 'delete_asset', capabilities: [] }, () => 1);
      registry.resource({ uri: 'a://b', name: 'b', description: 'b' }, () => 'b');
    },
    {
      logger,
      policy: {
        name: 'house',
        denyTools: ['delete_*', 'delete_aset', '!x'],
        denyResources: ['a://*'],
        rules: [{ name: 'no', denyPrompts: ['p'] }],
      },
    },
  );
  await layer.start();
  const lines = logger.lines.map(({ message }) => message).filter((message) => message.startsWith('policy'));
  expect(lines).toEqual([
    "policy 'house': denyTools 'delete_aset' of the policy matches nothing that there is. Did you mean 'delete_asset'?",
    "policy 'house': denyPrompts 'p' of rule 'no' matches nothing that there is.",
  ]);
  await layer.close();
});

test('one policy serves one layer', () => {
  const policy = DocumentPolicy.load({ name: 'house' });
  layerOf(() => undefined, { policy, name: 'a' });
  expect(() => layerOf(() => undefined, { policy, name: 'b' })).toThrow(
    "policy 'house': it is in two layers, 'a' and 'b'. Load it once for each. [CT853]",
  );
});

test.each<[unknown, string]>([
  [5, 'McpLayer: policy must be an object. Pass one. [CT103]'],
  [Promise.resolve({}), 'McpLayer: policy is a promise. Await it. [CT103]'],
  [{ decide: () => undefined }, 'McpLayer: policy lacks scopeOf(). Pass an object that has it. [CT103]'],
  [new Map(), 'McpLayer: policy lacks decide(), scopeOf(). Pass an object that has it. [CT103]'],
  [{ denyTool: [] }, "policy: no option 'denyTool'. Did you mean 'denyTools'? [CT102]"],
  ['./missing.yaml', 'missing.yaml: this policy cannot be read'],
])('a layer refuses %p', (policy, message) => {
  expect(() => layerOf(() => undefined, { policy: policy as never })).toThrow(message);
});
