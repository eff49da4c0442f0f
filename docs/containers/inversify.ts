import { type Class, type Container, type Lifetime, McpLayer, type Scope, Tool, ToolContext } from 'cartouche';
// After the framework, which brings the metadata that Inversify asks for.
import { Container as Inversify, inject, injectable } from 'inversify';

/** Services out of Inversify, bound to their classes. */
class InversifyServices implements Container {
  constructor(readonly inversify: Inversify) {}

  check(classes: readonly Class[]): readonly string[] {
    const unbound = classes.filter((cls) => !this.inversify.isBound(cls));
    return unbound.map(({ name }) => `${name}: Inversify has no binding. Add bind(${name}).toSelf().`);
  }

  /** Inversify tells nobody how long the instances of a binding live: it keeps singletons itself, in any scope. */
  lifetimeOf(): Lifetime {
    return 'ask';
  }

  resolve<T>(cls: Class<T>): Promise<T> {
    return this.inversify.getAsync(cls);
  }

  openScope(context: ToolContext): Scope {
    const child = new Inversify({ parent: this.inversify });
    child.bind(ToolContext).toConstantValue(context);
    return { resolve: <T>(cls: Class<T>) => child.getAsync(cls), dispose: () => child.unbindAllAsync() };
  }

  dispose(): Promise<void> {
    return this.inversify.unbindAllAsync();
  }
}

@injectable()
class Stock {
  pieces = 7;
}

@injectable()
class StockTools {
  constructor(
    @inject(Stock) readonly stock: Stock,
    @inject(ToolContext) readonly context: ToolContext,
  ) {}

  @Tool({ capabilities: ['write_state'] })
  count(): string {
    return `${--this.stock.pieces} left for ${this.context.principal.id}`;
  }
}

const inversify = new Inversify();
inversify.bind(Stock).toSelf().inSingletonScope();
inversify.bind(StockTools).toSelf().inTransientScope();
const container = new InversifyServices(inversify);
const layer = new McpLayer({ name: 'stock', version: '1.0.0', services: [StockTools], container });
for (let call = 1; call <= 2; call++) console.log((await layer.callTool('count')).structuredContent);
await layer.close();
