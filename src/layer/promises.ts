/** What a promise that nobody may wait for ends with is of no interest, and must not end the process. */
export function forget(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => undefined);
}
