/** Where the option of a limit is: of a transport, of the layer, of what is plugged in; `none` for one that is fixed. */
type BoundOwner =
  | 'http'
  | 'serve'
  | 'server'
  | 'stdio'
  | 'layer'
  | 'validationLimits'
  | 'requestState'
  | 'MemoryEventStore'
  | 'MemoryCacheStore'
  | 'MemoryRateLimitStore'
  | 'cache'
  | 'concurrency'
  | 'retry'
  | 'metrics'
  | 'none';

/** A limit that holds unless an option says otherwise. */
export interface Bound {
  readonly of: BoundOwner;
  /** `Infinity` where there is none of its own. */
  readonly default: number;
  /** What is counted. */
  readonly unit: string;
  /** What would happen without it. */
  readonly protects: string;
  /** What becomes of one more. */
  readonly beyond: string;
  /** The name of its option, where the table has it by another. */
  readonly option?: string;
}

/** A row of the table. */
export function bound(
  of: BoundOwner,
  value: number,
  unit: string,
  protects: string,
  beyond: string,
  option?: string,
): Bound {
  return Object.freeze({ of, default: value, unit, protects, beyond, ...(option === undefined ? {} : { option }) });
}

/** Bytes, or characters, of a kibi. */
export const KIB = 1024;
/** Those of a mebi. */
export const MIB = 1024 * KIB;
/** Milliseconds of a minute. */
export const MINUTE_MS = 60_000;
