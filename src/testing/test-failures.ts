import type { Wire } from '../core/content.js';

/** What a call threw whose tool answered with an error: the model's view of it. */
export class ToolFailure extends Error {
  /** What `_meta` says of it: a JSON-RPC code, `timeout` or `handler_error`; `undefined` for a result that a handler made. */
  readonly code: number | string | undefined;
  readonly data: unknown;

  constructor(
    readonly tool: string,
    /** The whole result, as it went over the wire. */
    readonly result: Wire,
  ) {
    super(textOf(result));
    this.name = 'ToolFailure';
    this.code = metaOf(result, 'error_code') as number | string | undefined;
    this.data = metaOf(result, 'error_data');
  }
}

/** What a request threw that was answered with a JSON-RPC error. */
export class ProtocolFailure extends Error {
  constructor(
    readonly method: string,
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
    this.name = 'ProtocolFailure';
  }
}

/** The text blocks of a result, one a line. */
export function textOf({ content }: Wire): string {
  return (content as readonly Wire[])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text as string)
    .join('\n');
}

/** Whatever prefix the layer writes its `_meta` keys with. */
function metaOf({ _meta: meta }: Wire, name: string): unknown {
  const found = Object.entries((meta ?? {}) as Wire).find(([key]) => key.endsWith(`/${name}`));
  return found?.[1];
}
