import { IsArray, IsInt, IsOptional, IsString } from 'class-validator';
import {
  Arg,
  Args,
  Complete,
  Ctx,
  Describe,
  Field,
  inputSchemaFor,
  McpService,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  type ToolContext,
} from 'cartouche';
import type {
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ServiceOptions,
  ToolOptions,
} from '../../../src/core/records.js';
import { specsOfService } from '../../../src/registry/service-specs.js';
import type { AnySpec } from '../../../src/registry/registry.js';

type Recorder = (target: object, method: string | symbol, descriptor?: PropertyDescriptor) => void;

/** The one spec of a class whose method a decorator stands on. */
function specOf(decorator: Recorder, service?: ServiceOptions): AnySpec {
  class Shop {
    sellThings(args: unknown): unknown {
      return args;
    }
  }
  decorator(Shop.prototype, 'sellThings');
  Args(Item)(Shop.prototype, 'sellThings', 0);
  if (service !== undefined) McpService(service)(Shop);
  return onlySpecOf(Shop);
}

function onlySpecOf(cls: new () => object): AnySpec {
  const { findings, specs } = specsOfService(cls);
  expect(findings).toEqual([]);
  expect(specs).toHaveLength(1);
  return specs[0]!;
}

class Item {
  @IsString()
  id!: string;

  @IsOptional()
  @IsArray()
  @IsInt({ each: true })
  parts?: number[];
}

class Other {
  @IsInt()
  count!: number;
}

const itemSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, parts: { type: 'array', items: { type: 'integer' } } },
  required: ['id'],
  additionalProperties: false,
};
const otherSchema = {
  type: 'object',
  properties: { count: { type: 'integer' } },
  required: ['count'],
  additionalProperties: false,
};
const icons = [{ src: 'https://example.com/icon.png', sizes: ['48x48'] }];

/** The value of each option, and what the spec has of it; an option that is added and has none does not compile. */
type Told<O> = { readonly [K in keyof Required<O>]: readonly [value: O[K], told: (spec: any) => unknown, as: unknown] };

const common = {
  title: ['Sell', (spec: AnySpec) => spec.toWire()['title'], 'Sell'],
  description: ['Sells.', (spec: AnySpec) => spec.toWire()['description'], 'Sells.'],
  category: ['shop', (spec: AnySpec) => meta(spec)['cartouche/category'], 'shop'],
  tags: [['a', 'b'], (spec: AnySpec) => meta(spec)['cartouche/tags'], ['a', 'b']],
  sensitivity: ['public', (spec: AnySpec) => meta(spec)['cartouche/sensitivity'], 'public'],
  capabilities: [['write_state'], (spec: AnySpec) => [...spec.capabilities], ['write_state']],
  icons: [icons, (spec: AnySpec) => spec.toWire()['icons'], icons],
  meta: [{ 'shop/x': 1 }, (spec: AnySpec) => meta(spec)['shop/x'], 1],
  asks: [[Other], (spec: AnySpec) => spec.asks.length, 1],
} as const;

const tool: Told<ToolOptions> = {
  ...common,
  name: ['sale', (spec) => spec.toWire().name, 'sale'],
  input: [Other, (spec) => spec.toWire().inputSchema, otherSchema],
  output: [Other, (spec) => spec.toWire().outputSchema?.properties, otherSchema.properties],
  readOnly: [false, (spec) => spec.toWire().annotations?.readOnlyHint, false],
  destructive: [true, (spec) => spec.toWire().annotations?.destructiveHint, true],
  idempotent: [false, (spec) => spec.toWire().annotations?.idempotentHint, false],
  openWorld: [true, (spec) => spec.toWire().annotations?.openWorldHint, true],
  transformHints: [{ keep: 1 }, (spec) => spec.transformHints, { keep: 1 }],
  timeoutMs: [5, (spec) => spec.timeoutMs, 5],
  acceptJsonText: [true, (spec) => spec.input.validate({ id: 'x', parts: '[1]' }), { id: 'x', parts: [1] }],
  openArguments: [true, (spec) => spec.input.validate({ id: 'x', more: 1 }), { id: 'x' }],
  confirm: ['Sell {id}?', (spec) => spec.confirm({ id: 'x' }), 'Sell x?'],
};

const prompt: Told<PromptOptions> = {
  ...common,
  name: ['sale', (spec) => spec.toWire().name, 'sale'],
  arguments: [
    [{ name: 'id', title: 'Id', description: 'Which.', required: true }],
    (spec) => spec.toWire().arguments,
    [{ name: 'id', title: 'Id', description: 'Which.', required: true }],
  ],
  timeoutMs: [5, (spec) => spec.timeoutMs, 5],
};

