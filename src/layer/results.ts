import { BOUNDS } from '../core/bounds.js';
import { types } from 'node:util';
import {
  BlobResourceContents,
  type Content,
  EmbeddedResource,
  isContent,
  isResourceContents,
  type ResourceContents,
  TextContent,
  TextResourceContents,
} from '../core/content.js';
import { type ErrorTeller, textOf } from '../core/error-form.js';
import { McpLayerError, NotFoundError, UnsendableError } from '../core/errors.js';
import { adoptContent, adoptContents } from '../core/from-wire.js';
import { isRecord } from '../core/guards.js';
import { base64Length, MAX_ITERATED, toJsonValue, UnserializableError } from '../core/json-value.js';
import type { CompletionResult } from '../core/middleware.js';
import { isPromptMessage, isPromptResult, PromptMessage, PromptResult } from '../core/prompt-result.js';
import { isToolResult, ToolResult } from '../core/tool-result.js';
import type { PromptSpec } from '../registry/prompt-spec.js';
import type { ResourceSpec, ResourceTemplateSpec } from '../registry/resource-spec.js';
import { toWireObject } from '../schema/wire/dto-wire.js';

/** How many completion values a client takes. Source: MCP, "Completion". */
const MAX_COMPLETIONS = BOUNDS.completions.default;

/**
 * A tool's answer: a result and content as they are; nothing as no content; any other value as structured content and
 * one text block.
 *
 * @param wrapped Whether the declared output is not an object, so that even an object goes under `result`.
 * @param maxChars How long its structured content may be.
 * @param errors What stands for Errors in it.
 * @throws {UnsendableError} When the value cannot be sent, with the path that leads to why.
 */
export function toToolResult(value: unknown, wrapped = false, maxChars = Infinity, errors?: ErrorTeller): ToolResult {
  if (typeof value === 'object' && value !== null) {
    if (isToolResult(value)) return adoptResult(value, maxChars, errors);
    const content = contentOf(value);
    if (content !== undefined) return new ToolResult({ content });
  }
  const converted = json(value, maxChars, errors);
  if (converted === undefined) return new ToolResult();
  const structuredContent = wrapped || !isRecord(converted) ? { result: converted } : converted;
  const text = typeof converted === 'string' ? converted : JSON.stringify(structuredContent);
  return new ToolResult({ content: [new TextContent(text)], structuredContent });
}

/** An author's own result, with what could not be sent found now. */
function adoptResult(result: ToolResult, maxChars: number, errors: ErrorTeller | undefined): ToolResult {
  const { content, meta, structuredContent } = result;
  const blocks = content.map((block, index) => {
    const adopted: Content | undefined = asContent(block);
    if (adopted !== undefined) return adopted;
    throw new UnsendableError(`content.${index}: is not content. Use TextContent and its sisters`);
  });
  return new ToolResult({
    content: blocks,
    structuredContent: json(structuredContent, maxChars, errors),
    isError: result.isError,
    meta: metaOf(meta, errors),
  });
}

/** Content classes are content; whatever else has a `type` is a value. */
function contentOf(value: object): readonly Content[] | undefined {
  if (!Array.isArray(value)) {
    const block = asContent(value);
    return block && [block];
  }
  if (value.length === 0 || !value.every((item) => isContent(item) || isResourceContents(item))) return undefined;
  return value.map((item) => asContent(item) as Content);
}

function asContent(value: unknown): Content | undefined {
  if (isContent(value)) return adoptContent(value);
  return isResourceContents(value) ? new EmbeddedResource(adoptContents(value)) : undefined;
}

function metaOf(meta: unknown, errors?: ErrorTeller): Readonly<Record<string, unknown>> | undefined {
  const plain = json(meta, undefined, errors);
  return isRecord(plain) ? plain : undefined;
}

