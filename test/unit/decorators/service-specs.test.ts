import { IsInt, IsOptional, IsString } from 'class-validator';
import { Complete } from '../../../decorators/complete.js';
import { Arg, Args, Ctx } from '../../../decorators/parameters.js';
import { Prompt } from '../../../decorators/prompt.js';
import { ResourceTemplate } from '../../../decorators/resource-template.js';
import { Resource } from '../../../decorators/resource.js';
import { McpService } from '../../../decorators/service.js';
import { Tool } from '../../../decorators/tool.js';
import { ToolContext } from '../../../src/core/context.js';
import { specsOfService } from '../../../src/registry/service-specs.js';
import type { AnySpec } from '../../../src/registry/registry.js';

class CountArgs {
  /** What to count by. */
  @IsString()
  groupBy: string = 'provider';
}

class RefVariables {
  @IsString()
  ref!: string;
}

const names = (specs: readonly AnySpec[]): string[] => specs.map(({ kind, id }) => `${kind} ${id}`);
const scope = (instance: object): never => ({ resolve: () => instance, dispose: () => undefined }) as never;
const context = new ToolContext({} as never);

function specOf(cls: new (...args: never[]) => object, id: string): AnySpec {
  const { specs, findings } = specsOfService(cls);
  expect(findings).toEqual([]);
  const spec = specs.find((candidate) => candidate.id === id);
  if (spec === undefined) throw new Error(`no ${id} in ${names(specs).join(', ')}`);
  return spec;
}

@McpService({ category: 'inventory', tags: ['estate'], sensitivity: 'internal' })
class Estate {
  /** How many assets there are. */
  @Tool({ title: 'Count assets' })
  countAssets(args: CountArgs, ctx: ToolContext): unknown {
    return [args, ctx];
  }

  @Tool({ tags: ['x'], category: 'own', description: 'Given.' })
  contextFirst(ctx: ToolContext, args: CountArgs): unknown {
    return [ctx, args];
  }

  @Tool()
  limited(
    @Arg('limit') limit: number,
    @Ctx() ctx: unknown,
    @Arg('tag', { type: 'string', optional: true }) tag?: string,
  ): unknown {
    return [limit, ctx, tag];
  }

  @Tool()
  none(): string {
    return 'none';
  }

  @Resource('estate://workspace')
  workspace(ctx: ToolContext): unknown {
    return ctx;
  }

  @ResourceTemplate('estate://assets/{+ref}')
  asset(vars: RefVariables): unknown {
    return vars;
  }

  @Complete('asset', 'ref')
  completeRef(partial: string, ctx: ToolContext, given: Record<string, string>): unknown {
    return [partial, ctx, given];
  }

  @Prompt()
  gapAnalysis(args: CountArgs): string {
    return args.groupBy;
  }
}

describe('what decorators record becomes specs', () => {
  test('method names become snake_case, URIs stay', () => {
    expect(names(specsOfService(Estate).specs)).toEqual([
      'tool count_assets',
      'tool context_first',
      'tool limited',
      'tool none',
      'resource estate://workspace',
      'template estate://assets/{+ref}',
      'prompt gap_analysis',
    ]);
  });

  test("the class's defaults lie beneath the member's options, tags add up", () => {
    const { category, tags, sensitivity } = specOf(Estate, 'context_first');
    expect([category, [...tags], sensitivity]).toEqual(['own', ['estate', 'x'], 'internal']);
  });

  test('a doc comment describes where no description is given', () => {
    expect([
      specOf(Estate, 'count_assets').description,
      specOf(Estate, 'context_first').description,
      specOf(Estate, 'none').description,
    ]).toEqual(['How many assets there are.', 'Given.', '']);
  });

  test('parameters are bound by type, in any order', () => {
    const args = new CountArgs();
    const instance = new Estate();
    expect(specOf(Estate, 'count_assets').handler(args, context, scope(instance))).toEqual([args, context]);
    expect(specOf(Estate, 'context_first').handler(args, context, scope(instance))).toEqual([context, args]);
    expect(specOf(Estate, 'limited').handler({ limit: 3, tag: 'a' }, context, scope(instance))).toEqual([
      3,
      context,
      'a',
    ]);
    expect(specOf(Estate, 'none').handler({}, context, scope(instance))).toBe('none');
    expect(specOf(Estate, 'estate://workspace').handler(undefined, context, scope(instance))).toBe(context);
  });

  test('single arguments make the schema', () => {
    const spec = specOf(Estate, 'limited');
    expect(spec.kind === 'tool' && spec.inputSchema).toEqual({
      type: 'object',
      properties: { limit: { type: 'number' }, tag: { type: 'string' } },
      required: ['limit'],
      additionalProperties: false,
    });
  });

  test('a completion belongs to the variable of the method it names', async () => {
    const spec = specOf(Estate, 'estate://assets/{+ref}');
    const handler = spec.kind === 'template' ? spec.completions.get('ref') : undefined;
    expect(await handler?.('we', context, { a: 'b' }, scope(new Estate()))).toEqual(['we', context, { a: 'b' }]);
  });
});

