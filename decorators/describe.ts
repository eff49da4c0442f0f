import { FIELD } from '../src/core/field-record.js';
import { recordField } from './field.js';
import { refuseBare } from './refuse-bare.js';

/** Says in words what a DTO property, or a DTO class, is for. Wins over its doc comment. */
export function Describe(description: string): PropertyDecorator & ClassDecorator;
export function Describe(...given: readonly unknown[]): PropertyDecorator & ClassDecorator {
  refuseBare("Describe('…')", given, true);
  const [description] = given;
  return (target: object, property?: string | symbol) =>
    recordField(FIELD, target, property, { keywords: { description } });
}
