import { McpService } from '../../../decorators/service.js';
import { PlainContainer } from '../../../providers/plain.js';
import { serviceScope } from '../../../providers/service-scope.js';

class Plain {
  disposed = 0;
  dispose(): void {
    this.disposed++;
  }
}

class Needy {
  constructor(readonly url: string) {}
}

test('a class without parameters is made once; one with parameters needs a factory', () => {
  const container = new PlainContainer();
  expect(container.check([Plain])).toEqual([]);
  expect(container.resolve(Plain)).toBe(container.resolve(Plain));
  expect(container.check([Needy])).toEqual([
    'Needy: its constructor takes parameters. Give new PlainContainer([[Needy, () => …]]) a factory. [CT408]',
  ]);
  const factory = new PlainContainer([[Needy, () => new Needy('db://x')]]);
  expect(factory.check([Needy])).toEqual([]);
  expect(factory.resolve(Needy).url).toBe('db://x');
});

test('request-scoped instances end with their scope, shared ones with the container, the last first', async () => {
  @McpService({ scope: 'request' })
  class PerRequest extends Plain {}
  const container = new PlainContainer();
  const scope = container.openScope();
  const [shared, own] = [scope.resolve(Plain), scope.resolve(PerRequest)] as [Plain, Plain];
  expect(scope.resolve(PerRequest)).toBe(own);
  await scope.dispose();
  expect([shared.disposed, own.disposed]).toEqual([0, 1]);
  await container.dispose();
  expect([shared.disposed, own.disposed]).toEqual([1, 1]);
});

describe('what is disposed of', () => {
  const ended: string[] = [];
  const ends = (name: string) =>
    class {
      async dispose(): Promise<void> {
        await new Promise((resolve) => setImmediate(resolve));
        ended.push(name);
      }
    };
  class First extends ends('first') {}
  class Second extends ends('second') {}
  class Third extends ends('third') {}
  class Endless {}

  beforeEach(() => void (ended.length = 0));

  test('goes the last first, one after the other: of a container', async () => {
    const container = new PlainContainer();
    for (const cls of [First, Endless, Second, Third]) void container.resolve(cls);
    await container.dispose();
    expect(ended).toEqual(['third', 'second', 'first']);
    expect(container.instances()).toHaveLength(4);
  });

  test('goes the last first, one after the other: of a scope, and nothing of others', async () => {
    for (const cls of [First, Second, Third, Endless]) McpService({ scope: 'request' })(cls);
    const container = new PlainContainer();
    const [one, other] = [container.openScope(), container.openScope()];
    for (const cls of [First, Endless, Second, Third]) void one.resolve(cls);
    void other.resolve(First);
    await one.dispose();
    expect(ended).toEqual(['third', 'second', 'first']);
    await container.dispose();
    expect(ended).toHaveLength(3);
    await other.dispose();
    expect(ended.at(-1)).toBe('first');
  });
});

describe('how long an instance lives', () => {
  class Undecorated {}
  @McpService()
  class Bare {}
  @McpService({ scope: 'singleton' })
  class Single {}
  @McpService({ scope: 'request' })
  class Request {}
  class Heir extends Request {}
  @McpService({ category: 'x' })
  class Categorised extends Request {}
  @McpService({ scope: 'singleton' })
  class Again extends Request {}
  @McpService({ scope: 'request' })
  class Later extends Single {}

  test.each([
    [Undecorated, undefined, 'shared'],
    [Bare, 'singleton', 'shared'],
    [Single, 'singleton', 'shared'],
    [Request, 'request', 'request'],
    [Heir, 'request', 'request'],
    [Categorised, 'request', 'request'],
    [Again, 'singleton', 'shared'],
    [Later, 'request', 'request'],
  ] as const)('%p', (cls, scope, lifetime) => {
    expect(serviceScope(cls)).toBe(scope);
    expect(new PlainContainer().lifetimeOf(cls)).toBe(lifetime);
  });
});
