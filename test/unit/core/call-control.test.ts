import { CallControl } from '../../../src/core/call-control.js';
import { controlOf, currentContext, isContextType, type LayerHandle, runningContext, ToolContext, withContext } from '../../../src/core/context.js'; // prettier-ignore
import { AskingError, CancelledError, ConfigurationError } from '../../../src/core/errors.js';
import { ResourceLink } from '../../../src/core/content.js';
import { Principal } from '../../../src/core/principal.js';
import type { Place } from '../../../src/core/ports.js';

/** A request that keeps what its client is told. */
function listening(): { control: CallControl; told: unknown[][] } {
  const told: unknown[][] = [];
  const control = new CallControl({
    progress: (...said) => void told.push(['progress', ...said]),
    log: (...said) => void told.push(['log', ...said]),
  });
  return { control, told };
}

describe('a request that is aborted', () => {
  const reason = new Error('why');

  test('says why, to whoever asked for the signal before or after, once', () => {
    const { control } = listening();
    const early = control.signal;
    const heard: Error[] = [];
    control.waitForAbort((error) => heard.push(error));
    expect([early.aborted, control.abortReason]).toEqual([false, undefined]);
    control.abort(reason);
    control.abort(new Error('later'));
    expect([early.reason, control.abortReason, heard]).toEqual([reason, reason, [reason]]);
    const late = new CallControl(undefined);
    late.abort();
    expect(late.signal.reason).toBeInstanceOf(CancelledError);
    expect(late.signal).toBe(late.signal);
  });

  test('after its end stays as it was', () => {
    const { control } = listening();
    const heard: Error[] = [];
    control.waitForAbort((error) => heard.push(error));
    control.begin();
    control.finish();
    control.abort(reason);
    expect([control.abortReason, control.signal.aborted, heard]).toEqual([undefined, false, []]);
  });

  test('tells its client nothing more', () => {
    const { control, told } = listening();
    control.abort(reason);
    control.reportProgress(1, 2, 'a');
    control.log('info', 'a', undefined);
    expect(told).toEqual([]);
  });
});

test('a request begins once, and runs until it is finished', () => {
  const { control, told } = listening();
  expect([control.isRunning, control.begin(), control.isRunning, control.begin()]).toEqual([false, true, true, false]);
  control.finish();
  expect([control.isRunning, control.begin()]).toEqual([false, false]);
  control.reportProgress(1, undefined, undefined);
  control.log('info', 'a', undefined);
  expect(told).toEqual([]);
});

test('progress is told where it grows, from whichever number', () => {
  const { control, told } = listening();
  for (const progress of [-5, 0, 0, -1, 1, Number.NaN, 2]) control.reportProgress(progress, 9, undefined);
  expect(told.map(([, progress]) => progress)).toEqual([-5, 0, 1, 2]);
  control.reportProgress(3, undefined, 'three');
  expect(told.at(-1)).toEqual(['progress', 3, undefined, 'three']);
});

test('who does not listen is told nothing, and nothing fails', () => {
  for (const sink of [undefined, {}]) {
    const control = new CallControl(sink);
    control.reportProgress(1, 2, 'a');
    control.log('info', 'a', undefined);
  }
});

describe('what a policy rewrites', () => {
  test.each<[string, (value: unknown) => unknown, unknown, unknown[]]>([
    ['shown', (value) => value, 'a', ['a']],
    ['text', () => 'b', 'b', ['b']],
    ['an object', () => ({ b: 1 }), '{"b":1}', [{ b: 1 }]],
    ['dropped', () => undefined, undefined, []],
  ])('%s: progress keeps its number, a log message that is dropped is not sent', (_name, rewrite, progress, logged) => {
    const { control, told } = listening();
    const places: Place[] = [];
    control.rewriteWith((value, place) => {
      places.push(place);
      return rewrite(value);
    });
    control.reportProgress(1, 2, 'a');
    control.log('info', 'a', 'me');
    expect(told).toEqual([['progress', 1, 2, progress], ...logged.map((data) => ['log', 'info', data, 'me'])]);
    expect(places).toEqual([{ part: 'progress' }, { part: 'log' }]);
  });

  test('without a policy is told as JSON has it', () => {
    const { control, told } = listening();
    control.log('error', { at: new Date(0) }, undefined);
    control.log('info', undefined, undefined);
    expect(told).toEqual([
      ['log', 'error', { at: '1970-01-01T00:00:00.000Z' }, undefined],
      ['log', 'info', undefined, undefined],
    ]);
  });
});

