import { answer, answeringClient, capabilitiesOf } from '../../../src/asking/answering-client.js';
import { isDeclared, isSayable, type Need, requiredFor } from '../../../src/asking/capabilities.js';
import { digestOf } from '../../../src/asking/digest.js';
import { askHandshake } from '../../../src/asking/handshake.js';
import { canBeAsked, checkNeeds, clientOf } from '../../../src/asking/may-ask.js';
import { prepare } from '../../../src/asking/questions.js';
import { paramsOfSample, readSample } from '../../../src/asking/sampling.js';
import type { Question, SampleParams } from '../../../src/core/asking.js';
import type { ClientCapabilities, ClientPort, HandshakeClient } from '../../../src/core/client-port.js';
import {
  AskingError,
  CancelledError,
  ConfigurationError,
  McpLayerError,
  TimeoutError,
} from '../../../src/core/errors.js';
import { ALL, modernClient } from './support.js';

const client = (capabilities: ClientCapabilities = ALL, version = '2025-11-25'): HandshakeClient => ({
  era: 'handshake',
  version,
  capabilities,
  request: () => Promise.resolve({}),
});
const sample: SampleParams = { messages: 'hi', maxTokens: 5 };

function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('a question that cannot be asked of anyone', () => {
  test.each<[Question, string, string]>([
    [{ url: 'https://a.example', message: '' }, 'CT902', 'tool t: no message. Tell the person what is asked and why.'],
    [{ url: 'https://a.example', message: 5 as never }, 'CT902', 'tool t: no message.'],
    [{ url: 'a.example', message: 'm' }, 'CT903', 'tool t: its url is not a web address.'],
    [{ url: 'ftp://a.example', message: 'm' }, 'CT903', 'tool t: its url is not a web address.'],
    [{ url: 'javascript:alert(1)', message: 'm' }, 'CT903', 'tool t: its url is not a web address.'],
    [{ url: 'https://u@a.example', message: 'm' }, 'CT904', 'tool t: its url carries credentials,'],
    [{ url: 'https://:p@a.example', message: 'm' }, 'CT904', 'tool t: its url carries credentials,'],
    [{ sample: { ...sample, maxTokens: 0 } }, 'CT901', 'tool t: maxTokens is 0. Pass a whole number above 0.'],
    [{ sample: { ...sample, maxTokens: 1.5 } }, 'CT901', 'tool t: maxTokens is 1.5.'],
    [{ sample: { ...sample, maxTokens: undefined as never } }, 'CT901', 'tool t: maxTokens is undefined.'],
  ])('%j: %s', (question, code, message) => {
    const error = thrown(() => prepare(question, 'tool t')) as ConfigurationError;
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.codes).toEqual([code]);
    expect(error.message).toContain(message);
  });

  test.each(['http://a.example', new URL('https://a.example/x?y#z')])('%s is an address', (url) => {
    expect(prepare({ url, message: 'm' }, 't').params('2026-07-28', undefined)).toEqual({
      mode: 'url',
      message: 'm',
      url: new URL(url).href,
    });
  });
});

describe('what a question needs, and how each revision says it', () => {
  test.each<[Question, readonly Need[]]>([
    [{ url: 'https://a.example', message: 'm' }, ['url']],
    [{ sample }, ['sample']],
    [{ sample: { ...sample, tools: [] } }, ['sample', 'sample-tools']],
    [{ sample: { ...sample, toolChoice: { mode: 'auto' } } }, ['sample', 'sample-tools']],
    [{ sample: { ...sample, includeContext: 'none' } }, ['sample']],
    [{ sample: { ...sample, includeContext: 'thisServer' } }, ['sample', 'sample-context']],
    [{ roots: true }, ['roots']],
  ])('%j needs %j', (question, needs) => {
    expect(prepare(question, 't').needs).toEqual(needs);
  });

  test('an address has an id in 2025-11-25 alone', () => {
    const { params } = prepare({ url: 'https://a.example', message: 'm' }, 't');
    expect(params('2025-11-25', undefined)).toHaveProperty('elicitationId', expect.stringMatching(/^[0-9a-f-]{36}$/));
    expect(params('2025-11-25', undefined)).not.toEqual(params('2025-11-25', undefined));
    expect(params('2026-07-28', undefined)).not.toHaveProperty('elicitationId');
  });

  test('a form has a mode since 2025-11-25, and says what was wrong before', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const;
    const { params } = prepare({ form: schema as never, message: 'Which?' }, 't');
    expect(params('2025-06-18', undefined)).not.toHaveProperty('mode');
    expect(params('2025-11-25', undefined)).toMatchObject({ mode: 'form', message: 'Which?' });
    expect(params('2026-07-28', 'a: too short')).toMatchObject({ message: 'Which?\n\nPlease correct: a: too short' });
  });

  test('several blocks of a message are messages of their own before 2025-11-25', () => {
    const a = { type: 'text', text: 'a' } as const;
    const b = { type: 'text', text: 'b' } as const;
    const asked: SampleParams = { messages: [{ role: 'assistant', content: [a, b] }], maxTokens: 1 };
    expect(paramsOfSample(asked, '2025-06-18')['messages']).toEqual([
      { role: 'assistant', content: a },
      { role: 'assistant', content: b },
    ]);
    expect(paramsOfSample(asked, '2025-11-25')['messages']).toBe(asked.messages);
    expect(paramsOfSample({ ...sample, temperature: undefined }, '2025-06-18')).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
      maxTokens: 5,
    });
  });
});

