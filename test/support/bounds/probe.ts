/** How a limit is tried: whether `count` still fits where `limit` holds. It has to for the limit itself, and not for one more. */
export interface Probe {
  /** A small limit for one that is an option. Default: the table's own, as of those that are fixed. */
  readonly limit?: number;
  fits(count: number, limit: number): boolean | Promise<boolean>;
}

/** Whether something is done without an error. */
export async function works(run: () => unknown): Promise<boolean> {
  try {
    await run();
    return true;
  } catch {
    return false;
  }
}

export const TEXT = (count: number): string => 'x'.repeat(count);
