import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { McpService } from '../../../decorators/service.js';
import { TsyringeContainer } from '../../../providers/tsyringe.js';
import { ToolContext } from '../../../src/core/context.js';
// After the framework, which brings the Reflect polyfill that tsyringe asks for.
import { container as globalContainer, inject, injectable, scoped, singleton, Lifecycle } from 'tsyringe';

const context = new ToolContext({} as never);

@McpService()
class Database {
  readonly rows = ['a'];
}

@McpService()
class Service {
  constructor(readonly database: Database) {}
}

@McpService({ scope: 'request' })
class PerRequest {
  disposed = false;
  constructor(
    readonly database: Database,
    readonly request: ToolContext,
  ) {}
  dispose(): void {
    this.disposed = true;
  }
}

describe('what a layer gets out of tsyringe', () => {
  test('shared services are made once, with their dependencies', () => {
    const container = new TsyringeContainer();
    expect(container.check([Service])).toEqual([]);
    const service = container.resolve(Service);
    expect(service.database.rows).toEqual(['a']);
    expect(container.resolve(Service)).toBe(service);
    expect(container.instances()).toEqual([service.database, service]);
  });

  test('two containers share nothing, with one another or with the global one', () => {
    const [one, two] = [new TsyringeContainer(), new TsyringeContainer()];
    for (const container of [one, two]) container.check([Service]);
    expect(one.resolve(Service)).not.toBe(two.resolve(Service));
    expect(globalContainer.isRegistered(Service)).toBe(false);
  });

  test('a request-scoped service is made for each request, gets its context, and is disposed of alone', async () => {
    const container = new TsyringeContainer();
    expect(container.check([PerRequest, Service])).toEqual([]);
    expect([PerRequest, Service].map((cls) => container.lifetimeOf(cls))).toEqual(['request', 'shared']);
    const [first, second] = [container.openScope(context), container.openScope(context)];
    const one = await first.resolve(PerRequest);
    expect(await first.resolve(PerRequest)).toBe(one);
    const other = await second.resolve(PerRequest);
    expect(other).not.toBe(one);
    expect(other.database).toBe(one.database);
    expect(one.request).toBe(context);
    await first.dispose();
    expect([one.disposed, other.disposed]).toEqual([true, false]);
  });

  test('a shared dependency outlives the request that first needed it', async () => {
    @McpService()
    class Pool {
      open = true;
      dispose(): void {
        this.open = false;
      }
    }
    @McpService({ scope: 'request' })
    class Handler {
      constructor(readonly pool: Pool) {}
    }
    const container = new TsyringeContainer();
    container.check([Handler]);
    const scope = container.openScope(context);
    const { pool } = await scope.resolve(Handler);
    await scope.dispose();
    expect(pool.open).toBe(true);
    await container.dispose();
    expect(pool.open).toBe(false);
  });

  test('values, factories and strings are provided', () => {
    @McpService()
    class Client {
      constructor(@inject('url') readonly url: string) {}
    }
    const container = new TsyringeContainer({ provide: [{ token: 'url', useValue: 'db://x' }] });
    expect(container.check([Client])).toEqual([]);
    expect(container.resolve(Client).url).toBe('db://x');
  });

  test("a class that the user's own container has registered keeps its registration", () => {
    @injectable()
    class Theirs {}
    const parent = globalContainer.createChildContainer();
    const instance = new Theirs();
    parent.registerInstance(Theirs, instance);
    @McpService({ scope: 'request' })
    class Ours {
      constructor(readonly theirs: Theirs) {}
    }
    const container = new TsyringeContainer({ parent });
    expect(container.check([Ours])).toEqual([]);
    expect((container.openScope(context).resolve(Ours) as Ours).theirs).toBe(instance);
  });
});

describe('what a parent container provides is followed', () => {
  @injectable()
  class Caller {}
  @McpService()
  class Who {
    constructor(readonly caller: Caller) {}
  }
  const captive = (name: string): string =>
    `Who: lives as long as the layer but depends on ${name}, which belongs to one request, ` +
    `so it would keep the first caller's. Give it @McpService({ scope: 'request' }). [CT402]`;

  test('a shared service keeps nothing that each request has its own of', () => {
    const parent = globalContainer.createChildContainer();
    parent.register(Caller, { useClass: Caller }, { lifecycle: Lifecycle.ContainerScoped });
    expect(new TsyringeContainer({ parent }).check([Who])).toEqual([captive('Caller')]);
    @McpService({ scope: 'request' })
    class Own {
      constructor(readonly caller: Caller) {}
    }
    const container = new TsyringeContainer({ parent });
    expect(container.check([Own])).toEqual([]);
    const [first, second] = [1, 2].map(() => (container.openScope(context).resolve(Own) as Own).caller);
    expect(first).not.toBe(second);
  });

  test.each([
    ['a class that another stands for', { useClass: Caller }],
    ['a token that another stands for', { useToken: 'caller' }],
  ])('through %s', (_, provider) => {
    const parent = globalContainer.createChildContainer();
    parent.register('caller', { useClass: Caller }, { lifecycle: Lifecycle.ContainerScoped });
    @McpService()
    class Keeper {
      constructor(@inject('held') readonly held: unknown) {}
    }
    parent.register('held', provider as { useClass: typeof Caller });
    const findings = new TsyringeContainer({ parent }).check([Keeper]);
    expect(findings).toEqual('useToken' in provider ? [captive('held → caller').replace('Who', 'Keeper')] : []);
  });

  test('a singleton of the parent is found too, and what it made already is not', () => {
    @injectable()
    class Pool {
      constructor(readonly caller: Caller) {}
    }
    @McpService()
    class User {
      constructor(readonly pool: Pool) {}
    }
    const parent = globalContainer.createChildContainer();
    parent.register(Caller, { useClass: Caller }, { lifecycle: Lifecycle.ContainerScoped });
    parent.registerSingleton(Pool);
    expect(new TsyringeContainer({ parent }).check([User])).toEqual([
      "Pool: is registered as a singleton but depends on Caller, which belongs to one request, so it would keep the first caller's. " +
        'Register it with Lifecycle.ContainerScoped. [CT402]',
    ]);
    parent.resolve(Pool);
    expect(new TsyringeContainer({ parent }).check([User])).toEqual([]);
  });

  test('a service that the parent constructs in its own way is not found fault with', () => {
    const parent = globalContainer.createChildContainer();
    parent.register(Caller, { useClass: Caller }, { lifecycle: Lifecycle.ContainerScoped });
    parent.register(Who, { useFactory: () => new Who(new Caller()) });
    expect(new TsyringeContainer({ parent }).check([Who])).toEqual([]);
  });
});

