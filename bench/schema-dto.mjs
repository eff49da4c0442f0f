import { createRequire } from 'node:module';

// From where the package itself finds them: what @Type records in one copy, another copy does not know.
const require = createRequire(new URL('../package.json', import.meta.url));
require('reflect-metadata');
export const { plainToInstance, Type } = require('class-transformer');
export const validator = require('class-validator');
const { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Length, Max, MaxLength, Min } =
  validator;
const { ValidateNested } = validator;

/** What a compiler writes for decorated properties, so that the benchmark needs no build of its own. */
function declare(cls, properties) {
  for (const [name, [type, ...decorators]] of Object.entries(properties)) {
    Reflect.defineMetadata('design:type', type, cls.prototype, name);
    for (const decorate of decorators.reverse()) decorate(cls.prototype, name);
  }
  return cls;
}

/** Six fields, as most tools have them. */
export function makeFlat() {
  class Search {
    limit = 10;
    exact = false;
  }
  return declare(Search, {
    query: [String, IsString(), Length(1, 200)],
    provider: [String, IsIn(['aws', 'azure', 'gcp'])],
    region: [String, IsOptional(), IsString(), MaxLength(40)],
    limit: [Number, IsInt(), Min(1), Max(100)],
    exact: [Boolean, IsBoolean()],
    tags: [Array, IsArray(), IsString({ each: true }), ArrayMaxSize(20)],
  });
}

export const flatValue = {
  query: 'payment gateway',
  provider: 'aws',
  region: 'eu-north-1',
  limit: 25,
  exact: true,
  tags: ['prod', 'pci'],
};

export const flatSchema = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, maxLength: 200 },
    provider: { type: 'string', enum: ['aws', 'azure', 'gcp'] },
    region: { type: 'string', maxLength: 40 },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    exact: { type: 'boolean', default: false },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 20 },
  },
  required: ['query', 'provider', 'tags'],
  additionalProperties: false,
};

/** An order of three levels: thirteen instances in the value below. */
export function makeNested() {
  class Price {}
  declare(Price, {
    amount: [Number, IsNumber(), Min(0)],
    currency: [String, IsIn(['EUR', 'USD'])],
  });
  class Line {}
  declare(Line, {
    sku: [String, IsString(), Length(1, 40)],
    quantity: [Number, IsInt(), Min(1)],
    price: [Object, ValidateNested(), Type(() => Price)],
  });
  class Address {}
  declare(Address, {
    street: [String, IsString()],
    city: [String, IsString()],
    zip: [String, IsString(), MaxLength(12)],
  });
  class Order {}
  return declare(Order, {
    id: [String, IsString()],
    shipping: [Object, ValidateNested(), Type(() => Address)],
    billing: [Object, ValidateNested(), Type(() => Address)],
    lines: [Array, IsArray(), ValidateNested({ each: true }), Type(() => Line)],
  });
}

const line = (sku, quantity, amount) => ({ sku, quantity, price: { amount, currency: 'EUR' } });
const address = { street: 'Mannerheimintie 1', city: 'Helsinki', zip: '00100' };

/** 1 order, 2 addresses, 5 lines, 5 prices. */
export const nestedValue = {
  id: 'A-1',
  shipping: address,
  billing: { ...address },
  lines: [line('x-1', 1, 2.5), line('x-2', 2, 10), line('x-3', 1, 0.99), line('x-4', 7, 3), line('x-5', 1, 99.5)],
};

const addressSchema = {
  type: 'object',
  properties: { street: { type: 'string' }, city: { type: 'string' }, zip: { type: 'string', maxLength: 12 } },
  required: ['street', 'city', 'zip'],
  additionalProperties: false,
};

export const nestedSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    shipping: addressSchema,
    billing: addressSchema,
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          sku: { type: 'string', minLength: 1, maxLength: 40 },
          quantity: { type: 'integer', minimum: 1 },
          price: {
            type: 'object',
            properties: {
              amount: { type: 'number', minimum: 0 },
              currency: { type: 'string', enum: ['EUR', 'USD'] },
            },
            required: ['amount', 'currency'],
            additionalProperties: false,
          },
        },
        required: ['sku', 'quantity', 'price'],
        additionalProperties: false,
      },
    },
  },
  required: ['id', 'shipping', 'billing', 'lines'],
  additionalProperties: false,
};
