import { type Class, ConfigurationError, type Container, McpLayer, type Scope, Tool } from 'cartouche';
import type { Lifetime } from '../../../src/core/container.js';
import { MemoryLogger } from '../../support/layers.js';

class Greeter {
  @Tool()
  greet(): string {
    return 'hello';
  }
}

interface Counts {
  made: number;
  opened: number;
  disposed: number;
}

/** A container that fails to make its service the first time, at once or later. */
function flaky(
  lifetime: Lifetime,
  isLater: boolean,
  failures: number,
  isShared = true,
): { container: Container; counts: Counts } {
  const counts: Counts = { made: 0, opened: 0, disposed: 0 };
  const make = (): unknown => {
    if (++counts.made <= failures) {
      if (isLater) return Promise.reject(new Error('not yet'));
      throw new Error('not yet');
    }
    return isLater ? Promise.resolve(new Greeter()) : new Greeter();
  };
  const container: Container = {
    check: () => [],
    lifetimeOf: () => lifetime,
    resolve: <T>(_cls: Class<T>) => make() as T,
    openScope: (): Scope => {
      counts.opened++;
      return {
        resolve: <T>(_cls: Class<T>) => make() as T,
        ...(lifetime === 'ask' ? { isShared: () => isShared } : {}),
        dispose: () => {
          counts.disposed++;
        },
      };
    },
    dispose: () => undefined,
  };
  return { container, counts };
}

const build = (container: Container): McpLayer =>
  new McpLayer({ name: 'x', version: '1', logger: new MemoryLogger(), services: [Greeter], container });

describe.each([
  ['at once', false],
  ['later', true],
])('a service that could not be made, %s', (_when, isLater) => {
  test.each<[lifetime: Lifetime, made: number]>([
    ['shared', 3],
    ['ask', 3],
    ['request', 4],
  ])('is tried again by the next call: %s', async (lifetime, made) => {
    const { container, counts } = flaky(lifetime, isLater, 2);
    const layer = build(container);
    const outcomes: boolean[] = [];
    for (let i = 0; i < 4; i++) outcomes.push((await layer.callTool('greet')).isError);
    expect(outcomes).toEqual([true, true, false, false]);
    expect(counts.made).toBe(made);
    expect([counts.disposed, layer.openScopes]).toEqual([counts.opened, 0]);
    await layer.close();
  });
});

test('calls that come while a shared service is made wait for the one instance', async () => {
  const { container, counts } = flaky('shared', true, 0);
  const layer = build(container);
  const results = await Promise.all([1, 2, 3].map(() => layer.callTool('greet')));
  expect([results.map(({ isError }) => isError), counts.made]).toEqual([[false, false, false], 1]);
});

test('a service that belongs to its request is made for each, and its scope closed once', async () => {
  const { container, counts } = flaky('ask', false, 0, false);
  const layer = build(container);
  for (let i = 0; i < 3; i++) await layer.callTool('greet');
  await layer.close();
  await layer.close();
  expect(counts).toEqual({ made: 3, opened: 3, disposed: 3 });
});

test('a layer that closes while a call runs closes the scope of it, once', async () => {
  class Slow {
    @Tool()
    async wait(): Promise<void> {
      await new Promise(() => undefined);
    }
  }
  let disposed = 0;
  const container: Container = {
    check: () => [],
    lifetimeOf: () => 'request',
    resolve: <T>(cls: Class<T>) => new cls(),
    openScope: () => ({
      resolve: <T>(cls: Class<T>) => new cls(),
      dispose: () => {
        disposed++;
      },
    }),
    dispose: () => undefined,
  };
  const layer = new McpLayer({ name: 'x', version: '1', logger: new MemoryLogger(), services: [Slow], container });
  const running = layer.callTool('wait');
  await new Promise((resolve) => setImmediate(resolve));
  expect(layer.openScopes).toBe(1);
  await layer.close();
  await running.catch(() => undefined);
  expect([disposed, layer.openScopes]).toEqual([1, 0]);
});

test.each([
  ['at once', false],
  ['later', true],
])('a service that cannot be made when serving begins is named, with the reason: %s', async (_when, isLater) => {
  const { container } = flaky('shared', isLater, 1);
  const failure = await build(container)
    .start()
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConfigurationError);
  expect(failure).toMatchObject({
    message:
      'Greeter: the service cannot be made (Error: not yet). Mend its constructor, or that of what it needs. [CT411]',
    cause: { message: 'not yet' },
  });
});

test('what a container says at length is cut', async () => {
  const { container } = flaky('shared', false, 0);
  const layer = build({
    ...container,
    resolve: () => {
      throw new Error(`${'x'.repeat(10_000)}\nand more`);
    },
  });
  await expect(layer.start()).rejects.toThrow(/^Greeter: the service cannot be made \(Error: x{293}\)\./);
});