test('links are kept in order until they are dropped', () => {
  const control = new CallControl(undefined);
  const [one, two] = ['a', 'b'].map((name) => new ResourceLink(`x://${name}`, name)) as [ResourceLink, ResourceLink];
  expect(control.links).toEqual([]);
  control.link(one);
  control.link(two);
  expect(control.links).toEqual([one, two]);
  control.dropLinks();
  expect(control.links).toEqual([]);
});

describe('the context of a request', () => {
  const layer = { name: 'layer', notifyChange: jest.fn() } as unknown as LayerHandle;
  const context = new ToolContext(layer);

  test('is the local user’s where nobody is named, and refuses who is no principal', () => {
    expect([context.principal, context.meta]).toEqual([Principal.local(), {}]);
    const ana = new Principal({ id: 'ana' });
    expect(new ToolContext(layer, { principal: ana }).principal).toBe(ana);
    expect(() => new ToolContext(layer, { principal: 'ana' as never })).toThrow(
      'a call: principal must be a Principal',
    );
    expect(() => new ToolContext(layer, { principal: null as never })).toThrow(ConfigurationError);
  });

  test('serves nobody who could be asked when no layer runs it', () => {
    expect(() => context.canAsk('form')).toThrow(AskingError);
    expect(() => context.canAsk('form')).toThrow('This context serves no request, so there is nobody to ask.');
    expect(() => context.canAsk('form')).toThrow(expect.objectContaining({ reason: 'no-client' }));
    expect(controlOf(context).site).toBeUndefined();
  });

  test('is found by code below a handler alone', () => {
    expect(runningContext()).toBeUndefined();
    expect(currentContext).toThrow('currentContext(): no request is running here.');
    const found = withContext(context, (more) => [currentContext(), runningContext(), more], 5);
    expect(found).toEqual([context, context, 5]);
  });

  test('is told by its brand, and passes on what is asked of it', () => {
    expect([ToolContext, class {}, context, undefined].map(isContextType)).toEqual([true, false, false, false]);
    context.link('x://a', 'a', { title: 't' });
    expect(controlOf(context).links.map((link) => link.toWire())).toEqual([expect.objectContaining({ title: 't' })]);
    context.notifyChange('resource', 'x://a');
    expect(layer.notifyChange).toHaveBeenCalledWith('resource', 'x://a');
    expect(context.aborted).toBe(false);
    controlOf(context).abort();
    expect([context.aborted, context.signal.aborted]).toEqual([true, true]);
  });

  test('asks with the key that is given, each in its way', async () => {
    const asked: unknown[] = [];
    const asker = {
      can: () => true,
      ask: (questions: object) => {
        asked.push(questions);
        return Promise.resolve(Object.fromEntries(Object.keys(questions).map((key) => [key, `${key}!`])));
      },
      step: (key: string, work: () => unknown) => Promise.resolve([key, work()]),
    };
    controlOf(context).askThrough({ asker, kind: 'tool', name: 'x' } as never);
    const form = class {};
    const params = { messages: [] } as never;
    const answers = [
      await context.elicit('a', form, { message: 'm' }),
      await context.elicitUrl('b', 'https://x', { message: 'm' }),
      await context.sample('c', params),
      await context.listRoots('d'),
      await context.step('e', () => 5),
    ];
    expect(answers).toEqual(['a!', 'b!', 'c!', 'd!', ['e', 5]]);
    expect(asked).toEqual([
      { a: { message: 'm', form } },
      { b: { message: 'm', url: 'https://x' } },
      { c: { sample: params } },
      { d: { roots: true } },
    ]);
    expect(context.canAsk('form')).toBe(true);
    expect(controlOf(context).site).toMatchObject({ kind: 'tool', name: 'x' });
  });
});
