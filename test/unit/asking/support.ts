import type { ClientCapabilities, ModernClient } from '../../../src/core/client-port.js';
import { errorKind } from '../../../src/core/errors.js';
import { Principal } from '../../../src/core/principal.js';
import { answer, capabilitiesOf, type ClientAnswers } from '../../../src/asking/answering-client.js';
import type { McpLayerOptions } from '../../../src/layer/options.js';
import { McpLayer } from '../../../src/mcp-layer.js';
import { Registry } from '../../../src/registry/registry.js';
import type { ToolContext } from '../../../src/core/context.js';

/** A layer of one function. */
export function layerOf(
  handler: (args: any, ctx: ToolContext) => unknown,
  options: Partial<McpLayerOptions> & { tool?: object } = {},
): McpLayer {
  const { tool = {}, ...rest } = options;
  const registry = new Registry();
  registry.tool({ name: 'work', input: { type: 'object' }, ...tool }, handler as never);
  return new McpLayer({ name: 'test', version: '1', registry, logger: SILENT, ...rest });
}

export const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** What ends one round of a modern request: its result, or what has to be asked first. */
export interface Round {
  result?: any;
  asked?: Record<string, { method: string; params: any }>;
  state?: string;
}

/** A client of the modern era that can be asked everything. */
export function modernClient(init: Partial<ModernClient> = {}): ModernClient {
  return {
    era: 'modern',
    version: '2026-07-28',
    capabilities: ALL,
    inputResponses: undefined,
    requestState: undefined,
    ...init,
  };
}

/** One round of a modern request. */
export async function round(
  layer: McpLayer,
  init: Partial<ModernClient> = {},
  args: object = {},
  principal: Principal = Principal.local(),
): Promise<Round> {
  const client = modernClient(init);
  try {
    return { result: (await layer.callTool('work', args, { principal, context: { client } })).toWire() };
  } catch (error) {
    if (errorKind(error) !== 'InputRequiredError') throw error;
    const { inputRequests, requestState } = (error as { data: any }).data;
    return { asked: inputRequests, state: requestState };
  }
}

export const ALL: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

/** A whole modern conversation, as a client leads it. */
export async function converse(
  layer: McpLayer,
  answers: ClientAnswers,
  args: object = {},
  maxRounds = 20,
): Promise<{ result: any; rounds: number }> {
  const capabilities = capabilitiesOf(answers);
  let retry: Partial<ModernClient> = {};
  for (let rounds = 1; rounds <= maxRounds; rounds++) {
    const { asked = {}, result, state } = await round(layer, { capabilities, ...retry }, args);
    if (result !== undefined) return { result, rounds };
    const inputResponses: Record<string, unknown> = {};
    for (const [key, { method, params }] of Object.entries(asked)) {
      inputResponses[key] = JSON.parse(JSON.stringify(await answer(answers, method, params)));
    }
    retry = { inputResponses, requestState: state };
  }
  throw new Error('The conversation does not end.');
}

/** A promise that settles after the event loop turned. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
