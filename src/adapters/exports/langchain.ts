import type { Wire } from '../../core/content.js';
import type { Layer } from '../../layer/layer.js';
import { loadPackage } from '../load-package.js';
import { modelTools, type ModelToolOptions, textOf } from './model-tools.js';

/** What `DynamicStructuredTool` of `@langchain/core` is made from here. */
export interface LangChainToolFields {
  readonly name: string;
  readonly description: string;
  readonly schema: Record<string, unknown>;
  readonly responseFormat: 'content_and_artifact';
  func(input: unknown, manager?: unknown, config?: { readonly signal?: AbortSignal }): Promise<[string, Wire]>;
}

/** A tool of LangChain, as far as this package needs it. */
export interface LangChainTool {
  readonly name: string;
  invoke(input: unknown, config?: unknown): Promise<unknown>;
}

/** How tools become LangChain's. */
export interface LangChainOptions<T> extends ModelToolOptions {
  /** `DynamicStructuredTool`, where it is not this package's to load: a copy in the other module format. */
  readonly toolClass?: new (fields: LangChainToolFields) => T;
}

/**
 * A layer's tools as LangChain's, to pass to `bindTools` or an agent. A message gets the text; the whole result is its
 * artifact. A tool that fails gives its error text to the model, as in MCP.
 *
 * @throws {ConfigurationError} As names clash, and when `@langchain/core` is not installed.
 */
export async function toLangChainTools<T = LangChainTool>(
  layer: Layer,
  options: LangChainOptions<T> = {},
): Promise<T[]> {
  const own = modelTools(layer, options);
  const Tool =
    options.toolClass ??
    ((await loadPackage('langchain', 'toLangChainTools')).DynamicStructuredTool as unknown as new (
      fields: LangChainToolFields,
    ) => T);
  return own.map(
    ({ call, description, name, schema }) =>
      new Tool({
        name,
        description,
        schema: structuredClone(schema),
        responseFormat: 'content_and_artifact',
        func: async (input, _manager, config) => {
          const signal = config?.signal;
          const result = await call(input, signal === undefined ? {} : { signal });
          return [textOf(result), result];
        },
      }),
  );
}
