import {
  AudioContent,
  BlobResourceContents,
  type Content,
  type ContentAnnotations,
  type ContentOptions,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  type ResourceLinkOptions,
  TextContent,
  TextResourceContents,
  type Wire,
} from './content.js';
import { McpLayerError } from './errors.js';
import { ToolResult } from './tool-result.js';

/** What {@link ToolResult.toWire} wrote, as a result again. @throws {McpLayerError} For a block of no known type. */
export function toolResultFromWire(wire: Wire): ToolResult {
  return new ToolResult({
    content: (wire['content'] as readonly Wire[]).map(contentFromWire),
    structuredContent: wire['structuredContent'],
    isError: wire['isError'] === true,
    meta: wire['_meta'] as Readonly<Record<string, unknown>> | undefined,
  });
}

/** What a content class wrote, as an instance of it again. @throws {McpLayerError} For a block of no known type. */
function contentFromWire(wire: Wire): Content {
  const options = optionsOf(wire);
  switch (wire['type']) {
    case 'text':
      return new TextContent(wire['text'] as string, options);
    case 'image':
      return new ImageContent(wire['data'] as string, wire['mimeType'] as string, options);
    case 'audio':
      return new AudioContent(wire['data'] as string, wire['mimeType'] as string, options);
    case 'resource':
      return new EmbeddedResource(resourceContentsFromWire(wire['resource'] as Wire), options);
    case 'resource_link': {
      // The class picks what it knows of the wire.
      return new ResourceLink(wire['uri'] as string, wire['name'] as string, {
        ...(wire as ResourceLinkOptions),
        meta: options?.meta,
      });
    }
    default:
      throw new McpLayerError(`No content block has the type '${String(wire['type'])}'.`);
  }
}

/** What contents of a resource wrote, as an instance again. */
export function resourceContentsFromWire(wire: Wire): ResourceContents {
  const {
    uri,
    mimeType,
    blob,
    text,
    _meta: meta,
  } = wire as {
    uri: string;
    mimeType?: string;
    blob?: string;
    text?: string;
    _meta?: Readonly<Record<string, unknown>>;
  };
  const options = { ...(mimeType === undefined ? {} : { mimeType }), ...(meta === undefined ? {} : { meta }) };
  return blob === undefined
    ? new TextResourceContents(uri, text ?? '', options)
    : new BlobResourceContents(uri, blob, options);
}

function optionsOf(wire: Wire): ContentOptions | undefined {
  const { annotations, _meta: meta } = wire;
  if (annotations === undefined && meta === undefined) return undefined;
  return {
    ...(annotations === undefined ? {} : { annotations: annotations as ContentAnnotations }),
    ...(meta === undefined ? {} : { meta: meta as Readonly<Record<string, unknown>> }),
  };
}

/** `content` as this copy of the package knows it: another loaded copy has classes of its own. */
export function adoptContent(content: Content): Content {
  return hasLocalClass(content) ? content : contentFromWire(content.toWire());
}

/** `contents` as this copy of the package knows them. */
export function adoptContents(contents: ResourceContents): ResourceContents {
  return contents instanceof ResourceContents
    ? contents
    : resourceContentsFromWire((contents as ResourceContents).toWire());
}

function hasLocalClass(content: Content): boolean {
  return (
    content instanceof TextContent ||
    content instanceof ImageContent ||
    content instanceof AudioContent ||
    content instanceof ResourceLink ||
    (content instanceof EmbeddedResource && content.resource instanceof ResourceContents)
  );
}
