import type { Wire } from '../../core/content.js';
import type { Layer } from '../../layer/layer.js';
import { loadPackage } from '../load-package.js';
import { modelTools, type ModelToolOptions, textOf } from './model-tools.js';

/** A tool of the AI SDK, as far as this package makes it. `S` is what its `jsonSchema` returns. */
export interface AiSdkTool<S = unknown> {
  description: string;
  inputSchema: S;
  execute(input: unknown, options?: { readonly abortSignal?: AbortSignal }): Promise<Wire>;
  toModelOutput(options: { output: Wire }): { type: 'text' | 'error-text'; value: string };
}

/** How tools become the AI SDK's. */
export interface AiSdkOptions<S> extends ModelToolOptions {
  /** `jsonSchema` of `ai`, where it is not this package's to load. */
  readonly jsonSchema?: (schema: Record<string, unknown>) => S;
}

/**
 * A layer's tools for the AI SDK's `generateText` and its like, by name. The application gets the whole result, the
 * model its text.
 *
 * @throws {ConfigurationError} As names clash, and when `ai` is not installed.
 */
export async function toAiSdkTools<S>(
  layer: Layer,
  options: AiSdkOptions<S> & { readonly jsonSchema: (schema: Record<string, unknown>) => S },
): Promise<Record<string, AiSdkTool<S>>>;
export async function toAiSdkTools(layer: Layer, options?: ModelToolOptions): Promise<Record<string, AiSdkTool>>;
export async function toAiSdkTools(
  layer: Layer,
  options: AiSdkOptions<unknown> = {},
): Promise<Record<string, AiSdkTool>> {
  const own = modelTools(layer, options);
  const jsonSchema = options.jsonSchema ?? (await loadPackage('ai', 'toAiSdkTools')).jsonSchema;
  return Object.fromEntries(
    own.map(({ call, description, name, schema }) => [
      name,
      {
        description,
        inputSchema: jsonSchema(structuredClone(schema) as Record<string, unknown>),
        execute: (input, { abortSignal } = {}) => call(input, abortSignal === undefined ? {} : { signal: abortSignal }),
        toModelOutput: ({ output }) => ({
          type: output['isError'] === true ? 'error-text' : 'text',
          value: textOf(output),
        }),
      } satisfies AiSdkTool,
    ]),
  );
}
