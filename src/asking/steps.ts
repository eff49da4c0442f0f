import {
  AccessDeniedError,
  ConfigurationError,
  errorKind,
  InvalidArgumentsError,
  isLayerError,
  type Issue,
  McpLayerError,
  NotFoundError,
  RateLimitedError,
  ToolError,
} from '../core/errors.js';
import type { ErrorTeller } from '../core/error-form.js';
import { finding } from '../core/finding.js';
import { toJsonValue } from '../core/json-value.js';

/** How a step failed, in JSON. */
interface StepFailure {
  readonly kind?: string | undefined;
  readonly name: string;
  readonly message: string;
  readonly code?: number;
  readonly data?: unknown;
}

/**
 * A step's result as it travels, so that the handler sees the same value in its first run as in later ones.
 *
 * @throws {ConfigurationError} When JSON cannot say it.
 */
export function carried(value: unknown, site: string, errors?: ErrorTeller): unknown {
  try {
    const json = JSON.stringify(toJsonValue(value, undefined, undefined, errors)) as string | undefined;
    return json === undefined ? undefined : JSON.parse(json);
  } catch (error) {
    throw new ConfigurationError(
      finding('CT906', `${site}: its result cannot be carried (${(error as Error).message}). Return plain JSON.`),
    );
  }
}

/** What is kept of an error, so that the handler meets the like of it when it runs again. */
export function keepFailure(thrown: unknown): StepFailure {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) };
  const { message, name } = thrown;
  if (!isLayerError(thrown)) return { name, message };
  return { kind: errorKind(thrown), name, message, code: thrown.code, ...json(thrown.data) };
}

function json(data: unknown): { data?: unknown } {
  try {
    const plain = toJsonValue(data);
    return plain === undefined ? {} : { data: plain };
  } catch {
    return {};
  }
}

/** An error like the one that was kept: of the same class where it is one of ours, else of the same name. */
export function likeKept(kept: unknown): Error {
  const { code, data, kind, message, name } = kept as StepFailure;
  switch (kind) {
    case undefined:
      return Object.assign(new Error(message), { name });
    case 'ToolError':
      return new ToolError(message, data);
    case 'NotFoundError':
      return new NotFoundError(message, data);
    case 'AccessDeniedError':
      return new AccessDeniedError(message, data);
    case 'RateLimitedError':
      return new RateLimitedError(message, data);
    case 'InvalidArgumentsError':
      return new InvalidArgumentsError(message, data as readonly Issue[]);
    default:
      return new McpLayerError(message, data, code === undefined ? undefined : { code });
  }
}
