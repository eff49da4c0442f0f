import { IsString } from 'class-validator';
import type { ModernClient } from '../../../src/core/client-port.js';
import type { ToolContext } from '../../../src/core/context.js';
import { Principal } from '../../../src/core/principal.js';
import { McpLayer } from '../../../src/mcp-layer.js';
import { Registry } from '../../../src/registry/registry.js';
import { modernClient, SILENT } from './support.js';

class Name {
  @IsString()
  name!: string;
}

/** Everything that a state is bound to. */
interface Request {
  readonly layer: string;
  readonly kind: 'tool' | 'prompt' | 'resource';
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly principal: string;
}

const keys = ['k'.repeat(32)];
const whole: Request = { layer: 'home', kind: 'tool', name: 'work', args: { id: '1' }, principal: 'ada' };

/** A layer whose primitives all ask the same, so that nothing but the binding sets their states apart. */
function layerNamed(name: string): McpLayer {
  const registry = new Registry();
  const asks = async (_args: unknown, ctx: ToolContext): Promise<string> =>
    (await ctx.elicit('who', Name, { message: 'Who?' })).action;
  for (const tool of ['work', 'wipe']) registry.tool({ name: tool, input: { type: 'object' } }, asks);
  const argument = { name: 'id' };
  for (const prompt of ['work', 'wipe']) registry.prompt({ name: prompt, arguments: [argument] }, asks);
  for (const uri of ['shop://work-orders/{id}', 'shop://wipe-orders/{id}']) {
    const input = { type: 'object', properties: { id: { type: 'string' } } };
    registry.resourceTemplate({ uriTemplate: uri, name: uri, input }, asks);
  }
  return new McpLayer({ name, version: '1', registry, logger: SILENT, requestState: { keys } });
}

async function send(request: Request, retry: Partial<ModernClient> = {}): Promise<any> {
  const layer = layerNamed(request.layer);
  const options = { principal: new Principal({ id: request.principal }), context: { client: modernClient(retry) } };
  const answer = {
    tool: () => layer.callTool(request.name, request.args, options),
    prompt: () => layer.getPrompt(request.name, request.args, options),
    resource: () => layer.readResource(request.name, options),
  }[request.kind]();
  return answer.then(
    () => 'answered',
    (thrown: unknown) => {
      const error = thrown as { name: string; data?: { requestState?: string } };
      return error.data?.requestState ?? error.name;
    },
  );
}

const yes = { who: { action: 'accept', content: { name: 'Ada' } } };

/** What becomes of the state of one request in another. */
async function carried(from: Request, to: Request): Promise<unknown> {
  const requestState: unknown = await send(from);
  expect(requestState).toMatch(/^c1\./);
  return send(to, { requestState, inputResponses: yes });
}

describe('the state of a request opens for nothing else', () => {
  test.each<[field: string, change: Partial<Request>]>([
    ['layer', { layer: 'away' }],
    ['kind', { kind: 'prompt' }],
    ['name', { name: 'wipe' }],
    ['args, another value', { args: { id: '2' } }],
    ['args, one more', { args: { id: '1', more: true } }],
    ['args, one less', { args: {} }],
    ['principal', { principal: 'mallory' }],
  ])('another %s', async (_field, change) => {
    expect(await carried(whole, whole)).toBe('answered');
    expect(await carried(whole, { ...whole, ...change })).toBe('RequestStateError');
    expect(await carried({ ...whole, ...change }, whole)).toBe('RequestStateError');
  });

  test.each<[what: string, from: Request, to: Request]>([
    ['prompt', { ...whole, kind: 'prompt' }, { ...whole, kind: 'prompt', name: 'wipe' }],
    [
      'resource',
      { ...whole, kind: 'resource', name: 'shop://work-orders/1' },
      { ...whole, kind: 'resource', name: 'shop://wipe-orders/1' },
    ],
  ])('of a %s', async (_what, from, to) => {
    expect(await carried(from, from)).toBe('answered');
    expect(await carried(from, to)).toBe('RequestStateError');
  });
});
