// A shop whose services come out of the container of its own project, with DTOs of its own validators.
import { McpLayer, McpService, PartialType, Tool, TsyringeContainer } from 'cartouche';
import { Expose, Type } from 'class-transformer';
import { IsEmail, IsIn, IsInt, IsOptional, IsString, Max, registerDecorator, ValidateNested } from 'class-validator';
import { container, inject, injectable } from 'tsyringe';
// After everything that reads metadata: whoever loads it before everything else does so by a flag of Node.js.
import 'reflect-metadata';

function isEven(prototype: object, propertyName: string): void {
  registerDecorator({
    name: 'isEven',
    target: prototype.constructor,
    propertyName,
    validator: { validate: (value) => Number(value) % 2 === 0, defaultMessage: () => '$property must be even' },
  });
}

class Place {
  @IsString()
  @Expose({ name: 'place-name' })
  name!: string;
}

class Order {
  @IsInt()
  @Max(9)
  @isEven
  count!: number;

  @IsIn(['red', 'blue'], { each: true })
  colours!: string[];

  @IsOptional()
  @IsEmail()
  mail?: string;

  @ValidateNested()
  @Type(() => Place)
  place!: Place;
}

class Change extends PartialType(Order) {}

@injectable()
class Till {
  constructor(@inject('currency') readonly currency: string) {}
}

@McpService()
@injectable()
class Shop {
  constructor(private readonly till: Till) {}

  @Tool({ capabilities: ['write_state'] })
  order({ count, colours, place }: Order): string {
    return `${count} ${colours.join()} to ${place.name} in ${this.till.currency}`;
  }

  @Tool({ capabilities: ['write_state'] })
  change(change: Change): string {
    return JSON.stringify(change);
  }
}

/** Nobody but the framework declares it. */
@McpService()
class Office {
  constructor(private readonly till: Till) {}

  @Tool({ capabilities: [] })
  open(): string {
    return this.till.currency;
  }
}

async function main(): Promise<void> {
  const parent = container.createChildContainer();
  parent.register('currency', { useValue: 'EUR' });
  const logged: string[] = [];
  const log = (message: unknown): void => void logged.push(String(message));
  const build = (services: (typeof Shop | typeof Office)[]): McpLayer =>
    new McpLayer({
      name: 'shop',
      version: '1.0.0',
      services,
      container: new TsyringeContainer({ parent }),
      logger: { debug() {}, info() {}, warn: log, error: log },
    });
  const shop = build([Shop]);
  const call = async (layer: McpLayer, name: string, args: object): Promise<string> => {
    const { content } = (await layer.callTool(name, { ...args })).toWire() as { content: { text: string }[] };
    return content.map(({ text }) => text).join();
  };
  const attempt = async (run: () => Promise<string>): Promise<string> => {
    try {
      return await run();
    } catch (error) {
      return String(error);
    }
  };
  const order = { count: 2, colours: ['red'], place: { 'place-name': 'Rome' } };
  const report = {
    order: await call(shop, 'order', order),
    refused: await call(shop, 'order', { ...order, count: 11, colours: ['grey'], mail: 'me', place: {} }),
    change: await call(shop, 'change', { colours: ['blue'] }),
    listed: shop.toolsWire().map(({ inputSchema }) => Object.keys((inputSchema as { properties: object }).properties)),
    office: await attempt(() => call(build([Office]), 'open', {})),
    logged,
  };
  console.log(JSON.stringify(report));
}

void main();
