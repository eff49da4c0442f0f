import type { HostCase } from './host-case.js';

/** One row of the contract: throws where a host breaks it. A text is a note: what holds instead, and why. */
export interface Check {
  readonly name: string;
  readonly summary: string;
  run(host: HostCase): Promise<string | undefined>;
}
