import type { ToolContext } from '../core/context.js';
import { McpLayerError } from '../core/errors.js';
import { MAX_ITERATED } from '../core/json-value.js';

/** Whether a value yields its items over time: an async generator, a stream. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/**
 * The items of an async iterable, which is closed when the request is aborted.
 *
 * @throws {McpLayerError} When there are more than 100,000.
 */
export async function collectAsync(iterable: AsyncIterable<unknown>, context: ToolContext): Promise<unknown[]> {
  const items: unknown[] = [];
  const iterator = iterable[Symbol.asyncIterator]();
  // Nobody waits for the closing: a generator that is stuck in its own await would never answer.
  const close = (): void => {
    Promise.resolve()
      .then(() => iterator.return?.())
      .catch(() => undefined);
  };
  context.signal.addEventListener('abort', close, { once: true });
  try {
    context.signal.throwIfAborted();
    for (;;) {
      const next = await iterator.next();
      if (next.done === true) return items;
      if (items.length >= MAX_ITERATED) throw new McpLayerError('The result cannot be sent: it yields too many items.');
      items.push(next.value);
    }
  } catch (error) {
    close();
    throw error;
  } finally {
    context.signal.removeEventListener('abort', close);
  }
}
