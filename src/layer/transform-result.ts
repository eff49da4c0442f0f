import {
  type Content,
  EmbeddedResource,
  type ResourceContents,
  ResourceLink,
  TextContent,
  TextResourceContents,
} from '../core/content.js';
import type { CompletionResult } from '../core/middleware.js';
import { isPromptResult, PromptMessage, PromptResult } from '../core/prompt-result.js';
import { isToolResult, ToolResult } from '../core/tool-result.js';

type Output = (value: unknown) => unknown;

/** Applies a policy's rewriting to everything in an answer that a person or a model can read; blobs and media stay. */
export function transformResult(answer: unknown, output: Output): unknown {
  if (isToolResult(answer)) return transformTool(answer, output);
  if (isPromptResult(answer)) {
    return new PromptResult(
      answer.messages.map(({ role, content }) => new PromptMessage(role, transformContent(content, output))),
      {
        description: answer.description === undefined ? undefined : String(output(answer.description)),
        ...metaOf(answer.meta, output),
      },
    );
  }
  return (answer as readonly ResourceContents[]).map((item) => transformContents(item, output));
}

/** Each value is rewritten under its argument's name, so that rules about keys apply; what they drop is not offered. */
export function transformCompletion(
  { values, ...rest }: CompletionResult,
  argument: string,
  output: Output,
): CompletionResult {
  const shown = values.flatMap((value) => {
    const { [argument]: rewritten } = output({ [argument]: value }) as Record<string, unknown>;
    return rewritten === undefined || rewritten === null
      ? []
      : [typeof rewritten === 'string' ? rewritten : JSON.stringify(rewritten)];
  });
  return { values: shown, ...rest };
}

function transformTool(result: ToolResult, output: Output): ToolResult {
  const { structuredContent: before } = result;
  if (before === undefined) {
    return new ToolResult({
      content: result.content.map((block) => transformContent(block, output)),
      isError: result.isError,
      ...metaOf(result.meta, output),
    });
  }
  const structuredContent = output(before);
  const mirrored = mirrorOf(before);
  return new ToolResult({
    content: result.content.map((block) =>
      block instanceof TextContent && mirrored.includes(block.text)
        ? new TextContent(textOf(structuredContent, block.text === JSON.stringify(before)), block.options)
        : transformContent(block, output),
    ),
    structuredContent,
    isError: result.isError,
    ...metaOf(result.meta, output),
  });
}

/** The texts that say the same as the structured value, and must go on doing so. */
function mirrorOf(structured: unknown): readonly string[] {
  const wrapped = (structured as { result?: unknown } | null)?.result;
  return typeof wrapped === 'string' ? [JSON.stringify(structured), wrapped] : [JSON.stringify(structured)];
}

function textOf(structured: unknown, asJson: boolean): string {
  return asJson ? JSON.stringify(structured) : String((structured as { result?: unknown }).result);
}

function metaOf(
  meta: Readonly<Record<string, unknown>> | undefined,
  output: Output,
): { meta?: Record<string, unknown> } {
  return meta === undefined ? {} : { meta: output(meta) as Record<string, unknown> };
}

/** Applies a policy's rewriting to one block. */
export function transformContent(content: Content, output: Output): Content {
  if (content instanceof TextContent) return new TextContent(String(output(content.text)), content.options);
  if (content instanceof ResourceLink) {
    const { title, description } = content.options;
    return new ResourceLink(String(output(content.uri)), String(output(content.name)), {
      ...content.options,
      ...(title === undefined ? {} : { title: String(output(title)) }),
      ...(description === undefined ? {} : { description: String(output(description)) }),
    });
  }
  if (content instanceof EmbeddedResource) {
    return new EmbeddedResource(transformContents(content.resource, output), content.options);
  }
  return content;
}

function transformContents(contents: ResourceContents, output: Output): ResourceContents {
  if (!(contents instanceof TextResourceContents)) return contents;
  return new TextResourceContents(
    contents.uri,
    transformText(contents.text, contents.options.mimeType, output),
    contents.options,
  );
}

/** JSON text is rewritten as the value it stands for, so that rules about keys apply. */
function transformText(text: string, mimeType: string | undefined, output: Output): string {
  if (mimeType?.includes('json') === true) {
    try {
      return JSON.stringify(output(JSON.parse(text)));
    } catch {
      // Not JSON after all: text.
    }
  }
  return String(output(text));
}
