import type { Wire } from '../../core/content.js';
import type { CallOptions } from '../../core/context.js';
import { InvalidArgumentsError } from '../../core/errors.js';
import { isRecord } from '../../core/guards.js';
import { Principal } from '../../core/principal.js';
import type { CompletionReference, Layer } from '../../layer/layer.js';
import { toolsList } from '../../native/methods/tools-list.js';
import { toolsCall } from '../../native/methods/tools-call.js';
import { resourcesList } from '../../native/methods/resources-list.js';
import { resourcesTemplatesList } from '../../native/methods/resources-templates-list.js';
import { resourcesRead } from '../../native/methods/resources-read.js';
import { promptsList } from '../../native/methods/prompts-list.js';
import { promptsGet } from '../../native/methods/prompts-get.js';
import { completionComplete } from '../../native/methods/completion-complete.js';
import { record, text } from '../../native/methods/params.js';

/** A tool as a function: arguments in, the wire result out. */
export type ToolFunction = (args?: unknown, options?: CallOptions) => Promise<Wire>;

/** Answers one method of the protocol: its parameters in, its result out. */
export type MethodHandler = (params?: Readonly<Record<string, unknown>>, options?: CallOptions) => Promise<Wire>;

/** A layer as plain data and functions, for whatever is not an MCP server. */
export interface ExportedDefinitions {
  readonly tools: readonly Wire[];
  readonly resources: readonly Wire[];
  readonly resourceTemplates: readonly Wire[];
  readonly prompts: readonly Wire[];
  /** By method: `tools/list`, `tools/call` and so on. */
  readonly handlers: Readonly<Record<string, MethodHandler>>;
  /** By exposed name. */
  readonly toolFunctions: Readonly<Record<string, ToolFunction>>;
}

/**
 * What one caller sees of a layer, as definitions and as functions that call it. The definitions are those of this
 * moment; the functions ask the layer, its policy and its middleware every time.
 *
 * @param principal Whom everything runs for, where a call does not say. Default: the local user.
 */
export function exportDefinitions(layer: Layer, principal: Principal = Principal.local()): ExportedDefinitions {
  const as = (options: CallOptions | undefined): CallOptions => ({ principal, ...options });
  const callTool = async (name: string, args: unknown, options?: CallOptions): Promise<Wire> => {
    const result = await layer.callTool(name, args, as(options));
    return result.toWire();
  };
  const tools = layer.toolsWire(principal);
  return {
    tools,
    resources: layer.resourcesWire(principal),
    resourceTemplates: layer.resourceTemplatesWire(principal),
    prompts: layer.promptsWire(principal),
    toolFunctions: Object.fromEntries(
      tools.map((wire) => {
        const name = String(wire['name']);
        return [name, (args, options) => callTool(name, args, options)] satisfies [string, ToolFunction];
      }),
    ),
    handlers: {
      [toolsList.name]: async (_params, options) => ({ tools: await layer.list('tools', as(options)) }),
      [toolsCall.name]: async (params = {}, options) => callTool(text(params, 'name'), params['arguments'], options),
      [resourcesList.name]: async (_params, options) => ({ resources: await layer.list('resources', as(options)) }),
      [resourcesTemplatesList.name]: async (_params, options) => ({
        resourceTemplates: await layer.list('templates', as(options)),
      }),
      [resourcesRead.name]: async (params = {}, options) => {
        const contents = await layer.readResource(text(params, 'uri'), as(options));
        return { contents: contents.map((entry) => entry.toWire()) };
      },
      [promptsList.name]: async (_params, options) => ({ prompts: await layer.list('prompts', as(options)) }),
      [promptsGet.name]: async (params = {}, options) => {
        const result = await layer.getPrompt(text(params, 'name'), params['arguments'], as(options));
        return result.toWire();
      },
      [completionComplete.name]: async (params = {}, options) => complete(layer, params, as(options)),
    },
  };
}

async function complete(layer: Layer, params: Readonly<Record<string, unknown>>, options: CallOptions): Promise<Wire> {
  const ref = record(params, 'ref');
  const argument = record(params, 'argument');
  const known =
    isRecord(params['context']) && isRecord(params['context']['arguments']) ? params['context']['arguments'] : {};
  const completion = await layer.complete(
    reference(ref),
    { name: text(argument, 'name'), value: text(argument, 'value') },
    { ...options, arguments: known as Record<string, string> },
  );
  return { completion };
}

function reference(ref: Readonly<Record<string, unknown>>): CompletionReference {
  if (ref['type'] === 'ref/prompt') return { type: 'ref/prompt', name: text(ref, 'name') };
  if (ref['type'] === 'ref/resource') return { type: 'ref/resource', uri: text(ref, 'uri') };
  throw new InvalidArgumentsError('Invalid params: "ref.type" must be "ref/prompt" or "ref/resource".');
}
