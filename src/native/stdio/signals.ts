import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Calls `onFirst` when the process is told to end. A second signal ends it at once, with the code that shells expect.
 * Gives the function that stops listening.
 */
export function onSignals(onFirst: () => void): () => void {
  let told = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (told) process.exit(128 + constants.signals[signal]);
    told = true;
    onFirst();
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.removeListener(signal, listener);
  };
}
