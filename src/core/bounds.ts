/** A limit that holds unless an option says otherwise. */
export interface Bound {
  /** `Infinity` where there is none of its own. */
  readonly default: number;
  /** What is counted. */
  readonly unit: string;
  /** Where the option is: those of HTTP are of `serve('http')`, `nodeHandler()` and `fetchHandler()`, those of the server of every transport. */
  readonly of: 'http' | 'server' | 'MemoryEventStore';
  /** What would happen without it. */
  readonly protects: string;
}

/** Every limit by the name of its option: the code takes its defaults from here, and the documentation is printed from it. */
export const BOUNDS = Object.freeze({
  maxBodyBytes: {
    default: 4 * 1024 * 1024,
    unit: 'bytes of one HTTP request',
    of: 'http',
    protects: 'memory, and the time that parsing takes',
  },
  maxBatchMessages: {
    default: 1000,
    unit: 'messages of one batch',
    of: 'server',
    protects: 'other callers from waiting for one body that asks for very much',
  },
  sessionIdleMs: {
    default: 30 * 60_000,
    unit: 'milliseconds without a request or a stream',
    of: 'http',
    protects: 'memory from sessions that nobody ends',
  },
  maxSessions: {
    default: 10_000,
    unit: 'sessions, and as many connections of 2024-11-05',
    of: 'http',
    protects: 'memory; beyond it one ends of whoever has most',
  },
  maxSessionsPerCaller: {
    default: Infinity,
    unit: 'sessions of one caller',
    of: 'http',
    protects: 'memory from one caller alone, before there are too many of all',
  },
  maxListenStreams: {
    default: 10_000,
    unit: 'open subscriptions/listen streams',
    of: 'server',
    protects: 'memory and connections; beyond it one ends of whoever has most',
  },
  maxListenStreamsPerCaller: {
    default: Infinity,
    unit: 'open subscriptions/listen streams of one caller',
    of: 'server',
    protects: 'memory from one caller alone, before there are too many of all',
  },
  maxEvents: {
    default: 10_000,
    unit: 'resumable events',
    of: 'MemoryEventStore',
    protects: 'memory; beyond it whoever has most loses its oldest',
  },
  maxChars: {
    default: 16 * 1024 * 1024,
    unit: 'UTF-16 code units of resumable events',
    of: 'MemoryEventStore',
    protects: 'memory; beyond it whoever has most loses its oldest',
  },
  maxEventsPerCaller: {
    default: Infinity,
    unit: 'resumable events of one caller',
    of: 'MemoryEventStore',
    protects: 'memory from one caller alone, before there are too many of all',
  },
} as const satisfies Readonly<Record<string, Bound>>);
