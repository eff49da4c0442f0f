import type { Binding, McpLayer, MountOptions } from 'cartouche';
import type { Message, RequestOptions, Wire } from './wire.js';

/** Which copy of a host's package is used. */
export type Format = 'esm' | 'cjs';

/** Loads a module in one of the two formats. */
export type Load = (specifier: string) => Promise<any>;

/** How a test wants its host. */
export interface HostSetup {
  readonly layer: McpLayer;
  readonly options?: MountOptions;
  /** More layers, mounted after it. */
  readonly more?: readonly McpLayer[];
  /** Default: before. `late` registers the host's own things after mounting. */
  readonly order?: 'before' | 'late';
  /** The transport's class name is unknown. Only in memory. */
  readonly unknownTransport?: boolean;
  readonly headers?: Record<string, string>;
  /** Names the session, where the test's own transport would have none. Only in memory. */
  readonly session?: string;
}

/** A host that runs, with a layer in it, and a wire to it. */
export interface OpenHost {
  readonly wire: Wire;
  readonly binding: Binding;
  readonly server: any;
  /** What the host was told of itself, as a client sees it. */
  capabilities(): Promise<Message>;
  /** Registers another tool of the host's own while it runs, where the host can. */
  addTool?(name: string): void;
  /** What a request is from one of the people of one OAuth client with, where the host can tell them apart. */
  as?(subject: string): RequestOptions;
  /** Another connection to the same layer in the same kind of host, which one of those people opened. */
  wireOf?(subject: string): Promise<Wire>;
  close(): Promise<void>;
}

/** One host, in one way of serving it. */
export interface HostCase {
  readonly name: string;
  readonly era: 'handshake' | 'modern';
  /** Whether news arrive outside requests: sessions, listen streams. */
  readonly stateful: boolean;
  /** The SDK's major version underneath. */
  readonly major: 1 | 2 | undefined;
  /** Who answers for a name that is nobody's, and how. */
  readonly unknownTool: 'isError' | number;
  /** The code for a resource that our handler does not find, and for one that nobody has. */
  readonly missingResource: readonly [number, number];
  /** Where callers are told apart by: headers alone, what the host's authentication said, or not at all (one local user). */
  readonly identity: 'headers' | 'host' | 'local';
  /** Who keeps others out of a session: the layer, the carrier before a request comes to the layer, or nobody, as there are none. */
  readonly sessions: 'layer' | 'carrier' | 'none';
  /** What cannot be had here, and why, by check. */
  readonly gaps?: Readonly<Record<string, string>>;
  open(setup: HostSetup): Promise<OpenHost>;
}
