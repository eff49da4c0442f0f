import { finding } from '../core/finding.js';
import { describeThrown } from '../core/describe-thrown.js';
import { ConfigurationError } from '../core/errors.js';
import { forget, isPromise, isRecord } from '../core/guards.js';
import type { Pipeline, Place, Policy, Primitive } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import type { CallState } from './call-state.js';
import type { Rewrite } from './transform-result.js';

/**
 * What a policy does to the data of one call.
 *
 * @throws {ConfigurationError} When the policy does not say it at once.
 */
export function pipelineOf(policy: Policy, primitive: Primitive, principal: Principal): Pipeline | undefined {
  const pipeline = policy.pipeline?.(primitive, principal);
  if (!isPromise(pipeline)) return pipeline;
  forget(pipeline);
  throw new ConfigurationError(
    finding(
      'CT909',
      `policy '${policy.name}': pipeline returned a promise. Return the pipeline; its input and output may be asynchronous.`,
    ),
  );
}

const NO_PIPELINE: Pipeline = Object.freeze({});

/**
 * What the policy does to this call's data, made when it is first needed.
 *
 * @throws {ConfigurationError} When the policy does not say it at once.
 */
export function startPipeline(call: CallState): Pipeline {
  if (call.pipeline === undefined) {
    const { policy } = call.runtime.options;
    call.pipeline = pipelineOf(policy, call.found().spec, call.principal) ?? NO_PIPELINE;
    call.control.rewriteWith(rewriteNowOf(call));
  }
  return call.pipeline;
}

/** How a call's answers are rewritten, where they are. */
export function rewriteOf({ pipeline, runtime }: CallState): Rewrite | undefined {
  if (pipeline?.output === undefined) return undefined;
  const { name } = runtime.options.policy;
  return async (value, place) => {
    const rewritten = await pipeline.output?.(value, place);
    if (rewritten === undefined || !isRecord(value) || isRecord(rewritten)) return rewritten;
    throw new ConfigurationError(
      finding(
        'CT910',
        `policy '${name}', ${placeName(place)}: output made no object of an object. Return an object, or undefined to drop it.`,
      ),
    );
  };
}

/** As {@link rewriteOf}, for messages that cannot wait. `undefined` drops one; nothing goes out as it was. */
function rewriteNowOf({ pipeline, runtime }: CallState): Pipeline['output'] {
  if (pipeline?.output === undefined) return undefined;
  const { logger, policy } = runtime.options;
  return (value, place) => {
    const site = `policy '${policy.name}', ${placeName(place)}`;
    try {
      const rewritten = pipeline.output?.(value, place);
      if (!isPromise(rewritten)) return rewritten;
      forget(rewritten);
      logger.error(`${site}: output returned a promise, and a message cannot wait. It was dropped.`);
    } catch (error) {
      logger.error(`${site}: output failed. The message was dropped.`, describeThrown(error));
    }
    return undefined;
  };
}

/** What a call's answer says of what the policy did to it, under its `_meta` key. */
export function reportOf({ metaPrefix, pipeline, runtime }: CallState): Readonly<Record<string, unknown>> | undefined {
  if (pipeline?.report === undefined) return undefined;
  const { logger, policy } = runtime.options;
  try {
    const report: unknown = pipeline.report();
    if (report === undefined) return undefined;
    if (isRecord(report) && !isPromise(report)) return { [`${metaPrefix}transforms`]: report };
    if (isPromise(report)) forget(report);
    logger.error(`policy '${policy.name}': report returned ${isPromise(report) ? 'a promise' : 'no object'}. Return counts and labels.`); // prettier-ignore
  } catch (error) {
    logger.error(`policy '${policy.name}': report failed`, describeThrown(error));
  }
  return undefined;
}

function placeName({ key, part }: Place): string {
  return key === undefined ? part : `${part} '${key}'`;
}
