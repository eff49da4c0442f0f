import { McpLayerError } from '../../core/errors.js';
import type { ToolStage } from '../call-state.js';

/** Holds a result to the output schema that clients were shown. */
export const checkOutput: ToolStage = {
  name: 'check-output',
  summary: 'the result is held to its output schema',
  only: 'tool',
  applies: (spec, { validateOutput }) => spec.output !== undefined && validateOutput !== 'off',
  run(call) {
    const { result } = call;
    if (result.isError) return;
    const { output, name } = call.found().spec;
    const issues = output?.check(result.structuredContent, call.runtime.options.validationLimits) ?? [];
    if (issues.length === 0) return;
    const { logger, validateOutput } = call.runtime.options;
    const text = issues.map(({ loc, msg }) => (loc === '' ? msg : `${loc}: ${msg}`)).join('; ');
    logger.warn(`tool '${name}': its result does not fit its output schema`, { issues: text });
    if (validateOutput === 'error')
      throw new McpLayerError(`The result of ${name} does not fit its output schema: ${text}`, issues);
  },
};
