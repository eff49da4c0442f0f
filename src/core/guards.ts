/** Whether `value` is an object with keys, as JSON has them. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether something has to be waited for. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** What a promise that nobody may wait for ends with is of no interest, and must not end the process. */
export function forget(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => undefined);
}
