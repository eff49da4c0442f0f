import { asClass, asValue, type AwilixContainer, createContainer } from 'awilix';
import { type Class, type Container, type Lifetime, McpLayer, type Scope, Tool, type ToolContext } from 'cartouche';

/** Services out of Awilix, registered under the names of their classes. */
class AwilixServices implements Container {
  constructor(readonly awilix: AwilixContainer) {}

  check(classes: readonly Class[]): readonly string[] {
    const unknown = classes.filter(({ name }) => !this.awilix.hasRegistration(name));
    return unknown.map(({ name }) => `${name}: Awilix has no '${name}'. Add register('${name}', asClass(${name})).`);
  }

  lifetimeOf({ name }: Class): Lifetime {
    return this.awilix.getRegistration(name)?.lifetime === 'SINGLETON' ? 'shared' : 'request';
  }

  resolve<T>({ name }: Class<T>): T {
    return this.awilix.resolve<T>(name);
  }

  openScope(context: ToolContext): Scope {
    const scope = this.awilix.createScope();
    scope.register('context', asValue(context));
    return { resolve: <T>({ name }: Class<T>) => scope.resolve<T>(name), dispose: () => scope.dispose() };
  }

  dispose(): Promise<void> {
    return this.awilix.dispose();
  }
}

class Stock {
  pieces = 7;
}

class StockTools {
  constructor(readonly cradle: { readonly stock: Stock; readonly context: ToolContext }) {}

  @Tool({ capabilities: ['write_state'] })
  count(): string {
    return `${--this.cradle.stock.pieces} left for ${this.cradle.context.principal.id}`;
  }
}

const awilix = createContainer({ strict: true });
awilix.register('stock', asClass(Stock).singleton());
awilix.register('StockTools', asClass(StockTools).scoped());
const container = new AwilixServices(awilix);
const layer = new McpLayer({ name: 'stock', version: '1.0.0', services: [StockTools], container });
for (let call = 1; call <= 2; call++) console.log((await layer.callTool('count')).structuredContent);
await layer.close();
