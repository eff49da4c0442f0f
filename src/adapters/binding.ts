import type { Layer } from '../layer/layer.js';
import type { ServerKind } from './detect.js';

/** A layer in a server. */
export interface Binding {
  readonly kind: ServerKind;
  /** The major version of the SDK that the server is built on, where it is built on one. */
  readonly sdkMajor: 1 | 2 | undefined;
  readonly layer: Layer;
  /** The server that was passed, itself. */
  readonly server: object;
  /** Takes the layer out again; the server is then what it was. Requests that run are answered. */
  unmount(): void;
}

/** How a subpath of this package (`cartouche/fastmcp`, `cartouche/nest`) mounts its host. */
export interface HostAdapter {
  readonly kind: ServerKind;
  /** Whether a server is of the copy of the host that this adapter imported. */
  accepts(server: object): boolean;
  mount(layer: Layer, server: object, options: unknown): Binding;
}

const ADAPTERS = Symbol.for('cartouche.host-adapters');

/** The adapters that were imported, by whichever loaded copy of this package. */
export function hostAdapters(): HostAdapter[] {
  const slots = globalThis as { [ADAPTERS]?: HostAdapter[] };
  return (slots[ADAPTERS] ??= []);
}
