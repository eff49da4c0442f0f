/** Whether something has to be waited for. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** What a promise that nobody may wait for ends with is of no interest, and must not end the process. */
export function forget(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => undefined);
}