describe('inheritance', () => {
  class Base {
    @Tool({ title: 'Base first' })
    first(): string {
      return 'base';
    }

    @Tool({ title: 'Base second' })
    second(): string {
      return 'base';
    }
  }

  class Derived extends Base {
    override first(): string {
      return 'derived';
    }

    @Tool({ title: 'Derived second' })
    override second(): string {
      return 'derived';
    }

    @Tool()
    third(): string {
      return 'derived';
    }
  }

  test('a subclass sees inherited tools, ancestors first', () => {
    expect(names(specsOfService(Derived).specs)).toEqual(['tool first', 'tool second', 'tool third']);
  });

  test('an override replaces the one it overrides, and a redecorated one wins', () => {
    const [first, second] = specsOfService(Derived).specs as [AnySpec, AnySpec];
    expect([first.title, second.title]).toEqual(['Base first', 'Derived second']);
    for (const spec of [first, second]) expect(spec.handler({}, context, scope(new Derived()))).toBe('derived');
  });

  test('a subclass does not change its parent', () => {
    const { specs } = specsOfService(Base);
    expect([names(specs), specs.map(({ title }) => title)]).toEqual([
      ['tool first', 'tool second'],
      ['Base first', 'Base second'],
    ]);
  });

  test('an override that is decorated anew starts with parameters of its own', () => {
    class Parent {
      @Tool()
      find(@Arg('query') query: string): string {
        return query;
      }
    }
    class Child extends Parent {
      @Tool()
      override find(): string {
        return 'all';
      }
    }
    const spec = specOf(Child, 'find');
    expect(spec.kind === 'tool' && spec.inputSchema['properties']).toEqual({});
  });
});