function json(value: unknown, maxChars?: number, errors?: ErrorTeller): unknown {
  try {
    return toJsonValue(value, instanceForm, maxChars, errors);
  } catch (error) {
    if (!(error instanceof UnserializableError)) throw error;
    const { cause, message, path, problem } = error;
    throw new UnsendableError(message, { path, problem }, cause === undefined ? undefined : { cause });
  }
}

/** DTO instances go under the names that their class exposes. */
function instanceForm(instance: object): object | undefined {
  const form = toWireObject(instance);
  return form === instance ? undefined : (form as object);
}

/**
 * A resource's contents: text and bytes as they are, contents as they are, any other value as JSON.
 *
 * @param maxChars How long it may be.
 * @throws {NotFoundError} When the handler returned nothing: there is no such resource.
 * @throws {UnsendableError} When the value cannot be sent.
 */
export function toResourceContents(
  value: unknown,
  uri: string,
  spec: ResourceSpec | ResourceTemplateSpec,
  maxChars = Infinity,
  errors?: ErrorTeller,
): readonly ResourceContents[] {
  const options = { mimeType: spec.mimeType };
  if (value === undefined) throw new NotFoundError(`Resource not found: ${uri}`, { uri });
  if (isResourceContents(value)) return [adoptContents(value)];
  if (Array.isArray(value) && value.length > 0 && value.every(isResourceContents)) return value.map(adoptContents);
  if (typeof value === 'string') return [new TextResourceContents(uri, value, options)];
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    const length = base64Length((value as ArrayBuffer).byteLength);
    if (length > maxChars) throw tooLong(length, maxChars);
  }
  if (types.isUint8Array(value)) return [new BlobResourceContents(uri, value, options)];
  if (types.isAnyArrayBuffer(value))
    return [new BlobResourceContents(uri, new Uint8Array(value as ArrayBuffer), options)];
  return [new TextResourceContents(uri, JSON.stringify(json(value, maxChars, errors)), options)];
}

/** Why an answer is not sent that has more characters than it may. */
export function tooLong(chars: number, maxChars: number): UnsendableError {
  return new UnsendableError(
    `it has ${chars} characters, and maxResultChars allows ${maxChars}. Return less, in pages or by a link`,
    { chars, max_chars: maxChars },
  );
}

/** A prompt's answer. @throws {McpLayerError} When the handler returned neither text nor messages. */
export function toPromptResult(value: unknown, spec: PromptSpec, errors?: ErrorTeller): PromptResult {
  const description = spec.description === '' ? undefined : spec.description;
  if (typeof value === 'string') return new PromptResult([PromptMessage.user(value)], { description });
  const own = isPromptResult(value) ? value : undefined;
  const messages: readonly unknown[] = own?.messages ?? (Array.isArray(value) ? value : [value]);
  if (messages.length === 0 || !messages.every(isPromptMessage)) {
    throw new McpLayerError(`Prompt ${spec.name} returned no messages. Return text, PromptMessages or a PromptResult.`);
  }
  return new PromptResult(messages.map(adoptMessage), {
    description: own === undefined ? description : own.description,
    meta: metaOf(own?.meta, errors),
  });
}

function adoptMessage(message: PromptMessage): PromptMessage {
  const content = adoptContent(message.content);
  return content === message.content && message instanceof PromptMessage
    ? message
    : new PromptMessage(message.role, content);
}

/** The first hundred values, and how many there are. */
export function toCompletionResult(value: unknown): CompletionResult {
  const values: string[] = [];
  let total = 0;
  for (const item of iterableOf(value)) {
    if (values.length < MAX_COMPLETIONS) values.push(textOf(item));
    total += 1;
    // Whoever yields without end is not counted to the end.
    if (total >= MAX_ITERATED) break;
  }
  return { values, total, hasMore: total > MAX_COMPLETIONS };
}

function iterableOf(value: unknown): Iterable<unknown> {
  if (typeof value === 'string') return [value];
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
  return isIterable ? (value as Iterable<unknown>) : [];
}
