import type { Wire } from '../../core/content.js';
import type { Layer } from '../../layer/layer.js';
import { findTool, modelTools, type ModelToolOptions, textOf, unknownTool } from './model-tools.js';

/** A tool of Anthropic's messages. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [key: string]: unknown };
}

/** A `tool_use` block of an answer. */
export interface AnthropicToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What kinds of pictures the Messages API takes. */
export type AnthropicImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** A block of a result. */
export type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: AnthropicImageType; data: string } };

/** A `tool_result` block, which goes into the next message. */
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: AnthropicBlock[];
  is_error?: boolean;
}

const IMAGES: ReadonlySet<unknown> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** A layer's tools for Anthropic's messages, and what runs the calls that come back. @throws {ConfigurationError} As names clash. */
export function toAnthropicTools(
  layer: Layer,
  options: ModelToolOptions = {},
): { readonly tools: AnthropicTool[]; run(use: AnthropicToolUse): Promise<AnthropicToolResult> } {
  const own = modelTools(layer, options);
  return {
    tools: own.map(({ description, name, schema }) => ({
      name,
      description,
      input_schema: structuredClone(schema) as AnthropicTool['input_schema'],
    })),
    run: async ({ id, input, name }) => {
      const tool = findTool(own, name);
      if (tool === undefined) return result(id, [{ type: 'text', text: unknownTool(own, name) }], true);
      const wire = await tool.call(input);
      return result(id, (wire['content'] as readonly Wire[]).map(toBlock), wire['isError'] === true);
    },
  };
}

function result(id: string, content: AnthropicBlock[], isError: boolean): AnthropicToolResult {
  return { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) };
}

/** Pictures stay pictures; everything else is said in words. */
function toBlock(block: Wire): AnthropicBlock {
  if (block['type'] === 'image' && IMAGES.has(block['mimeType'])) {
    const media_type = block['mimeType'] as AnthropicImageType;
    return { type: 'image', source: { type: 'base64', media_type, data: String(block['data']) } };
  }
  return { type: 'text', text: textOf({ content: [block] }) };
}
