import {
  AudioContent,
  BlobResourceContents,
  type Content,
  EmbeddedResource,
  ImageContent,
  type ResourceContents,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from '../core/content.js';
import type { CompletionResult } from '../core/middleware.js';
import { isRecord } from '../core/guards.js';
import type { Place } from '../core/ports.js';
import { PromptMessage, PromptResult } from '../core/prompt-result.js';
import { ToolResult } from '../core/tool-result.js';

type Meta = Readonly<Record<string, unknown>>;

/** Rewrites one value that leaves. */
export type Rewrite = (value: unknown, place: Place) => Promise<unknown>;

/** @param asked The URI that was asked for, which the caller knows already. */
export async function transformResource(
  answer: readonly ResourceContents[],
  rewrite: Rewrite,
  asked: string,
): Promise<readonly ResourceContents[]> {
  const shown: ResourceContents[] = [];
  for (const item of answer) {
    const contents = await transformContents(item, rewrite, asked);
    if (contents !== undefined) shown.push(contents);
  }
  return shown;
}

/** Each value is rewritten under its argument's name, so that rules about keys apply; what they drop is not offered. */
export async function transformCompletion(
  { values, ...rest }: CompletionResult,
  argument: string,
  rewrite: Rewrite,
): Promise<CompletionResult> {
  const shown: string[] = [];
  for (const value of values) {
    const rewritten = await rewrite(value, { part: 'completion', key: argument });
    if (rewritten !== undefined && rewritten !== null) shown.push(asText(rewritten));
  }
  return { values: shown, ...rest };
}

/** Writes what a policy did into the answer of a prompt. */
export function reportInPrompt({ description, messages, meta }: PromptResult, report: Meta): PromptResult {
  return new PromptResult(messages, { description, meta: { ...meta, ...report } });
}

/** Writes what a policy did into the first contents of a resource. */
export function reportInContents(answer: readonly ResourceContents[], report: Meta): readonly ResourceContents[] {
  const [first, ...others] = answer;
  if (first === undefined) return answer;
  return [likeContents(first, first.uri, { ...first.options, meta: { ...first.options.meta, ...report } }), ...others];
}

/** What stands where text is expected. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** Applies a policy's rewriting to everything in a prompt that a person or a model can read; blobs and media stay. */
export async function transformPrompt(
  { description, messages, meta }: PromptResult,
  rewrite: Rewrite,
): Promise<PromptResult> {
  const shown: PromptMessage[] = [];
  for (const { role, content } of messages) {
    for (const block of await eachContent([content], rewrite)) shown.push(new PromptMessage(role, block));
  }
  return new PromptResult(shown, {
    description: await transformField(description, rewrite, 'description'),
    ...(await metaOf(meta, rewrite)),
  });
}

/** The same for the answer of a tool: the text that mirrors the structured value goes on doing so. */
export async function transformTool(result: ToolResult, rewrite: Rewrite): Promise<ToolResult> {
  const { structuredContent: before } = result;
  if (before === undefined) {
    const content = await eachContent(result.content, rewrite);
    return new ToolResult({ content, isError: result.isError, ...(await metaOf(result.meta, rewrite)) });
  }
  const structuredContent = await rewrite(before, { part: 'structured' });
  const mirrored = mirrorOf(before);
  const content: Content[] = [];
  for (const block of result.content) {
    if (!(block instanceof TextContent && mirrored.includes(block.text))) {
      content.push(...(await eachContent([block], rewrite)));
    } else if (structuredContent !== undefined) {
      const text = textOf(structuredContent, block.text === JSON.stringify(before));
      content.push(new TextContent(text, await optionsOf(block.options, rewrite)));
    }
  }
  return new ToolResult({
    content,
    structuredContent,
    isError: result.isError,
    ...(await metaOf(result.meta, rewrite)),
  });
}

/** The texts that say the same as the structured value, and must go on doing so. */
function mirrorOf(structured: unknown): readonly string[] {
  const wrapped = wrappedIn(structured);
  return typeof wrapped === 'string' ? [JSON.stringify(structured), wrapped] : [JSON.stringify(structured)];
}

function wrappedIn(structured: unknown): unknown {
  return typeof structured === 'object' && structured !== null && 'result' in structured
    ? structured.result
    : undefined;
}

function textOf(structured: unknown, asJson: boolean): string {
  return asText(asJson ? JSON.stringify(structured) : wrappedIn(structured));
}

async function metaOf(meta: Meta | undefined, rewrite: Rewrite): Promise<{ meta?: Meta }> {
  const shown = meta === undefined ? undefined : await rewrite(meta, { part: 'meta' });
  return isRecord(shown) ? { meta: shown } : {};
}

/** Options of a block or of contents, with their `_meta` rewritten. */
async function optionsOf<O extends { readonly meta?: Meta }>(options: O, rewrite: Rewrite): Promise<O>;
async function optionsOf<O extends { readonly meta?: Meta }>(options: O | undefined, rewrite: Rewrite): Promise<O | undefined>; // prettier-ignore
async function optionsOf(options: { readonly meta?: Meta } | undefined, rewrite: Rewrite): Promise<unknown> {
  if (options?.meta === undefined) return options;
  const { meta, ...others } = options;
  return { ...others, ...(await metaOf(meta, rewrite)) };
}

async function transformField(text: string | undefined, rewrite: Rewrite, key: string): Promise<string | undefined> {
  const shown = text === undefined ? undefined : await rewrite(text, { part: 'text', key });
  return shown === undefined ? undefined : asText(shown);
}

/** Applies a policy's rewriting to blocks, one after the other; those that it drops are gone. */
export async function eachContent(blocks: readonly Content[], rewrite: Rewrite): Promise<readonly Content[]> {
  const shown: Content[] = [];
  for (const block of blocks) {
    const rewritten = await transformContent(block, rewrite);
    if (rewritten !== undefined) shown.push(rewritten);
  }
  return shown;
}

async function transformContent(content: Content, rewrite: Rewrite): Promise<Content | undefined> {
  if (content instanceof TextContent) {
    const text = await rewrite(content.text, { part: 'text' });
    return text === undefined ? undefined : new TextContent(asText(text), await optionsOf(content.options, rewrite));
  }
  if (content instanceof ResourceLink) return transformLink(content, rewrite);
  if (content instanceof EmbeddedResource) {
    const resource = await transformContents(content.resource, rewrite);
    return resource && new EmbeddedResource(resource, await optionsOf(content.options, rewrite));
  }
  if (content instanceof ImageContent || content instanceof AudioContent) {
    if (content.options?.meta === undefined) return content;
    const Media = content instanceof ImageContent ? ImageContent : AudioContent;
    return new Media(content.data, content.mimeType, await optionsOf(content.options, rewrite));
  }
  return content;
}

async function transformLink({ name, options, uri }: ResourceLink, rewrite: Rewrite): Promise<Content | undefined> {
  const shownUri = await rewrite(uri, { part: 'uri' });
  if (shownUri === undefined) return undefined;
  const { description, title, ...others } = await optionsOf(options, rewrite);
  const shownTitle = await transformField(title, rewrite, 'title');
  const shownDescription = await transformField(description, rewrite, 'description');
  return new ResourceLink(asText(shownUri), (await transformField(name, rewrite, 'name')) ?? '', {
    ...others,
    ...(shownTitle === undefined ? {} : { title: shownTitle }),
    ...(shownDescription === undefined ? {} : { description: shownDescription }),
  });
}

async function transformContents(
  contents: ResourceContents,
  rewrite: Rewrite,
  asked?: string,
): Promise<ResourceContents | undefined> {
  const uri = contents.uri === asked ? asked : await rewrite(contents.uri, { part: 'uri' });
  if (uri === undefined) return undefined;
  const options = await optionsOf(contents.options, rewrite);
  if (!(contents instanceof TextResourceContents)) return likeContents(contents, asText(uri), options);
  const text = await transformText(contents.text, options.mimeType, rewrite);
  return text === undefined ? undefined : new TextResourceContents(asText(uri), text, options);
}

/** The same contents under another URI or with other options. */
function likeContents(contents: ResourceContents, uri: string, options: ResourceContents['options']): ResourceContents {
  if (contents instanceof TextResourceContents) return new TextResourceContents(uri, contents.text, options);
  if (contents instanceof BlobResourceContents) return new BlobResourceContents(uri, contents.blob, options);
  return contents;
}

/** JSON text is rewritten as the value it stands for, so that rules about keys apply. */
async function transformText(
  text: string,
  mimeType: string | undefined,
  rewrite: Rewrite,
): Promise<string | undefined> {
  const typed = mimeType === undefined ? {} : { mimeType };
  const parsed = mimeType?.includes('json') === true ? parse(text) : undefined;
  if (parsed !== undefined) {
    const shown = await rewrite(parsed, { part: 'structured', ...typed });
    return shown === undefined ? undefined : JSON.stringify(shown);
  }
  const shown = await rewrite(text, { part: 'text', ...typed });
  return shown === undefined ? undefined : asText(shown);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON after all: text.
    return undefined;
  }
}
