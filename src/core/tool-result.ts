import {
  AudioContent,
  type Content,
  type ContentOptions,
  EmbeddedResource,
  ImageContent,
  type ResourceContents,
  ResourceLink,
  type ResourceLinkOptions,
  TextContent,
  type Wire,
} from './content.js';

const BRAND = Symbol.for('cartouche.tool-result');

/** What a tool result is made of. */
export interface ToolResultInit {
  readonly content?: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What a tool answers, block by block. Immutable: each builder gives a new result.
 *
 * `ToolResult.text('Done.').image(png, 'image/png').link('docs://a', 'A')`
 */
export class ToolResult {
  readonly [BRAND] = true;
  readonly content: readonly Content[];
  readonly structuredContent: unknown;
  readonly isError: boolean;
  readonly meta: Readonly<Record<string, unknown>> | undefined;

  constructor(init: ToolResultInit = {}) {
    this.content = init.content ?? [];
    this.structuredContent = init.structuredContent;
    this.isError = init.isError ?? false;
    this.meta = init.meta;
  }

  /** A result that tells the model what went wrong. */
  static error(message: string, meta?: Readonly<Record<string, unknown>>): ToolResult {
    return new ToolResult({ content: [new TextContent(message)], isError: true, ...(meta ? { meta } : {}) });
  }

  static text(text: string, options?: ContentOptions): ToolResult {
    return new ToolResult().text(text, options);
  }

  static image(data: string | Uint8Array, mimeType?: string, options?: ContentOptions): ToolResult {
    return new ToolResult().image(data, mimeType, options);
  }

  static audio(data: string | Uint8Array, mimeType?: string, options?: ContentOptions): ToolResult {
    return new ToolResult().audio(data, mimeType, options);
  }

  static link(uri: string, name: string, options?: ResourceLinkOptions): ToolResult {
    return new ToolResult().link(uri, name, options);
  }

  static embedded(resource: ResourceContents, options?: ContentOptions): ToolResult {
    return new ToolResult().embedded(resource, options);
  }

  /** A result whose only part is a JSON object; text blocks are the author's to add. */
  static structured(value: Readonly<Record<string, unknown>>): ToolResult {
    return new ToolResult({ structuredContent: value });
  }

  text(text: string, options?: ContentOptions): ToolResult {
    return this.append(new TextContent(text, options));
  }

  image(data: string | Uint8Array, mimeType?: string, options?: ContentOptions): ToolResult {
    return this.append(new ImageContent(data, mimeType, options));
  }

  audio(data: string | Uint8Array, mimeType?: string, options?: ContentOptions): ToolResult {
    return this.append(new AudioContent(data, mimeType, options));
  }

  link(uri: string, name: string, options?: ResourceLinkOptions): ToolResult {
    return this.append(new ResourceLink(uri, name, options));
  }

  embedded(resource: ResourceContents, options?: ContentOptions): ToolResult {
    return this.append(new EmbeddedResource(resource, options));
  }

  /** The same result with more blocks at its end. */
  append(...content: readonly Content[]): ToolResult {
    return this.with({ content: [...this.content, ...content] });
  }

  /** The same result with more `_meta`. */
  withMeta(meta: Readonly<Record<string, unknown>>): ToolResult {
    const { content, isError, structuredContent } = this;
    // Every call comes by here: listing the fields costs a third of spreading them.
    return new ToolResult({
      content,
      structuredContent,
      isError,
      meta: this.meta === undefined ? meta : { ...this.meta, ...meta },
    });
  }

  /** The same result with some parts replaced. */
  with(changes: ToolResultInit): ToolResult {
    const { content, isError, meta, structuredContent } = this;
    return new ToolResult({ content, isError, meta, structuredContent, ...changes });
  }

  toWire(): Wire {
    const wire: Wire = { content: this.content.map((block) => block.toWire()), isError: this.isError };
    if (this.structuredContent !== undefined) wire['structuredContent'] = this.structuredContent;
    if (this.meta !== undefined) wire['_meta'] = this.meta;
    return wire;
  }
}

/** Whether `value` is a tool result of ours, from whichever loaded copy of this package. */
export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && BRAND in value;
}
