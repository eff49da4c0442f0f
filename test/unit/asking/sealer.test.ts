import { randomBytes } from 'node:crypto';
import { ConfigurationError, RequestStateError } from '../../../src/core/errors.js';
import { requestStateProblem, StateSealer } from '../../../src/asking/sealer.js';

const clock = { time: 1_000, now: () => clock.time, monotonic: () => clock.time };
const key = (): string => randomBytes(32).toString('base64');

describe('a sealed state', () => {
  test('opens with the same key and tells nothing of what it holds', () => {
    const shared = key();
    const token = new StateSealer({ keys: [shared] }, clock).seal({ secret: 'kingfisher' });
    expect(new StateSealer({ keys: [shared] }, clock).open(token)).toEqual({ secret: 'kingfisher' });
    expect(token).toMatch(/^[\x21-\x7e]+$/);
    expect(token).not.toContain('kingfisher');
    expect(Buffer.from(token.split('.')[2]!, 'base64url').toString('latin1')).not.toContain('kingfisher');
  });

  test('is never the same twice', () => {
    const sealer = new StateSealer({ keys: [key()] }, clock);
    expect(sealer.seal(1)).not.toBe(sealer.seal(1));
  });

  test('one changed character anywhere, or one more, is refused', () => {
    const sealer = new StateSealer({ keys: [key()] }, clock);
    const token = sealer.seal({ a: 1 });
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(() => sealer.open(changed)).toThrow(RequestStateError);
    }
    for (const more of ['A', '=', '-TAMPERED', '.', ' ', '\n']) {
      expect(() => sealer.open(token + more)).toThrow(RequestStateError);
    }
  });

  test('what is none is refused', () => {
    const sealer = new StateSealer({ keys: [key()] }, clock);
    const none = [undefined, null, 12, {}, '', 'c1.', 'c1.AAAAAAAA.', 'c1.AAAAAAAA.AAAA', 'x'.repeat(70_000)];
    for (const token of none) expect(() => sealer.open(token)).toThrow(RequestStateError);
  });

  test('too short a body under a key that is known is refused', () => {
    const sealer = new StateSealer({ keys: [key()] }, clock);
    const [version, id] = sealer.seal(1).split('.');
    for (const body of ['A', 'AAAA', 'A'.repeat(16), 'A'.repeat(37), 'A'.repeat(38), 'A'.repeat(40)]) {
      expect(() => sealer.open(`${version}.${id}.${body}`)).toThrow(RequestStateError);
    }
  });

  test('expires', () => {
    const sealer = new StateSealer({ keys: [key()], ttlMs: 100 }, clock);
    const token = sealer.seal(1);
    clock.time += 99;
    expect(sealer.open(token)).toBe(1);
    clock.time += 1;
    expect(() => sealer.open(token)).toThrow('Expired requestState');
  });

  test('is of bounded size, both ways', () => {
    const keys = [key()];
    const token = new StateSealer({ keys }, clock).seal('x'.repeat(500));
    const small = new StateSealer({ keys, maxChars: 200 }, clock);
    expect(() => small.seal('x'.repeat(500))).toThrow(/more than 200.*raise requestState.maxChars/s);
    expect(() => small.open(token)).toThrow('it is too long');
  });

  test('a key can be replaced: the new one seals, the old one still opens until it is taken away', () => {
    const [old, fresh] = [key(), key()];
    let keys = [old];
    const sealer = new StateSealer({ keys: () => keys }, clock);
    const before = sealer.seal('before');
    keys = [fresh, old];
    const after = sealer.seal('after');
    expect([sealer.open(before), sealer.open(after)]).toEqual(['before', 'after']);
    keys = [fresh];
    expect(sealer.open(after)).toBe('after');
    expect(() => sealer.open(before)).toThrow(/no key for it.*requestState\.keys/);
  });

  test('without keys every sealer of the process has the same, and no other process has', () => {
    const token = new StateSealer({}, clock).seal(1);
    expect(new StateSealer({}, clock).open(token)).toBe(1);
    expect(() => new StateSealer({ keys: [key()] }, clock).open(token)).toThrow('no key for it');
  });
});

test('options that cannot be are named with their mend', () => {
  expect(requestStateProblem({ keys: ['short'] })).toMatch(
    /^is wrong: keys hold one of less than 32 bytes\. Make keys/,
  );
  expect(requestStateProblem({ keys: [] })).toMatch(/keys hold no key/);
  expect(requestStateProblem({ key: [] })).toMatch(/no option 'key'\. Did you mean 'keys'\?/);
  expect(requestStateProblem({ ttlMs: -1 })).toMatch(/ttlMs is -1/);
  expect(requestStateProblem({ keys: [key()], ttlMs: 1, maxChars: 10 })).toBeUndefined();
  expect(() => new StateSealer({ keys: () => [] }, clock).seal(1)).toThrow(ConfigurationError);
});
