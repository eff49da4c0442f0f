// The DTO classes of both contenders that have some, and the service over them: what a user writes, with the decorators
// called by hand because this file is not compiled. Fillers beyond the first three tools are functions over one class.
import { Args, McpLayer, Registry, Tool, ToolResult } from '../../dist/esm/src/index.js';
import * as F from '../lib/fixture.mjs';
import { registerRest, serve } from './_cartouche.mjs';

/** @param decorators Class-validator's decorators and `Type`, from wherever the contender imports them. */
export function starter(decorators) {
  const { ArrayMaxSize, ArrayMinSize, IsIn, IsInt, IsNumber, IsOptional, IsString, Length, Matches } = decorators;
  const { Max, MaxLength, Min, Type, ValidateNested } = decorators;

  function dto(name, properties) {
    const cls = { [name]: class {} }[name];
    for (const [property, [type, ...decorators]] of Object.entries(properties)) {
      Reflect.defineMetadata('design:type', type, cls.prototype, property);
      for (const decorate of decorators) decorate(cls.prototype, property);
    }
    return cls;
  }
  const nested = (cls) => [cls, ValidateNested(), Type(() => cls)];

  const Echo = dto('Echo', { text: [String, IsString(), MaxLength(10000)] });
  const Add = dto('Add', { a: [Number, IsNumber()], b: [Number, IsNumber()] });
  const Sum = dto('Sum', { sum: [Number, IsNumber()] });
  const Address = dto('Address', {
    country: [String, IsString(), Length(2, 2)],
    postal: [String, IsString(), Length(3, 12)],
  });
  const Customer = dto('Customer', {
    id: [String, IsString(), Matches(/^C-\d{4,8}$/)],
    tier: [String, IsString(), IsIn(['free', 'pro', 'enterprise'])],
    address: nested(Address),
  });
  const Range = dto('Range', { from: [Number, IsInt(), Min(0)], to: [Number, IsInt(), Min(0)] });
  const Page = dto('Page', { limit: [Number, IsInt(), Min(1), Max(100)], offset: [Number, IsInt(), Min(0)] });
  const STATUS = ['new', 'paid', 'shipped', 'closed'];
  const SearchOrders = dto('SearchOrders', {
    query: [String, IsString(), Length(1, 200)],
    customer: nested(Customer),
    status: [Array, ArrayMinSize(1), ArrayMaxSize(5), IsString({ each: true }), IsIn(STATUS, { each: true })],
    range: nested(Range),
    page: nested(Page),
  });
  const Filler = dto('Filler', { q: [String, IsString()], limit: [Number, IsOptional(), IsInt(), Min(1), Max(50)] });

  class OrderTools {
    echo(args) {
      return ToolResult.text(args.text);
    }

    add(args) {
      return { sum: args.a + args.b };
    }

    searchOrders(args) {
      return ToolResult.text(`orders for ${args.customer.id} in ${args.customer.address.country}: ${args.page.limit}`);
    }
  }
  function tool(method, input, options) {
    Args(input)(OrderTools.prototype, method, 0);
    Tool({ capabilities: [], ...options })(
      OrderTools.prototype,
      method,
      Object.getOwnPropertyDescriptor(OrderTools.prototype, method),
    );
  }
  tool('echo', Echo, { description: 'Echo the text back' });
  tool('add', Add, { description: 'Add two numbers', output: Sum });
  tool('searchOrders', SearchOrders, { description: 'Search orders with nested filters' });

  return async function start(options) {
    const registry = new Registry();
    for (const { name, description } of F.toolList(options.tools).slice(3)) {
      registry.tool({ name, description, capabilities: [], input: Filler }, (args) =>
        ToolResult.text(`filler ${args.q}`),
      );
    }
    registerRest(registry);
    return serve(new McpLayer({ ...F.SERVER_INFO, services: [OrderTools], registry }), options);
  };
}