describe('what a client sent back', () => {
  const of = (question: Question) => prepare(question, 't').keep;
  const url: Question = { url: 'https://a.example', message: 'm' };
  const form: Question = { form: { type: 'object', properties: {} } as never, message: 'm' };
  const text = { type: 'text', text: 'a' };

  test.each<[string, Question, unknown, unknown]>([
    ['an opened address', url, { action: 'accept', content: { a: 1 } }, { action: 'accept' }],
    ['an address that was not opened', url, { action: 'decline' }, { action: 'decline' }],
    ['another action', url, { action: 'maybe' }, undefined],
    ['no object', url, 'accept', undefined],
    ['nothing', form, undefined, undefined],
    ['a list', form, [], undefined],
    ['a filled form', form, { action: 'accept', content: { a: 1 } }, { action: 'accept', content: { a: 1 } }],
    ['an empty form', form, { action: 'accept' }, { action: 'accept', content: {} }],
    ['null for a form', form, { action: 'accept', content: null }, { action: 'accept', content: {} }],
    ['a list for a form', form, { action: 'accept', content: [] }, undefined],
    ['a form that was put away', form, { action: 'cancel', content: { a: 1 } }, { action: 'cancel' }],
    [
      'roots',
      { roots: true },
      {
        roots: [
          { uri: 'file:///a', name: 'A', more: 1 },
          { uri: 'file:///b', name: 5 },
        ],
      },
      [{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }],
    ],
    ['no roots', { roots: true }, { roots: [] }, []],
    ['one root that is none', { roots: true }, { roots: [{ uri: 'file:///a' }, { name: 'b' }] }, undefined],
    ['roots that are no list', { roots: true }, { roots: {} }, undefined],
    ['no object for roots', { roots: true }, null, undefined],
    [
      'an answer of a model',
      { sample },
      { role: 'user', content: text, model: 'm', stopReason: 'endTurn', more: 1 },
      { role: 'user', content: text, model: 'm', stopReason: 'endTurn' },
    ],
    [
      'an answer without a reason to stop',
      { sample },
      { role: 'assistant', content: [text], model: 'm', stopReason: 5 },
      { role: 'assistant', content: [text], model: 'm' },
    ],
    ['an answer of nobody', { sample }, { role: 'system', content: text, model: 'm' }, undefined],
    ['an answer without a model', { sample }, { role: 'user', content: text }, undefined],
    ['an answer without content', { sample }, { role: 'user', content: null, model: 'm' }, undefined],
    ['an answer of which a block is none', { sample }, { role: 'user', content: [text, {}], model: 'm' }, undefined],
  ])('%s', (_what, question, raw, kept) => {
    expect(of(question)(raw)).toEqual(kept);
  });

  test('a model that answers null', () => {
    expect([readSample(null), readSample('text')]).toEqual([undefined, undefined]);
  });

  test('a form that was not accepted has no content', () => {
    const prepared = prepare(
      { form: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as never, message: 'm' },
      't',
    );
    expect(prepared.read({ action: 'decline' })).toEqual({ action: 'decline' });
    expect(prepared.read({ action: 'accept', content: { a: 'x' } })).toEqual({ action: 'accept', content: { a: 'x' } });
    expect(() => prepared.read({ action: 'accept', content: {} })).toThrow(/a/);
  });
});

