import { Arg } from '../../../decorators/parameters.js';
import { Tool } from '../../../decorators/tool.js';
import { specsOfService } from '../../../src/registry/service-specs.js';

/** What compilers emit for a parameter whose class was imported with `import type`. */
function emitting(type: unknown, parameter?: ParameterDecorator): readonly string[] {
  class Tools {
    @Tool()
    call(args: unknown): unknown {
      return args;
    }
  }
  parameter?.(Tools.prototype, 'call', 0);
  Reflect.defineMetadata('design:paramtypes', [type], Tools.prototype, 'call');
  return specsOfService(Tools).findings;
}

describe('a DTO that was imported as a type', () => {
  test('is named as the likely cause, by what tsc leaves of it and by what swc and Bun do', () => {
    expect(emitting(Function)).toEqual([
      'Tools.call: parameter 1 has the type Function, which says nothing of arguments (what "import type" leaves of a class). ' +
        `Import the class without "type", use a DTO class, or @Arg('name'). [CT208]`,
    ]);
    expect(emitting(Object)).toEqual([
      'Tools.call: parameter 1 has the type Object, which says nothing of arguments (an interface, a union, or a class that is ' +
        `imported with "import type"). Import the class without "type", use a DTO class, or @Arg('name'). [CT208]`,
    ]);
    expect(emitting(Function, Arg('a'))).toEqual([
      'Tools.call: argument "a" has no usable type (the compiler emitted Function: what "import type" leaves of a class). ' +
        `Give its JSON Schema: @Arg('name', { type: … }). [CT325]`,
    ]);
  });

  test('is not named where the type is a plain one', () => {
    expect(emitting(Number)).toEqual([
      "Tools.call: parameter 1 has the type Number, which says nothing of arguments. Use a DTO class, or @Arg('name'). [CT208]",
    ]);
  });
});
