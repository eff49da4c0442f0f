import { STAGES as RUN } from './stages.js';

/** One stage of a call, as it is shown. */
export interface StageSummary {
  readonly name: string;
  /** What it does, in one sentence. */
  readonly summary: string;
}

/** The life of a call, in order, after its name was looked up and the middleware let it pass. */
export const STAGES: readonly StageSummary[] = Object.freeze(
  RUN.map(({ name, summary }) => Object.freeze({ name, summary })),
);
