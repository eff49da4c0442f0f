import { Complete } from '../../../decorators/complete.js';
import { Arg, Args, Ctx } from '../../../decorators/parameters.js';
import { ResourceTemplate } from '../../../decorators/resource-template.js';
import { ToolContext } from '../../../src/core/context.js';
import { specsOfService } from '../../../src/registry/service-specs.js';

class Docs {
  @ResourceTemplate('a://{one}/{two}/{three}/{four}/{five}')
  page(
    @Arg('one') one: string,
    @Arg('two') two: string,
    @Arg('three') three: string,
    @Arg('four') four: string,
    @Arg('five') five: string,
  ): unknown {
    return [one, two, three, four, five];
  }

  @Complete('page', 'one')
  textOnly(text: string): unknown {
    return [text];
  }

  @Complete('page', 'two')
  backwards(given: Record<string, string>, ctx: ToolContext, text: string): unknown {
    return [given, ctx, text];
  }

  @Complete('page', 'three')
  withoutContext(text: string, given: Record<string, string>): unknown {
    return [text, given];
  }

  @Complete('page', 'four')
  decorated(@Arg('one') one: string, @Ctx() ctx: unknown, @Args() given: unknown, text: string): unknown {
    return [one, ctx, given, text];
  }

  @Complete('page', 'five')
  loose(text: unknown, ctx: unknown, given: unknown): unknown {
    return [text, ctx, given];
  }
}

test('the parameters of a completion are bound by type and decorator, else by place', async () => {
  const { findings, specs } = specsOfService(Docs);
  expect(findings).toEqual([]);
  const [spec] = specs;
  if (spec?.kind !== 'template') throw new Error('no template');
  const context = new ToolContext({} as never);
  const given = { one: '1' };
  const scope = { resolve: () => new Docs(), dispose: () => undefined } as never;
  const complete = async (name: string): Promise<unknown> => spec.completions.get(name)?.('x', context, given, scope);
  expect(await complete('one')).toEqual(['x']);
  expect(await complete('two')).toEqual([given, context, 'x']);
  expect(await complete('three')).toEqual(['x', given]);
  expect(await complete('four')).toEqual(['1', context, given, 'x']);
  expect(await complete('five')).toEqual(['x', context, given]);
});

test('a parameter that is none of them is a finding', () => {
  class Wrong {
    @ResourceTemplate('a://{one}')
    page(@Arg('one') one: string): string {
      return one;
    }

    @Complete('page', 'one')
    complete(text: string, limit: number): string[] {
      return [text, String(limit)];
    }
  }
  expect(specsOfService(Wrong).findings).toEqual([
    'Wrong.complete: parameter 2 of a completion is neither the text so far, the context nor the arguments. ' +
      "Use string, ToolContext, Record<string, string>, or @Arg('name'). [CT225]",
  ]);
});
