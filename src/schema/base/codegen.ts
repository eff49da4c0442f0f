let allowed: boolean | undefined;

/** Whether this process may turn text into functions; `--disallow-code-generation-from-strings` and some hosts forbid it. */
export function canGenerateCode(): boolean {
  if (allowed === undefined) {
    try {
      // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- asks whether it may.
      allowed = new Function('return true')() === true;
    } catch {
      allowed = false;
    }
  }
  return allowed;
}
