/** The clouds that are told apart; everything else (random, local, kubernetes, …) is OTHER. */
export const PROVIDERS = ['AWS', 'AZURE', 'GCP', 'OTHER'] as const;

/** One of {@link PROVIDERS}. */
export type Provider = (typeof PROVIDERS)[number];

/** One managed instance of a state file. Nothing in it was marked sensitive there. */
export interface Asset {
  /** Where it stands in the configuration, with its index key: the one reference that is always unique. */
  readonly address: string;
  readonly provider: Provider;
  readonly type: string;
  /** Its `Name` tag, else its `name` attribute, else the label of its block. */
  readonly name: string;
  /** What the cloud calls it. Not unique: a bucket and its access block share one. */
  readonly id?: string;
  readonly arn?: string;
  /** Lower case; `global` for a service that has no regions; absent when the state does not say. */
  readonly region?: string;
  /** AWS account, Azure subscription or Google project. */
  readonly account?: string;
  /** Module path with its keys, `module.a["x"].module.b`; absent in the root module. */
  readonly module?: string;
  /** The `count` number or `for_each` key. */
  readonly key?: string | number;
  readonly tags: Readonly<Record<string, string>>;
  /** A few descriptive settings from a fixed list, scalars only. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** What is left out here because it repeats a value that is marked sensitive elsewhere: `id`, `tags.note`. */
  readonly withheld: readonly string[];
}