const resource: Told<ResourceOptions> = {
  ...common,
  name: ['sale', (spec) => spec.toWire().name, 'sale'],
  mimeType: ['text/plain', (spec) => spec.toWire().mimeType, 'text/plain'],
  annotations: [{ priority: 1 }, (spec) => spec.toWire().annotations, { priority: 1 }],
  size: [7, (spec) => spec.toWire().size, 7],
};

const template: Told<ResourceTemplateOptions> = {
  ...common,
  name: resource.name,
  mimeType: resource.mimeType,
  annotations: resource.annotations,
  input: [
    { type: 'object', properties: { id: { type: 'string', minLength: 2 } } },
    (spec) => spec.input.schema.properties.id.minLength,
    2,
  ],
};

const service: Told<ServiceOptions> = {
  category: common.category,
  tags: common.tags,
  sensitivity: common.sensitivity,
  capabilities: common.capabilities,
  defaultCapabilities: common.capabilities,
  // How long an instance lives is the container's business: test/unit/providers.
  scope: ['request', () => undefined, undefined],
};

const meta = (spec: AnySpec): Record<string, unknown> => spec.toWire()['_meta'] as Record<string, unknown>;
const rows = (told: object): [string, unknown, (spec: AnySpec) => unknown, unknown][] =>
  Object.entries(told).map(([option, [value, of, as]]) => [option, value, of, as]);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

describe('every option of', () => {
  test.each(rows(tool))('@Tool reaches the spec, whichever way it is written: %s', (option, value, told, as) => {
    expect(plain(told(specOf(Tool({ [option]: value }))))).toEqual(as);
    expect(plain(told(specOf(Tool('named', { [option]: value }))))).toEqual(option === 'name' ? 'named' : as);
    const without = (): unknown => plain(told(specOf(Tool())));
    if (['acceptJsonText', 'confirm', 'openArguments'].includes(option)) expect(without).toThrow();
    else expect(without()).not.toEqual(as);
  });

  test.each(rows(prompt))('@Prompt reaches the spec, whichever way it is written: %s', (option, value, told, as) => {
    const of = (decorator: Recorder): AnySpec => specOf(decorator);
    expect(plain(told(of(Prompt({ [option]: value }))))).toEqual(as);
    expect(plain(told(of(Prompt('named', { [option]: value }))))).toEqual(option === 'name' ? 'named' : as);
    expect(plain(told(of(Prompt())))).not.toEqual(as);
  });

  test.each(rows(resource))('@Resource reaches the spec: %s', (option, value, told, as) => {
    class Shop {
      sellThings(): string {
        return '';
      }
    }
    class Plain extends Shop {}
    Resource('shop://sale', { [option]: value })(Shop.prototype, 'sellThings');
    expect(plain(told(onlySpecOf(Shop)))).toEqual(as);
    Resource('shop://sale')(Plain.prototype, 'sellThings');
    expect(plain(told(onlySpecOf(Plain)))).not.toEqual(as);
  });

  test.each(rows(template))('@ResourceTemplate reaches the spec: %s', (option, value, told, as) => {
    expect(plain(told(specOf(ResourceTemplate('shop://{id}', { [option]: value }))))).toEqual(as);
    expect(plain(told(specOf(ResourceTemplate('shop://{id}'))))).not.toEqual(as);
  });

  test.each(rows(service).filter(([option]) => option !== 'scope'))(
    '@McpService is a default, which the member’s own wins over: %s',
    (option, value, told, as) => {
      expect(plain(told(specOf(Tool(), { [option]: value })))).toEqual(as);
      // The class's two names for it are one to the member.
      const member = option === 'defaultCapabilities' ? 'capabilities' : option;
      const own = { category: 'own', tags: ['own'], sensitivity: 'restricted', capabilities: ['exec'] }[member];
      const expected = option === 'tags' ? ['a', 'b', 'own'] : own;
      expect(plain(told(specOf(Tool({ [member]: own }), { [option]: value })))).toEqual(expected);
    },
  );

  test('@McpService changes nothing of the options that it was given, nor they it', () => {
    const options = { category: 'shop', tags: ['a'] };
    const spec = specOf(Tool({ tags: ['b'] }), options);
    options.category = 'changed';
    expect([spec.category, [...spec.tags], options.tags]).toEqual(['shop', ['a', 'b'], ['a']]);
    class Late {
      run(): string {
        return '';
      }
    }
    Tool()(Late.prototype, 'run');
    const given = { category: 'early' };
    McpService(given)(Late);
    given.category = 'late';
    expect(onlySpecOf(Late).category).toBe('early');
  });
});

