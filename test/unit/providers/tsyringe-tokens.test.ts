import { McpService, TsyringeContainer } from 'cartouche';
import { container as globalContainer, inject, injectAll, injectable, Lifecycle, registry, singleton } from 'tsyringe';
import { ToolContext } from '../../../src/core/context.js';
import { MemoryChangeBus } from '../../../providers/memory-change-bus.js';

const context = new ToolContext({} as never);
const ZONE = Symbol('zone');
const found = (
  container: TsyringeContainer,
  ...classes: readonly (new (...args: never[]) => object)[]
): readonly string[] => container.check(classes);

@McpService({ scope: 'request' })
class PerRequest {
  constructor(readonly request: ToolContext) {}
}

test('a text or symbol that nothing provides is found, and one that is provided is injected', () => {
  @McpService()
  class Zoned {
    constructor(
      @inject(ZONE) readonly zone: string,
      @inject('unit') readonly unit: string,
    ) {}
  }
  const wants =
    'which nothing provides. Pass new TsyringeContainer({ provide: [{ token, useValue }] }) as container. [CT403]';
  expect(found(new TsyringeContainer(), Zoned)).toEqual([
    `Zoned: constructor parameter 1 wants 'Symbol(zone)', ${wants}`,
    `Zoned: constructor parameter 2 wants 'unit', ${wants}`,
  ]);
  const container = new TsyringeContainer({
    provide: [
      { token: ZONE, useValue: 'CET' },
      { token: 'unit', useFactory: () => 'kg' },
    ],
  });
  expect(found(container, Zoned)).toEqual([]);
  expect(container.resolve(Zoned)).toMatchObject({ zone: 'CET', unit: 'kg' });
});

test('what is injected as a list, or when it is there, is left to tsyringe', () => {
  @McpService()
  class Listed {
    constructor(
      @injectAll('plugin', { isOptional: true }) readonly plugins: readonly string[],
      @inject('extra', { isOptional: true }) readonly extra: string | undefined,
    ) {}
  }
  const container = new TsyringeContainer();
  expect(found(container, Listed)).toEqual([]);
  expect(container.resolve(Listed)).toMatchObject({ plugins: [], extra: undefined });
});

test('parameters that say nothing are found: built-in types, types that are only declared', () => {
  @McpService()
  class Vague {
    constructor(
      readonly name: string,
      readonly shape: { readonly a: number },
      @inject(Date) readonly at: Date,
    ) {}
  }
  expect(found(new TsyringeContainer(), Vague)).toEqual([
    "Vague: constructor parameter 1 has the type String, which cannot be injected. Use a class, or @inject('token') and provide it. [CT404]",
    "Vague: constructor parameter 2 has the type Object, which cannot be injected. Use a class, or @inject('token') and provide it. [CT404]",
    'Vague: constructor parameter 3 has the type Date, which cannot be injected. Provide what @inject names. [CT404]',
  ]);
  const types: unknown[] = [undefined];
  @McpService()
  class Circular {
    constructor(readonly other: Date) {}
  }
  Reflect.defineMetadata('design:paramtypes', types, Circular);
  expect(found(new TsyringeContainer(), Circular)[0]).toMatch(
    /^Circular: constructor parameter 1 has no type at run time \(a circular import\?\), which cannot be injected\./,
  );
});

test('what a provided class depends on counts, by whichever token it is reached', () => {
  @injectable()
  class Inner {
    constructor(readonly perRequest: PerRequest) {}
  }
  @injectable()
  class Outer {
    constructor(@inject('inner') readonly inner: Inner) {}
  }
  @McpService()
  class Service {
    constructor(@inject(ZONE) readonly outer: Outer) {}
  }
  const parent = globalContainer.createChildContainer();
  parent.register('inner', { useClass: Inner });
  parent.register('alias', { useToken: 'inner' });
  parent.register(ZONE, { useClass: Outer });
  expect(found(new TsyringeContainer({ parent }), Service)).toEqual([
    expect.stringMatching(
      /^Service: lives as long as the layer but depends on Symbol\(zone\) → inner → PerRequest, which belongs to one request/,
    ),
  ]);
  const kept = globalContainer.createChildContainer();
  kept.register('inner', { useClass: Inner }, { lifecycle: Lifecycle.Singleton });
  kept.register(ZONE, { useToken: 'inner' });
  expect(found(new TsyringeContainer({ parent: kept }), Service)).toEqual([
    expect.stringMatching(
      /^inner: is registered as a singleton but depends on PerRequest.*Register it with Lifecycle\.ContainerScoped\./,
    ),
  ]);
});