describe('wrong use is found when a layer is built, all of it at once', () => {
  const findings = (cls: new (...args: never[]) => object): readonly string[] => specsOfService(cls).findings;

  test('static members and repeated decorators', () => {
    class Wrong {
      @Tool()
      static shared(): void {}

      @Tool()
      @Tool({ name: 'again' })
      twice(): void {}
    }
    // Compilers run the decorators of static members before or after the others.
    expect([...findings(Wrong)].sort()).toEqual([
      'Wrong.shared: @Tool on a static member, which no instance has. Make it an instance method. [CT201]',
      'Wrong.twice: @Tool is applied 2 times. Keep one. [CT202]',
    ]);
  });

  test('parameters that say nothing of arguments', () => {
    class Wrong {
      @Tool()
      loose(_args: { a: string }): void {}

      @Tool()
      scalar(_limit: number): void {}

      @Tool()
      both(_args: CountArgs, @Arg('x') _x: string): void {}
    }
    expect(findings(Wrong)).toEqual([
      `Wrong.loose: parameter 1 has the type Object, which says nothing of arguments (an interface, a union, or a class that is imported with "import type"). Import the class without "type", use a DTO class, or @Arg('name'). [CT208]`,
      "Wrong.scalar: parameter 1 has the type Number, which says nothing of arguments. Use a DTO class, or @Arg('name'). [CT208]",
      'Wrong.both: one parameter takes all arguments and others take one each. Use one way or the other. [CT210]',
    ]);
  });

  test('types that the compiler did not emit', () => {
    class Untyped {
      find(_args: unknown): void {}
      explicit(_args: unknown, _ctx: unknown): void {}
      declared(args: unknown, ctx: unknown): unknown {
        return [args, ctx];
      }
    }
    // As esbuild and tsx compile it: decorators run, and nothing is emitted about types.
    const decorate = (method: string, ...decorators: ((target: object, method: string) => void)[]): void => {
      for (const decorator of decorators) decorator(Untyped.prototype, method);
    };
    decorate('find', Tool());
    decorate(
      'explicit',
      Tool(),
      (target, method) => Args(CountArgs)(target, method, 0),
      (target, method) => Ctx()(target, method, 1),
    );
    decorate('declared', Tool({ input: CountArgs }));
    const { specs, findings: found } = specsOfService(Untyped);
    expect(found).toEqual([
      'Untyped.find: the compiler emitted no types for its parameters. Set "emitDecoratorMetadata" (esbuild and tsx ' +
        'cannot: use tsc or swc), or pass input: and write @Args() and @Ctx(). [CT207]',
    ]);
    expect(names(specs)).toEqual(['tool explicit', 'tool declared']);
    expect(specs[1]?.handler(1, context, scope(new Untyped()))).toEqual([1, context]);
  });

  test('template variables without a parameter, and the other way round', () => {
    class Variables extends RefVariables {
      @IsInt()
      depth!: number;

      @IsOptional()
      @IsString()
      note?: string;
    }
    class Wrong {
      @ResourceTemplate('a://{+ref}/{part}')
      missing(_vars: RefVariables): void {}

      @ResourceTemplate('a://{+ref}')
      extra(_vars: Variables): void {}

      @ResourceTemplate('a://{ref}{?depth}')
      optional(_vars: Variables): void {}

      @Resource('a://x')
      resource(_vars: RefVariables): void {}
    }
    expect(findings(Wrong)).toEqual([
      'Wrong.resource: a resource takes no arguments. Remove the parameter, or use @ResourceTemplate. [CT211]',
      "Wrong.missing: no parameter takes the template variable 'part'. Add it to the parameter's class, or @Arg('part'). [CT212]",
      "Wrong.extra: 'depth' is required, but 'a://{+ref}' has no such variable. Add {depth}, or make it optional. [CT213]",
      "Wrong.optional: 'depth' is required, but a URI may leave it out. Make it optional, or move it into the path. [CT214]",
    ]);
  });

  test('completions for what is not there', () => {
    class Wrong {
      @ResourceTemplate('a://{ref}')
      asset(_vars: RefVariables): void {}

      @Complete('asset', 'reff')
      typo(): string[] {
        return [];
      }

      @Complete('nothing', 'ref')
      nowhere(): string[] {
        return [];
      }
    }
    expect(findings(Wrong)).toEqual([
      "Wrong.typo: asset has no argument 'reff'. It has ref. [CT216]",
      "Wrong.nowhere: no @Prompt or @ResourceTemplate method 'nothing'. Name the method, not its wire name. [CT217]",
    ]);
  });

  test('names, URIs and options that cannot be used', () => {
    class Wrong {
      @Tool({ name: 'a/b' })
      name(): void {}

      @Tool({ timeoutMs: -1 })
      time(): void {}

      @Resource('no scheme')
      uri(): void {}

      @Tool({ capabilities: ['fly' as never], meta: { 'io.modelcontextprotocol/x': 1 } })
      options(): void {}
    }
    expect(findings(Wrong)).toEqual([
      "Wrong.name: 'a/b' is not a valid name. Use 1 to 128 of 'A-Z a-z 0-9 _ . -'. [CT501]",
      'Wrong.time: timeoutMs -1 is out of range. Use 1 to 2147483647 milliseconds. [CT221]',
      "Wrong.options: no capability 'fly'. Use read_state, write_state, read_fs, write_fs, cloud_access, exec, reveal. [CT218]",
      "Wrong.options: the protocol reserves the _meta key 'io.modelcontextprotocol/x'. Use a prefix of your own. [CT220]",
      "Wrong.uri: 'no scheme' has no scheme. Write a whole URI, such as 'docs://guide'. [CT503]",
    ]);
  });

  test('a class with nothing to offer', () => {
    class Bare {}
    expect(findings(Bare)).toEqual([
      'Bare: no member carries @Tool, @Resource, @ResourceTemplate or @Prompt. Decorate one, or leave it out of services. [CT205]',
    ]);
  });

  test('standard decorators are refused where they are applied', () => {
    expect(() => Tool()({}, { kind: 'method', name: 'x' } as never)).toThrow(
      '@Tool: compiled as a standard decorator. Set "experimentalDecorators" and "emitDecoratorMetadata" in tsconfig.json.',
    );
  });
});