describe('every way to write', () => {
  test.each<[way: string, decorator: Recorder, name: string]>([
    ['@Tool()', Tool(), 'sell_things'],
    ['@Tool(name)', Tool('sale'), 'sale'],
    ['@Tool({ name })', Tool({ name: 'sale' }), 'sale'],
    ['@Tool(name, {})', Tool('sale', {}), 'sale'],
    ['@Prompt()', Prompt(), 'sell_things'],
    ['@Prompt(name)', Prompt('sale'), 'sale'],
    ['@Prompt({ name })', Prompt({ name: 'sale' }), 'sale'],
    ['@Prompt(name, {})', Prompt('sale', {}), 'sale'],
    ['@ResourceTemplate(text)', ResourceTemplate('shop://{id}'), 'sell_things'],
  ])('%s', (way, decorator, name) => {
    const spec = specOf(decorator);
    expect([spec.kind, spec.name]).toEqual([way.startsWith('@R') ? 'template' : way.slice(1).split('(')[0]!.toLowerCase(), name]); // prettier-ignore
  });

  test('@Arg: required unless it is optional or has a default, and typed by what is said or by the parameter', () => {
    class Shop {
      @Tool()
      sell(
        @Arg('bare') _bare: string,
        @Arg('said', { type: 'integer', minimum: 1 }) _said: number,
        @Arg('optional', { optional: true }) _optional: number,
        @Arg('typed', { type: 'string', optional: true }) _typed: string,
        @Arg('given', { type: 'string', default: 'x' }) _given: string,
        @Arg('both', { default: 2, optional: false }) _both: number,
        @Arg('demanded', { type: 'string', optional: false }) _demanded: string,
      ): void {}
    }
    expect(onlySpecOf(Shop)).toMatchObject({
      inputSchema: {
        type: 'object',
        properties: {
          bare: { type: 'string' },
          said: { type: 'integer', minimum: 1 },
          optional: { type: 'number' },
          typed: { type: 'string' },
          given: { type: 'string', default: 'x' },
          both: { type: 'number', default: 2 },
          demanded: { type: 'string' },
        },
        required: ['bare', 'said', 'demanded'],
        additionalProperties: false,
      },
    });
  });

  test('@Args(), @Args(Class), @Ctx(), in any order', () => {
    class Shop {
      @Tool('typed')
      typed(@Ctx() ctx: ToolContext, @Args() item: Item): unknown {
        return [ctx, item];
      }

      @Tool('said')
      said(@Args(Item) item: unknown, @Ctx() ctx: unknown): unknown {
        return [item, ctx];
      }

      @Tool('raw')
      raw(@Args({ type: 'object', properties: { a: { type: 'null' } } }) args: unknown): unknown {
        return args;
      }
    }
    const { findings, specs } = specsOfService(Shop);
    expect(findings).toEqual([]);
    const schemas = specs.map((spec) => spec.kind === 'tool' && spec.inputSchema);
    expect(schemas).toEqual([itemSchema, itemSchema, { type: 'object', properties: { a: { type: 'null' } } }]);
    const scope = { resolve: () => new Shop(), dispose: () => undefined } as never;
    const handled = specs.map((spec) => spec.handler('args', 'ctx' as never, scope));
    expect(handled).toEqual([['ctx', 'args'], ['args', 'ctx'], 'args']);
  });

  test('@Field(keywords), @Field(type), @Field(type, keywords), @Describe on a property and on a class', () => {
    @Describe('A basket.')
    class Basket {
      @Field({ title: 'Words' })
      @IsString()
      keywords!: string;

      @Field(() => Item)
      type!: unknown;

      @Field(() => [Item], { title: 'All' })
      both!: unknown;

      @Describe('How many.')
      @IsInt()
      described!: number;
    }
    expect(inputSchemaFor(Basket)).toEqual({
      type: 'object',
      description: 'A basket.',
      properties: {
        keywords: { type: 'string', title: 'Words' },
        type: itemSchema,
        both: { type: 'array', items: itemSchema, title: 'All' },
        described: { type: 'integer', description: 'How many.' },
      },
      required: expect.arrayContaining(['keywords', 'type', 'both', 'described']),
      additionalProperties: false,
    });
  });

  test('@Complete names the method and the argument that it completes', () => {
    class Shop {
      @Prompt({ arguments: [{ name: 'a' }, { name: 'b' }] })
      sell(): string {
        return '';
      }

      @Complete('sell', 'b')
      names(partial: string): string[] {
        return [partial];
      }
    }
    const spec = onlySpecOf(Shop);
    const completed = spec.kind === 'prompt' ? spec.arguments.map(({ completion }) => completion !== undefined) : [];
    expect(completed).toEqual([false, true]);
  });
});
