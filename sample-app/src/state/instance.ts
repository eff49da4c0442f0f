import type { JsonRecord } from './json.js';

/** One instance as a format reader hands it on, already without the values that the state marks sensitive. */
export interface StateInstance {
  readonly type: string;
  /** The second part of the address, `web` in `aws_instance.web`. */
  readonly label: string;
  readonly key?: string | number;
  readonly module?: string;
  /** Short name of the provider: `aws`, `google-beta`. */
  readonly provider: string;
  readonly attributes: JsonRecord;
  /** Addresses from the root module; those that the file writes relative to a module are made absolute. */
  readonly dependencies: readonly string[];
}

/** What every format reader returns. */
export interface StateContent {
  readonly instances: readonly StateInstance[];
  /** Instances of data sources: things that the configuration looks at and does not own. */
  readonly dataInstances: number;
  /** What failed replacements left behind: objects that still exist in the cloud, though no address means them. */
  readonly deposedInstances: number;
}
