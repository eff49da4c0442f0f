import {
  BlobResourceContents,
  isResourceContents,
  type ResourceContents,
  TextContent,
  TextResourceContents,
} from '../core/content.js';
import { McpLayerError, NotFoundError } from '../core/errors.js';
import { toJsonValue, UnserializableError } from '../core/json-value.js';
import type { CompletionResult } from '../core/middleware.js';
import { isPromptMessage, isPromptResult, type PromptMessage, PromptMessage as Message, PromptResult } from '../core/prompt-result.js';
import { isToolResult, ToolResult } from '../core/tool-result.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import type { ResourceSpec, ResourceTemplateSpec } from '../registry/resource-spec.js';

/** How many completion values a client takes. Source: MCP, "Completion". */
const MAX_COMPLETIONS = 100;

/**
 * A tool's answer: a result as it is; nothing as no content; any other value as structured content (inside `result`
 * when it is no object) and one text block.
 *
 * @param isWrapped Whether the output schema describes even an object inside `result`.
 * @throws {McpLayerError} When the value cannot be sent, with the path that leads to why.
 */
export function toToolResult(value: unknown, isWrapped = false): ToolResult {
  if (isToolResult(value)) {
    return value.structuredContent === undefined ? value : value.with({ structuredContent: json(value.structuredContent) });
  }
  const converted = json(value);
  if (converted === undefined) return new ToolResult();
  const isObject = typeof converted === 'object' && converted !== null && !Array.isArray(converted);
  const structuredContent = isObject && !isWrapped ? converted : { result: converted };
  const text = typeof converted === 'string' ? converted : JSON.stringify(structuredContent);
  return new ToolResult({ content: [new TextContent(text)], structuredContent });
}

function json(value: unknown): unknown {
  try {
    return toJsonValue(value);
  } catch (error) {
    if (!(error instanceof UnserializableError)) throw error;
    throw new McpLayerError(`The result cannot be sent: ${error.message}.`, { path: error.path, problem: error.problem });
  }
}

/**
 * A resource's contents: text and bytes as they are, contents as they are, any other value as JSON.
 *
 * @throws {NotFoundError} When the handler returned nothing: there is no such resource.
 */
export function toResourceContents(
  value: unknown,
  uri: string,
  spec: ResourceSpec | ResourceTemplateSpec,
): readonly ResourceContents[] {
  const options = { mimeType: spec.mimeType };
  if (value === undefined) throw new NotFoundError(`Resource not found: ${uri}`, { uri });
  if (isResourceContents(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isResourceContents)) return value;
  if (typeof value === 'string') return [new TextResourceContents(uri, value, options)];
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return [new BlobResourceContents(uri, value, options)];
  return [new TextResourceContents(uri, JSON.stringify(json(value)), options)];
}

/** A prompt's answer. @throws {McpLayerError} When the handler returned neither text nor messages. */
export function toPromptResult(value: unknown, spec: PromptSpec): PromptResult {
  const description = spec.description === '' ? {} : { description: spec.description };
  if (isPromptResult(value)) return value;
  if (typeof value === 'string') return new PromptResult([Message.user(value)], description);
  if (isPromptMessage(value)) return new PromptResult([value], description);
  if (Array.isArray(value) && value.length > 0 && value.every(isPromptMessage)) {
    return new PromptResult(value as PromptMessage[], description);
  }
  throw new McpLayerError(`Prompt ${spec.name} returned no messages.`);
}

/** The first hundred values, and how many there are. */
export function toCompletionResult(value: unknown): CompletionResult {
  const iterable = typeof value === 'string' ? [value] : ((value ?? []) as Iterable<unknown>);
  const values = Array.from(iterable, String);
  return { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore: values.length > MAX_COMPLETIONS };
}
