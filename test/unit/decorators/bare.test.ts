import { Complete } from '../../../decorators/complete.js';
import { Describe } from '../../../decorators/describe.js';
import { Field } from '../../../decorators/field.js';
import { Arg, Args, Ctx } from '../../../decorators/parameters.js';
import { Prompt } from '../../../decorators/prompt.js';
import { ResourceTemplate } from '../../../decorators/resource-template.js';
import { Resource } from '../../../decorators/resource.js';
import { McpService } from '../../../decorators/service.js';
import { Tool } from '../../../decorators/tool.js';
import { ConfigurationError } from '../../../src/core/errors.js';

class Tools {
  call(): void {}
}

const descriptor = Object.getOwnPropertyDescriptor(Tools.prototype, 'call');

function messageOf(decorator: unknown, ...given: unknown[]): string | undefined {
  try {
    (decorator as (...values: unknown[]) => void)(...given);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
}

describe('a decorator without its parentheses', () => {
  test.each<[unknown, string]>([
    [Tool, '@Tool has no parentheses, so it does nothing. Write @Tool().'],
    [Prompt, '@Prompt has no parentheses, so it does nothing. Write @Prompt().'],
    [Resource, "@Resource has no parentheses, so it does nothing. Write @Resource('docs://guide')."],
    [
      ResourceTemplate,
      "@ResourceTemplate has no parentheses, so it does nothing. Write @ResourceTemplate('docs://{page}').",
    ],
    [Complete, "@Complete has no parentheses, so it does nothing. Write @Complete('method', 'argument')."],
  ])('is said as what it is on a method: %p', (decorator, problem) => {
    const expected = expect.stringContaining(`Tools.call: ${problem} [CT224]`);
    expect(messageOf(decorator, Tools.prototype, 'call', descriptor)).toEqual(expected);
    expect(messageOf(decorator, Tools, 'call', descriptor)).toEqual(expected);
    const standard = { kind: 'method', name: 'call', addInitializer: () => undefined };
    expect(messageOf(decorator, function call() {}, standard)).toContain('has no parentheses');
  });

  test('is said on properties, parameters and classes too', () => {
    expect(messageOf(Field, Tools.prototype, 'a')).toContain('Tools.a: @Field has no parentheses');
    expect(messageOf(Describe, Tools.prototype, 'a', undefined)).toContain('Tools.a: @Describe has no parentheses');
    expect(messageOf(Describe, Tools)).toContain('Tools: @Describe has no parentheses');
    expect(messageOf(McpService, Tools)).toContain(
      'Tools: @McpService has no parentheses, so it does nothing. Write @McpService().',
    );
    for (const decorator of [Args, Ctx, Arg]) {
      expect(messageOf(decorator, Tools.prototype, 'call', 0)).toContain(
        `Tools.call: @${decorator.name} has no parentheses`,
      );
    }
  });

  test('is none where they are written', () => {
    expect(messageOf(Tool)).toBeUndefined();
    expect(messageOf(Tool, 'name', {})).toBeUndefined();
    expect(messageOf(Tool, { name: 'a', title: 'b' })).toBeUndefined();
    expect(messageOf(Args, Tools)).toBeUndefined();
    expect(messageOf(Args, { type: 'object', kind: 'x' })).toBeUndefined();
    expect(messageOf(Field, () => Tools, { title: 'a' })).toBeUndefined();
    expect(messageOf(Arg, 'name', { type: 'string' })).toBeUndefined();
    expect(messageOf(McpService, { category: 'a' })).toBeUndefined();
  });
});
