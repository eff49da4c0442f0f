// What a user writes, for the type checker: compiled against the packed package, in both module formats.
import {
  Arg,
  Complete,
  McpLayer,
  McpService,
  Prompt,
  Registry,
  Resource,
  ResourceTemplate,
  Tool,
  ToolContext,
  ToolResult,
} from 'cartouche';
import type { CallKind, Middleware, Policy, PromptResult } from 'cartouche';

class Vars {
  ref!: string;
}

@McpService({ category: 'types', scope: 'request' })
export class Everything {
  @Tool({ capabilities: ['read_state'], output: [Vars], timeoutMs: 10 })
  list(args: Vars, ctx: ToolContext): Vars[] {
    ctx.reportProgress(1, 2, args.ref);
    return [args];
  }

  @Tool('named', { readOnly: true })
  named(@Arg('limit', { type: 'integer', optional: true }) limit?: number): ToolResult {
    return ToolResult.text(String(limit)).link('a:b', 'B');
  }

  @Resource('types://all', { mimeType: 'text/plain' })
  all(): string {
    return '';
  }

  @ResourceTemplate('types://{+ref}')
  one(vars: Vars): Uint8Array {
    return new TextEncoder().encode(vars.ref);
  }

  @Complete('one', 'ref')
  refs(partial: string): string[] {
    return [partial];
  }

  @Prompt({ title: 'Ask' })
  ask(args: Vars): string {
    return args.ref;
  }
}

const registry = new Registry();
registry.tool({ name: 'typed', input: Vars }, (args) => args.ref.length);
registry.tool({ name: 'raw', input: { type: 'object' } }, (args) => Object.keys(args));
registry.prompt({ name: 'typed', arguments: Vars }, ({ ref }) => ref);
// @ts-expect-error the class has no such property
registry.tool({ name: 'wrong', input: Vars }, (args) => args.nothing);

const all: Middleware = async (call, next) => {
  const kind: CallKind = call.kind;
  return kind === 'list' ? next() : await next();
};
const one: Middleware = { name: 'one', prompt: async (_call, next): Promise<PromptResult> => next() };
const policy: Policy = {
  name: 'none',
  scopeOf: () => '',
  decide: () => ({ allowed: false, hidden: true, reason: 'no' }),
};

export const layer = new McpLayer({
  name: 'types',
  version: '1.0.0',
  services: [Everything],
  registry,
  middleware: [all, one],
  policy,
});
export const result: Promise<ToolResult> = layer.callTool('list', { ref: 'a' });
// @ts-expect-error a layer needs a version
export const wrong = (): McpLayer => new McpLayer({ name: 'types' });