describe('what a client says that it can do', () => {
  test.each<[Need, ClientCapabilities, boolean]>([
    ['form', { elicitation: {} }, true],
    ['form', { elicitation: { form: {} } }, true],
    ['form', { elicitation: { url: {} } }, false],
    ['form', { elicitation: { form: {}, url: {} } }, true],
    ['form', {}, false],
    ['form', { elicitation: null }, false],
    ['form', { elicitation: true }, false],
    ['url', { elicitation: {} }, false],
    ['url', { elicitation: { url: {} } }, true],
    ['url', { elicitation: { url: null } }, false],
    ['sample', { sampling: {} }, true],
    ['sample', {}, false],
    ['sample-tools', { sampling: { tools: {} } }, true],
    ['sample-tools', { sampling: { context: {} } }, false],
    ['sample-context', { sampling: { context: {} } }, true],
    ['sample-context', { sampling: { tools: {} } }, false],
    ['roots', { roots: {} }, true],
    ['roots', { roots: 'yes' }, false],
  ])('%s with %j: %j', (need, capabilities, expected) => {
    expect(isDeclared(client(capabilities), need)).toBe(expected);
  });

  test.each<[Need, string, boolean]>([
    ['form', '2025-06-18', true],
    ['form', '2025-03-26', false],
    ['url', '2025-11-25', true],
    ['url', '2025-06-18', false],
    ['sample', '2024-11-05', true],
    ['sample-tools', '2025-06-18', false],
    ['sample-tools', '2025-11-25', true],
    ['sample-context', '2024-11-05', true],
    ['roots', '2024-11-05', true],
  ])('%s in %s: %j', (need, version, expected) => {
    expect(isSayable(client(ALL, version), need)).toBe(expected);
  });

  test.each<[readonly Need[], ClientCapabilities, object]>([
    [['form'], {}, { elicitation: {} }],
    [['form'], { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    [['url'], {}, { elicitation: { url: {} } }],
    [['form', 'url'], { elicitation: {} }, { elicitation: { form: {}, url: {} } }],
    [['sample'], {}, { sampling: {} }],
    [['sample-tools'], {}, { sampling: { tools: {} } }],
    [['sample-context'], {}, { sampling: { context: {} } }],
    [['roots'], {}, { roots: {} }],
    [['roots', 'sample'], {}, { roots: {}, sampling: {} }],
  ])('for %j with %j it would have to declare %j', (needs, capabilities, required) => {
    expect(requiredFor(needs, client(capabilities))).toEqual(required);
  });
});

describe('whether a call may ask', () => {
  test.each<[string, ClientPort | undefined, boolean, boolean]>([
    ['its client', client(), true, true],
    ['nobody', undefined, true, false],
    ['where nothing asks', client(), false, false],
    ['one of an old revision', client(ALL, '2025-03-26'), true, false],
    ['one that declared nothing', client({}), true, false],
  ])('%s', (_who, asked, mayAsk, expected) => {
    expect(canBeAsked({ site: 't', client: asked, mayAsk }, 'form')).toBe(expected);
  });

  test('sampling with tools needs sampling too', () => {
    const asked = (sampling: object) =>
      canBeAsked({ site: 't', client: client({ sampling }), mayAsk: true }, 'sample-tools');
    expect([asked({}), asked({ tools: {} })]).toEqual([false, true]);
  });

  test.each<[string, () => unknown, string, string, unknown]>([
    [
      'a list',
      () => clientOf({ site: 't', client: client(), mayAsk: false }),
      'not-here',
      't: only tools, prompts and resources can ask the client.',
      undefined,
    ],
    [
      'nobody there',
      () => clientOf({ site: 't', client: undefined, mayAsk: true }),
      'no-client',
      't has to ask the client, and there is none that can be asked.',
      undefined,
    ],
    [
      'an old revision',
      () => checkNeeds(client(ALL, '2025-06-18'), ['form', 'url'], 't'),
      'revision',
      't has to ask the client, and MCP 2025-06-18 has no addresses to open. Use a newer client.',
      undefined,
    ],
    [
      'what a client has not',
      () => checkNeeds(client({}), ['form', 'roots', 'form'], 't'),
      'capability',
      't has to ask the client, and this client does not offer forms, roots.',
      { requiredCapabilities: { elicitation: {}, roots: {} } },
    ],
    [
      'what a modern one has not',
      () => checkNeeds(modernClient({ capabilities: {} }), ['url'], 't'),
      'capability',
      't has to ask the client, and this client does not offer addresses to open.',
      { requiredCapabilities: { elicitation: { url: {} } } },
    ],
  ])('%s', (_what, run, reason, message, data) => {
    const error = thrown(run) as AskingError;
    expect(error).toBeInstanceOf(AskingError);
    expect([error.reason, error.data]).toEqual([reason, data]);
    expect(error.message).toContain(message);
  });

  test('whoever may ask goes on', () => {
    const asked = client();
    expect(clientOf({ site: 't', client: asked, mayAsk: true })).toBe(asked);
    expect(() =>
      checkNeeds(asked, ['form', 'url', 'sample', 'sample-tools', 'sample-context', 'roots'], 't'),
    ).not.toThrow();
  });
});

describe('a client that answers by functions', () => {
  test('declares what it has answers for', () => {
    const elicit = () => ({ action: 'decline' }) as const;
    expect(capabilitiesOf({})).toEqual({});
    expect(capabilitiesOf({ elicit })).toEqual({ elicitation: { form: {} } });
    expect(capabilitiesOf({ elicitUrl: elicit })).toEqual({ elicitation: { url: {} } });
    expect(capabilitiesOf({ elicit, elicitUrl: elicit, sample: () => 'a', roots: [] })).toEqual(ALL);
  });

  test('is told the question, and what it leaves out is empty', async () => {
    const seen: unknown[] = [];
    const elicit = (question: unknown) => (seen.push(question), { action: 'decline' }) as never;
    const answers = { elicit, elicitUrl: elicit };
    await answer(answers, 'elicitation/create', { message: 'm', requestedSchema: { type: 'object' } });
    await answer(answers, 'elicitation/create', {});
    await answer(answers, 'elicitation/create', { mode: 'url', message: 'm', url: 'u' });
    await answer(answers, 'elicitation/create', { mode: 'url' });
    expect(seen).toEqual([
      { message: 'm', schema: { type: 'object' } },
      { message: '', schema: {} },
      { message: 'm', url: 'u' },
      { message: '', url: '' },
    ]);
  });

  test('text stands for what a model said', async () => {
    const said = { role: 'user', content: { type: 'text', text: 'x' }, model: 'm' } as const;
    expect(await answer({ sample: () => 'hello' }, 'sampling/createMessage', {})).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'hello' },
      model: 'answering',
      stopReason: 'endTurn',
    });
    expect(await answer({ sample: () => said }, 'sampling/createMessage', {})).toBe(said);
  });

  test('roots may be a list or a function', async () => {
    const roots = [{ uri: 'file:///a' }];
    expect(await answer({ roots }, 'roots/list', {})).toEqual({ roots });
    expect(await answer({ roots: () => roots }, 'roots/list', {})).toEqual({ roots });
  });

  test.each(['sampling/createMessage', 'roots/list', 'ping'])('has no answer to %s', async (method) => {
    await expect(answer({}, method, {})).rejects.toMatchObject({
      reason: 'refused',
      message: `This client has no answer to ${method}.`,
    });
  });

  test('is of the newest handshake revision', () => {
    expect(answeringClient({ roots: [] })).toMatchObject({
      era: 'handshake',
      version: '2025-11-25',
      capabilities: { roots: {} },
    });
  });
});

