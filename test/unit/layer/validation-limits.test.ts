import { layerOf } from '../../support/layers.js';

const schema = { type: 'object', properties: { v: { type: 'string', pattern: '^x+$' } } };

async function call(length: number, validationLimits?: object): Promise<unknown> {
  const layer = layerOf((registry) => void registry.tool({ name: 't', input: schema }, () => 'ok'), {
    validationLimits,
  });
  return (await layer.callTool('t', { v: 'x'.repeat(length) })).toWire();
}

describe('how long a text may be that meets an expression', () => {
  test.each([
    [10_000, undefined],
    [20_000, { maxPatternChars: 20_000 }],
    [5, { maxPatternChars: 5 }],
  ])('%d with %j, and no character more', async (most, limits) => {
    expect(await call(most, limits)).toMatchObject({ content: [{ text: 'ok' }] });
    expect(JSON.stringify(await call(most + 1, limits))).toContain(`must be at most ${most} characters long`);
  });

  test.each([
    [5, /validationLimits: the options must be an object/],
    [{ maxPatternChar: 5 }, /validationLimits: no option 'maxPatternChar'\. Did you mean 'maxPatternChars'/],
    [{ maxPatternChars: 0 }, /maxPatternChars/],
    [{ maxPatternChars: NaN }, /maxPatternChars/],
    [{ maxDepth: '7' }, /maxDepth/],
  ])('%j is a finding', (validationLimits, message) => {
    expect(() => layerOf(() => undefined, { validationLimits } as never)).toThrow(message);
  });
});
