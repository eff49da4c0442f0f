import { McpLayer, NotFoundError, type Policy, RateLimitedError, type Registry, ToolError } from '../../src/index.js';

/** How the primitives of one server fail, by the last part of their names. */
export const FAILURES: Readonly<Record<string, () => unknown>> = {
  fine: () => 'fine',
  missing: () => {
    throw new NotFoundError('No such asset.');
  },
  slow: () => new Promise(() => undefined),
  exception: () => {
    throw new Error('postgres://u:pw@10.0.0.5/db');
  },
  word: () => {
    throw new ToolError('Ask for less.');
  },
  denied: () => 'never',
  hidden: () => 'never',
  limited: () => 'never',
};

const policy: Policy = {
  name: 'table',
  scopeOf: () => '',
  decide: ({ id }) => {
    if (id.endsWith('denied')) return { allowed: false, hidden: false, reason: 'because' };
    return id.endsWith('hidden') ? { allowed: false, hidden: true, reason: 'because' } : { allowed: true };
  },
  admit: ({ id }) => {
    if (id.endsWith('limited')) throw new RateLimitedError('Too often.', { retry_after: 1 });
  },
};

function fill(registry: Registry): void {
  const input = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false };
  for (const [name, run] of Object.entries(FAILURES)) {
    registry.tool({ name, input }, run);
    registry.resource({ uri: `r://${name}` }, run);
    registry.prompt({ name, arguments: [{ name: 'a', required: true }], completions: { a: run } }, run);
  }
}

/** A layer with one primitive of each kind for each way to fail. */
export function failuresLayer(): McpLayer {
  const silent = (): void => undefined;
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  const layer = new McpLayer({ name: 'failures', version: '1.0.0', policy, logger, defaultTimeoutMs: 100 });
  fill(layer.registry);
  return layer;
}
