import { McpService } from '../../../decorators/service.js';
import { PlainContainer } from '../../../providers/plain.js';

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