describe('a client that refuses', () => {
  const ask = (request: HandshakeClient['request'], timeoutMs = 1000): Promise<unknown> =>
    askHandshake(
      { ...client(), request },
      prepare({ roots: true }, 't'),
      {},
      { site: 'tool t', signal: new AbortController().signal, timeoutMs },
    );

  test.each([
    [
      'an error of the protocol',
      new McpLayerError('not now', undefined, { code: -32000 }),
      { reason: 'refused', message: 'tool t: the client refused roots/list: not now', data: { code: -32000 } },
    ],
    [
      'another error',
      new Error('broken'),
      { reason: 'refused', message: 'tool t: the client refused roots/list: broken', data: undefined },
    ],
    [
      'no error at all',
      'no',
      { reason: 'refused', message: 'tool t: the client refused roots/list.', data: undefined },
    ],
    ['nothing', undefined, { reason: 'refused', message: 'tool t: the client refused roots/list.', data: undefined }],
  ])('with %s', async (_what, error, expected) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what is tried here.
    await expect(ask(() => Promise.reject(error))).rejects.toMatchObject(expected);
  });

  test.each([new TimeoutError('late'), new CancelledError('gone'), new AskingError('no', 'capability')])(
    'with %p keeps it',
    async (error) => {
      await expect(ask(() => Promise.reject(error))).rejects.toBe(error);
    },
  );

  test('a foreign error that only looks like one of those is told as a refusal', async () => {
    const foreign = Object.assign(new Error('x'), { name: 'TimeoutError' });
    await expect(ask(() => Promise.reject(foreign))).rejects.toMatchObject({ reason: 'refused' });
  });
});

describe('the digest of a question', () => {
  test('is the same whatever the order of keys, and another for another question', () => {
    expect(digestOf({ a: 1, b: { c: 2, d: 3 } })).toBe(digestOf({ b: { d: 3, c: 2 }, a: 1 }));
    expect(new Set([undefined, null, '', 0, {}, [], { a: 1 }, { a: 2 }, 'a'].map(digestOf)).size).toBe(9);
    expect(digestOf({ a: 1 })).toMatch(/^[\w-]{22}$/);
  });

  test('of nothing is that of no text', () => {
    expect(digestOf(undefined)).toBe('47DEQpj8HBSa-_TImW-5JC'.slice(0, 22));
  });

  test('is made of what nests too deep to be ordered, too', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 500; i++) deep = { deep };
    expect(digestOf(deep)).toBe(digestOf(JSON.parse(JSON.stringify(deep))));
  });
});
