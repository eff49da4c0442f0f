import { ErrorCode } from '../core/errors.js';
import { isRecord } from '../core/guards.js';
import { classify } from './classify.js';
import { BATCH_VERSION } from './era.js';
import { failure, idOf, invalidRequest, type JsonRpcResponse, type Reply } from './messages.js';
import { writeResult } from './prepared.js';
import { initialize } from './methods/initialize.js';

/**
 * Whether a list is a batch that is taken: only 2025-03-26 has them, and modern requests are never part of one.
 *
 * @param max How many messages it may have.
 */
export function isBatch(messages: unknown, version: string | undefined, max: number): messages is readonly unknown[] {
  if (!Array.isArray(messages) || version !== BATCH_VERSION) return false;
  if (messages.length === 0 || messages.length > max) return false;
  return !messages.some((message) => classify(message) === 'modern');
}

/**
 * Answers the members of a batch, all at once; `undefined` when none has an answer.
 *
 * @param answer Answers one member that is neither a list nor an `initialize`.
 * @param maxChars How long all answers may be together. Who comes last is answered with an error.
 */
export async function answerBatch(
  messages: readonly unknown[],
  answer: (message: unknown) => Promise<Reply | undefined>,
  maxChars: number,
): Promise<Reply | undefined> {
  let left = maxChars;
  const bounded = async (message: unknown): Promise<Reply | undefined> => {
    const reply = refusal(message) ?? (await answer(message));
    if (reply === undefined || !('result' in reply)) return reply;
    left -= writeResult(reply.result);
    if (left >= 0) return reply;
    const problem = `The result cannot be sent: the answers of a batch may have ${maxChars} characters together. Ask for this alone.`;
    return failure(reply.id, ErrorCode.InternalError, problem);
  };
  const replies = await Promise.all(messages.map(bounded));
  const responses = replies.filter((reply) => reply !== undefined) as JsonRpcResponse[];
  return responses.length === 0 ? undefined : responses;
}

function refusal(message: unknown): JsonRpcResponse | undefined {
  if (Array.isArray(message)) return invalidRequest(message);
  if (!isRecord(message) || message['method'] !== initialize.name) return undefined;
  const problem = 'Invalid request: "initialize" cannot be part of a batch.';
  return failure(idOf(message), ErrorCode.InvalidRequest, problem);
}
