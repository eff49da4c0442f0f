import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dialect } from '../dialect.js';
import type { ProtocolServer } from '../host.js';

/** A tool as FastMCP keeps it; the marker is one that never reaches a client. */
export interface MarkerTool {
  readonly name: string;
  readonly description: string;
  canAccess(auth: unknown): boolean;
  execute(): Promise<string>;
}

/** One session of a FastMCP server: one low-level server of SDK 1.x. */
export interface Session {
  readonly server: ProtocolServer;
}

/** What a mounted FastMCP server wants to know of its sessions. */
interface SessionListener {
  /** A session is about to connect. @param auth What `authenticate` said of its caller. */
  opened(session: Session, auth: () => unknown): void;
}

/** The prototype of `FastMCPSession`, as far as it is hooked. */
export interface SessionPrototype {
  setupToolHandlers(tools: readonly MarkerTool[]): unknown;
  connect(transport: Transport): unknown;
  updateAuth(auth: unknown): unknown;
}

/** A transport, whose messages bring the request that they came with. */
export interface Transport {
  onmessage?: (message: unknown, extra?: unknown) => void;
}

interface Hooked {
  readonly listeners: readonly SessionListener[];
  auth: unknown;
}

/** The dialect that FastMCP's sessions speak, and how a transport's own requests reach it. */
export interface SessionCarrier {
  readonly dialect: Dialect;
  /** Keeps what a transport says beside a message for as long as the message is worked on. */
  carry(transport: Transport): void;
}

/** What `authenticate` said of the request that is being worked on: those of one session overtake one another. */
const CURRENT = new AsyncLocalStorage<{ readonly session: object; readonly auth: unknown }>();

const HOOKED = Symbol.for('cartouche.fastmcp-hooks');

/** The listeners behind marker tools, and what `canAccess` heard last: it is asked right before a session is made. */
class Markers {
  readonly #listeners = new WeakMap<object, SessionListener>();
  #pending: { readonly auth: unknown } | undefined;
  #lastId = 0;

  /** A tool that stands for a mounted layer: it gives every session the capability for tools, and is taken out again. */
  make(listener: SessionListener): MarkerTool {
    const marker: MarkerTool = {
      name: `cartouche_mount_${++this.#lastId}`,
      description: 'Stands for the tools of a mounted layer.',
      canAccess: (auth) => {
        this.#pending = { auth };
        return true;
      },
      execute: () => Promise.resolve(''),
    };
    this.#listeners.set(marker, listener);
    return marker;
  }

  /** Stops a marker from standing for anything; FastMCP has no way to take a tool out. */
  forget(marker: MarkerTool): void {
    this.#listeners.set(marker, { opened: () => undefined });
  }

  listenerOf(tool: object): SessionListener | undefined {
    return this.#listeners.get(tool);
  }

  /** What was heard since it was last asked for. */
  take(): { readonly auth: unknown } | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}

/**
 * Hooks the sessions of one copy of FastMCP, once: its servers keep everything private, and tell of a session too late
 * (and of a stateless one never).
 */
export function hookSessions(prototype: SessionPrototype, carrier: SessionCarrier): Markers {
  const slots = prototype as SessionPrototype & { [HOOKED]?: Markers };
  if (slots[HOOKED] !== undefined) return slots[HOOKED];
  const markers = new Markers();
  const sessions = new WeakMap<object, Hooked>();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with `this` below
  const { connect, setupToolHandlers, updateAuth } = prototype;

  prototype.setupToolHandlers = function (this: Session, tools) {
    const listeners = tools.flatMap((tool) => markers.listenerOf(tool) ?? []);
    const heard = markers.take();
    const known = sessions.get(this);
    if (known === undefined && listeners.length > 0) sessions.set(this, { listeners, auth: heard?.auth });
    else if (known !== undefined && heard !== undefined) known.auth = heard.auth;
    return setupToolHandlers.call(
      this as never,
      tools.filter((tool) => markers.listenerOf(tool) === undefined),
    );
  };
  prototype.connect = function (this: Session, transport) {
    const hooked = sessions.get(this);
    const auth = (): unknown => {
      const current = CURRENT.getStore();
      return current?.session === this ? current.auth : hooked?.auth;
    };
    for (const listener of hooked?.listeners ?? []) listener.opened(this, auth);
    const connected = connect.call(this as never, transport);
    // The SDK has set its own listener by now: its `connect` does so before it waits for anything.
    if (hooked !== undefined) carrier.carry(transport);
    return connected;
  };
  prototype.updateAuth = function (this: Session, auth) {
    const hooked = sessions.get(this);
    if (hooked !== undefined) {
      hooked.auth = auth;
      // What calls this goes on to hand the request to the session, in the same turn.
      CURRENT.enterWith({ session: this, auth });
    }
    return updateAuth.call(this as never, auth);
  };
  slots[HOOKED] = markers;
  return markers;
}