describe('what tsyringe would get wrong in silence is refused', () => {
  const findings = (...classes: never[]): readonly string[] => new TsyringeContainer().check(classes);

  test('a singleton that depends on a request, however far', () => {
    @injectable()
    class Between {
      constructor(readonly inner: PerRequest) {}
    }
    @McpService()
    class Keeper {
      constructor(readonly between: Between) {}
    }
    expect(findings(Keeper as never)).toEqual([
      'Keeper: lives as long as the layer but depends on Between → PerRequest, which belongs to one request, ' +
        "so it would keep the first caller's. Give it @McpService({ scope: 'request' }). [CT402]",
    ]);
  });

  test('a singleton that wants the context of a request', () => {
    @McpService()
    class Keeper {
      constructor(readonly request: ToolContext) {}
    }
    expect(findings(Keeper as never)[0]).toContain('Keeper: lives as long as the layer but depends on ToolContext');
  });

  test('an undecorated subclass of an injectable base', () => {
    class Derived extends Service {}
    expect(findings(Derived as never)).toEqual([
      'Derived: inherits the constructor of Service but is not decorated, so it would be built with undefined ' +
        'dependencies. Add @McpService() and a constructor that calls super. [CT406]',
    ]);
  });

  test('a subclass with a constructor of its own is fine', () => {
    class Derived extends Service {
      constructor() {
        super(new Database());
      }
    }
    expect(findings(Derived as never)).toEqual([]);
  });

  test('a class whose constructor types were not emitted', () => {
    class Bare {
      constructor(readonly database: Database) {}
    }
    expect(findings(Bare as never)).toEqual([
      'Bare: the compiler emitted no types for its constructor. Add @McpService() to the class. [CT405]',
    ]);
  });

  test('interfaces, primitives and tokens that nothing provides', () => {
    @McpService()
    class Wants {
      constructor(
        readonly shape: { readonly a: number },
        readonly count: number,
        @inject('missing') readonly missing: string,
      ) {}
    }
    expect(findings(Wants as never)).toEqual([
      "Wants: constructor parameter 1 has the type Object, which cannot be injected. Use a class, or @inject('token') and provide it. [CT404]",
      "Wants: constructor parameter 2 has the type Number, which cannot be injected. Use a class, or @inject('token') and provide it. [CT404]",
      "Wants: constructor parameter 3 wants 'missing', which nothing provides. Pass new TsyringeContainer({ provide: [{ token, useValue }] }) as container. [CT403]",
    ]);
  });

  test('classes that register themselves for the whole process', () => {
    @singleton()
    class Everywhere {}
    @scoped(Lifecycle.ContainerScoped)
    class Somewhere {}
    for (const cls of [Everywhere, Somewhere]) {
      expect(findings(cls as never)[0]).toContain(
        'registers it for every application in the process. Use @McpService({ scope })',
      );
    }
  });
});

test('constructors that need one another are found before anything is constructed, and shown once', () => {
  @McpService()
  class Users {
    constructor(@inject('later') readonly other: object) {}
  }
  @McpService()
  class Orders {
    constructor(readonly users: Users) {}
  }
  @McpService()
  class Outside {
    constructor(
      readonly orders: Orders,
      readonly users: Users,
    ) {}
  }
  inject(Orders)(Users, undefined, 0);
  const found = new TsyringeContainer().check([Outside, Orders, Users]);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('Orders: its constructor needs itself (Orders → Users → Orders)');
});

test('tsyringe is loaded when a service is first made, where the program has not loaded it itself', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [resolve(__dirname, '../../support/register.cjs'), resolve(__dirname, '../../support/lazy-container.ts')],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    tools: ['look'],
    atList: false,
    said: [{ result: 'basket 1 at 12' }, { result: 'basket 2 at 12' }],
    atCall: true,
  });
});
