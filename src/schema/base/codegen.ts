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

/** Whether generating code failed because it is forbidden: some hosts allow it while they load a program, and no longer. */
export function isRefusedCode(error: unknown): boolean {
  if (!(error instanceof EvalError)) return false;
  allowed = false;
  return true;
}
