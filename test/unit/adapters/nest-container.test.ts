import 'reflect-metadata';
import { Inject, Injectable, Module, Scope } from '@nestjs/common';
import { ModuleRef, NestFactory, REQUEST } from '@nestjs/core';
import { McpLayer, McpService, RequestInfo, Tool } from 'cartouche';
import { type CarriedRequest, NestContainer } from '../../../src/nest.js';
import { MemoryLogger } from '../../support/mount/layer.js';

@Injectable()
class Store {
  static count = 0;
  readonly made = ++Store.count;
}

@Injectable({ scope: Scope.REQUEST })
class Caller {
  static count = 0;
  constructor(@Inject(REQUEST) readonly request: CarriedRequest) {
    Caller.count++;
  }
}

@Injectable()
@McpService()
class SharedTools {
  static count = 0;
  constructor(@Inject(Store) readonly store: Store) {
    SharedTools.count++;
  }

  @Tool()
  shared(): number {
    return this.store.made;
  }
}

@Injectable()
@McpService()
class CallerTools {
  constructor(
    @Inject(Caller) readonly caller: Caller,
    @Inject(Store) readonly store: Store,
  ) {}

  @Tool()
  whoami(): object {
    const { request } = this.caller;
    return { user: request.user.id, transport: request.transport, store: this.store.made };
  }
}

/** Fails to be made the first time. */
@Injectable({ scope: Scope.REQUEST })
@McpService()
class FlakyTools {
  static count = 0;
  constructor() {
    if (++FlakyTools.count === 1) throw new Error('not yet');
  }

  @Tool()
  flaky(): number {
    return FlakyTools.count;
  }
}

@Module({ providers: [Store, Caller, SharedTools, CallerTools, FlakyTools] })
class Inner {}

@Module({ imports: [Inner] })
class App {}

describe('services out of Nest', () => {
  let close: () => Promise<void>;
  let layer: McpLayer;

  beforeAll(async () => {
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    close = () => app.close();
    layer = new McpLayer({
      name: 'x',
      version: '1',
      services: [SharedTools, CallerTools, FlakyTools],
      container: new NestContainer(app.get(ModuleRef)),
      logger: new MemoryLogger(),
    });
  });

  afterAll(() => close());

  test('a singleton is Nest’s own, made once', async () => {
    await layer.callTool('shared');
    expect((await layer.callTool('shared')).structuredContent).toEqual({ result: 1 });
    expect(SharedTools.count).toBe(1);
  });

  test('a service that depends on a request is made for each call, with REQUEST in memory too', async () => {
    const before = Caller.count;
    const [one, two] = await Promise.all([layer.callTool('whoami'), layer.callTool('whoami')]);
    expect(one.structuredContent).toEqual({ user: 'local', transport: 'memory', store: 1 });
    expect(two.structuredContent).toEqual(one.structuredContent);
    expect(Caller.count).toBe(before + 2);
  });

  test('a service that could not be made is made for the next call, of the same request too', async () => {
    const info = new RequestInfo({ transport: 'http', raw: { request: { headers: {}, method: 'POST' } } });
    const outcomes: boolean[] = [];
    for (let i = 0; i < 3; i++) outcomes.push((await layer.callTool('flaky', {}, { context: { info } })).isError);
    expect(outcomes).toEqual([true, false, false]);
  });

  test('REQUEST is the HTTP request, where there is one', async () => {
    const request = { headers: {}, method: 'POST', user: { id: 'ada' }, transport: 'express' };
    const info = new RequestInfo({ transport: 'http', raw: { request } });
    const result = await layer.callTool('whoami', {}, { context: { info } });
    expect(result.structuredContent).toMatchObject({ user: 'ada', transport: 'express' });
  });

  test('a class that no module provides is an error when the layer is built', () => {
    class Stray {
      @Tool()
      stray(): void {}
    }
    const build = (): McpLayer =>
      new McpLayer({
        name: 'x',
        version: '1',
        services: [Stray],
        container: layer.container,
        logger: new MemoryLogger(),
      });
    expect(build).toThrow(/Stray: no Nest module provides it\. Add it to the providers of a module\./);
  });
});
