import type { JsonSchema } from '../../core/json-schema.js';
import type { Layer } from '../../layer/layer.js';
import { findTool, modelTools, type ModelToolOptions, parseArguments, textOf, unknownTool } from './model-tools.js';

/** A tool of OpenAI's chat completions. */
export interface OpenAIChatTool {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** A tool of OpenAI's responses. */
export interface OpenAIResponsesTool {
  type: 'function';
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Strict mode takes a subset of JSON Schema only. */
  strict: false;
}

/** A call in a chat completion's message. */
export interface OpenAIChatCall {
  readonly id: string;
  readonly type: string;
  readonly function?: { readonly name: string; readonly arguments: string };
}

/** A call in a response's output. */
export interface OpenAIResponsesCall {
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Tools to pass, and what runs the calls that come back. */
export interface OpenAITools<Tool, Call, Answer> {
  readonly tools: Tool[];
  /** Runs one call. The answer goes into the next request's messages or input. */
  run(call: Call): Promise<Answer>;
}

/** What a chat completion is told of a call. */
export interface OpenAIChatAnswer {
  role: 'tool';
  tool_call_id: string;
  content: string;
}

/** What a response is told of a call. */
export interface OpenAIResponsesAnswer {
  type: 'function_call_output';
  call_id: string;
  output: string;
}

/** A layer's tools for OpenAI, and the many services that speak as it does. @throws {ConfigurationError} As names clash. */
export function toOpenAITools(
  layer: Layer,
  options?: ModelToolOptions & { readonly api?: 'chat' },
): OpenAITools<OpenAIChatTool, OpenAIChatCall, OpenAIChatAnswer>;
export function toOpenAITools(
  layer: Layer,
  options: ModelToolOptions & { readonly api: 'responses' },
): OpenAITools<OpenAIResponsesTool, OpenAIResponsesCall, OpenAIResponsesAnswer>;
export function toOpenAITools(
  layer: Layer,
  options: ModelToolOptions & { readonly api?: 'chat' | 'responses' } = {},
): unknown {
  const own = modelTools(layer, options);
  async function output(name: string, args: string): Promise<string> {
    const tool = findTool(own, name);
    return tool === undefined ? unknownTool(own, name) : textOf(await tool.call(parseArguments(args)));
  }
  if (options.api === 'responses') {
    return {
      tools: own.map(({ description, name, schema }) => ({
        type: 'function',
        name,
        description,
        parameters: copy(schema),
        strict: false,
      })),
      run: async ({ arguments: args, call_id, name }: OpenAIResponsesCall) => ({
        type: 'function_call_output',
        call_id,
        output: await output(name, args),
      }),
    };
  }
  return {
    tools: own.map(({ description, name, schema }) => ({
      type: 'function',
      function: { name, description, parameters: copy(schema) },
    })),
    run: async ({ function: called, id }: OpenAIChatCall) => ({
      role: 'tool',
      tool_call_id: id,
      content: called === undefined ? 'Only functions can be called.' : await output(called.name, called.arguments),
    }),
  };
}

/** Clients change what they are given (strict mode closes schemas, for one); ours are frozen, and shared. */
function copy(schema: JsonSchema): Record<string, unknown> {
  return structuredClone(schema);
}
