import { ConfigurationError } from './errors.js';
import { finding } from './finding.js';

const BRAND = Symbol.for('cartouche.content');

/** Hints about who content is for. Source: MCP, "Annotations". */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** What every content class takes besides its own fields. */
export interface ContentOptions {
  readonly annotations?: ContentAnnotations;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A picture that stands for a server or a primitive. `data:` URIs need no network. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  /** `48x48` or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** A JSON object as it goes over the wire. */
export type Wire = Record<string, unknown>;

/** Writes the optional keys that all content shares. */
function finish(wire: Wire, options: ContentOptions | undefined): Wire {
  const { annotations, meta } = options ?? {};
  if (annotations !== undefined && Object.keys(annotations).length > 0) wire['annotations'] = annotations;
  if (meta !== undefined) wire['_meta'] = meta;
  return wire;
}

/** Base64 with padding and no `data:` prefix, whatever the bytes came as. */
function toBase64(data: string | Uint8Array | ArrayBuffer): string {
  if (typeof data === 'string') return data;
  const view = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('base64');
}

const DATA_URL = /^data:([^;,]+)?(?:;[^,]*?)?;base64,/i;

/** Base64 and media type of binary content; a base64 `data:` URL brings its own type. */
function media(data: string | Uint8Array, mimeType: string | undefined, site: string): [string, string] {
  const url = typeof data === 'string' ? DATA_URL.exec(data) : null;
  const type = mimeType ?? url?.[1];
  if (type === undefined)
    throw new ConfigurationError(finding('CT908', `${site}: no media type. Pass one, for example 'image/png'.`));
  return [url === null ? toBase64(data) : (data as string).slice(url[0].length), type];
}

/** A block of a tool's result or of a prompt message. */
export abstract class Content {
  readonly [BRAND] = true;
  abstract toWire(): Wire;
}

/** Whether `value` is content of ours, from whichever loaded copy of this package. */
export function isContent(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** Text. */
export class TextContent extends Content {
  constructor(
    readonly text: string,
    readonly options?: ContentOptions,
  ) {
    super();
  }

  toWire(): Wire {
    return finish({ type: 'text', text: this.text }, this.options);
  }
}

/** A picture, as bytes, base64 text or a base64 `data:` URL. */
export class ImageContent extends Content {
  readonly data: string;
  readonly mimeType: string;

  /** @throws {ConfigurationError} When neither `mimeType` nor a `data:` URL names the media type. */
  constructor(
    data: string | Uint8Array,
    mimeType?: string,
    readonly options?: ContentOptions,
  ) {
    super();
    [this.data, this.mimeType] = media(data, mimeType, 'ImageContent');
  }

  toWire(): Wire {
    return finish({ type: 'image', data: this.data, mimeType: this.mimeType }, this.options);
  }
}

/** Sound, as bytes, base64 text or a base64 `data:` URL. */
export class AudioContent extends Content {
  readonly data: string;
  readonly mimeType: string;

  /** @throws {ConfigurationError} When neither `mimeType` nor a `data:` URL names the media type. */
  constructor(
    data: string | Uint8Array,
    mimeType?: string,
    readonly options?: ContentOptions,
  ) {
    super();
    [this.data, this.mimeType] = media(data, mimeType, 'AudioContent');
  }

  toWire(): Wire {
    return finish({ type: 'audio', data: this.data, mimeType: this.mimeType }, this.options);
  }
}

/** What a link may say about its resource. */
export interface ResourceLinkOptions extends ContentOptions {
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes, before any encoding. */
  readonly size?: number;
  readonly icons?: readonly Icon[];
}

/** A pointer to a resource that the client may read. */
export class ResourceLink extends Content {
  constructor(
    readonly uri: string,
    readonly name: string,
    readonly options: ResourceLinkOptions = {},
  ) {
    super();
  }

  toWire(): Wire {
    const { title, description, mimeType, size, icons } = this.options;
    const wire: Wire = { type: 'resource_link', uri: this.uri, name: this.name };
    if (title) wire['title'] = title;
    if (description) wire['description'] = description;
    if (mimeType) wire['mimeType'] = mimeType;
    if (size !== undefined) wire['size'] = size;
    if (icons !== undefined && icons.length > 0) wire['icons'] = icons;
    return finish(wire, this.options);
  }
}

/** What both kinds of resource contents take. */
export interface ResourceContentsOptions {
  readonly mimeType?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

const RESOURCE_BRAND = Symbol.for('cartouche.resource-contents');

/** One entry of what a resource read returns. */
export abstract class ResourceContents {
  readonly [RESOURCE_BRAND] = true;
  readonly uri: string;
  readonly options: ResourceContentsOptions;

  constructor(uri: string, options: ResourceContentsOptions = {}) {
    this.uri = uri;
    this.options = options;
  }

  abstract toWire(): Wire;

  protected wire(body: Wire): Wire {
    const { mimeType, meta } = this.options;
    return {
      uri: this.uri,
      ...(mimeType ? { mimeType } : {}),
      ...body,
      ...(meta === undefined ? {} : { _meta: meta }),
    };
  }
}

/** Whether `value` is resource contents of ours, from whichever loaded copy of this package. */
export function isResourceContents(value: unknown): value is ResourceContents {
  return typeof value === 'object' && value !== null && RESOURCE_BRAND in value;
}

/** Text of a resource. */
export class TextResourceContents extends ResourceContents {
  constructor(
    uri: string,
    readonly text: string,
    options?: ResourceContentsOptions,
  ) {
    super(uri, options);
  }

  toWire(): Wire {
    return this.wire({ text: this.text });
  }
}

/** Bytes of a resource; on the wire, base64. */
export class BlobResourceContents extends ResourceContents {
  readonly blob: string;

  /** @param data Bytes, or base64 text. */
  constructor(uri: string, data: string | Uint8Array | ArrayBuffer, options?: ResourceContentsOptions) {
    super(uri, options);
    this.blob = toBase64(data);
  }

  toWire(): Wire {
    return this.wire({ blob: this.blob });
  }
}

/** A resource's contents inside a result or a message. */
export class EmbeddedResource extends Content {
  constructor(
    readonly resource: ResourceContents,
    readonly options?: ContentOptions,
  ) {
    super();
  }

  toWire(): Wire {
    return finish({ type: 'resource', resource: this.resource.toWire() }, this.options);
  }
}