test('a fault is told once, whoever leads to it', () => {
  @injectable()
  class Held {
    constructor(readonly perRequest: PerRequest) {}
  }
  @McpService({ scope: 'request' })
  class One {
    constructor(@inject('held') readonly held: Held) {}
  }
  @McpService({ scope: 'request' })
  class Two {
    constructor(@inject('held') readonly held: Held) {}
  }
  const parent = globalContainer.createChildContainer();
  parent.register('held', { useClass: Held }, { lifecycle: Lifecycle.Singleton });
  expect(found(new TsyringeContainer({ parent }), One, Two)).toHaveLength(1);
});

test('a class that is registered for the whole process is refused, but under a parent that the user chose', () => {
  @singleton()
  class Everywhere {}
  expect(found(new TsyringeContainer(), Everywhere)).toEqual([
    'Everywhere: @singleton or @scoped registers it for every application in the process. Use @McpService({ scope }). [CT401]',
  ]);
  expect(found(new TsyringeContainer({ parent: globalContainer }), Everywhere)).toEqual([]);
  @McpService()
  @registry([{ token: 'unused', useValue: 1 }])
  class Ours {}
  expect(found(new TsyringeContainer(), Ours)).toEqual([]);
});

test('how long something lives is asked of a parent that has it registered, and known of the rest', async () => {
  @injectable()
  class Theirs {}
  @McpService()
  class Own {
    constructor(readonly theirs: Theirs) {}
  }
  class Undecorated {}
  const parent = globalContainer.createChildContainer();
  parent.register(Theirs, { useClass: Theirs });
  const container = new TsyringeContainer({ parent });
  expect(found(container, Theirs, Own, PerRequest, Undecorated)).toEqual([]);
  expect([Theirs, Own, PerRequest, Undecorated].map((cls) => container.lifetimeOf(cls))).toEqual([
    'ask',
    'shared',
    'request',
    'shared',
  ]);
  expect(container.resolve(Own)).toBe(container.resolve(Own));
  expect(container.resolve(Theirs)).not.toBe(container.resolve(Theirs));
  expect(container.instances()).toEqual([container.resolve(Own)]);
  await container.dispose();
});

test('what is shared is made before the first request, once', async () => {
  let made = 0;
  @McpService()
  class Pool {
    constructor() {
      made++;
    }
  }
  const container = new TsyringeContainer();
  expect(found(container, Pool, PerRequest)).toEqual([]);
  expect(made).toBe(0);
  for (let i = 0; i < 2; i++) {
    const scope = container.openScope(context);
    expect((await scope.resolve(PerRequest)).request).toBe(context);
    expect(scope.isShared).toBeUndefined();
    await scope.dispose();
  }
  container.start();
  expect([made, container.instances()]).toEqual([1, [container.resolve(Pool)]]);
});

test('a bus in memory tells everybody who listens, until they stop', () => {
  const bus = new MemoryChangeBus();
  const heard: string[] = [];
  const stop = bus.subscribe(({ kind }) => heard.push(`a ${kind}`));
  bus.subscribe(({ kind }) => heard.push(`b ${kind}`));
  bus.publish({ kind: 'tools', namespace: 'n', origin: 'o' });
  stop();
  bus.publish({ kind: 'prompts', namespace: 'n', origin: 'o' });
  expect(heard).toEqual(['a tools', 'b tools', 'b prompts']);
});
