import { McpLayerError } from '../../core/errors.js';
import type { ToolResult } from '../../core/tool-result.js';
import type { ToolSpec } from '../../registry/tool-spec.js';
import type { Stage } from '../call-state.js';

/** Holds a result to the output schema that clients were shown. */
export const checkOutput: Stage = {
  name: 'check-output',
  summary: 'the result is held to its output schema',
  applies: (spec, { validateOutput }) => spec.kind === 'tool' && spec.output !== undefined && validateOutput !== 'off',
  run(call) {
    const result = call.value as ToolResult;
    if (result.isError) return;
    const { output, name } = call.found().spec as ToolSpec;
    const issues = output?.check(result.structuredContent) ?? [];
    if (issues.length === 0) return;
    const { logger, validateOutput } = call.runtime.options;
    const text = issues.map(({ loc, msg }) => (loc === '' ? msg : `${loc}: ${msg}`)).join('; ');
    logger.warn(`tool '${name}': its result does not fit its output schema`, { issues: text });
    if (validateOutput === 'error')
      throw new McpLayerError(`The result of ${name} does not fit its output schema: ${text}`, issues);
  },
};
