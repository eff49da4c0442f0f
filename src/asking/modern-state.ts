import { McpLayerError, RequestStateError } from '../core/errors.js';
import { digestOf } from './digest.js';
import type { SealedJournal } from './journal.js';
import type { StateSealer } from './sealer.js';

/** What a state is good for: one caller's one request to one layer. */
interface StateBinding {
  readonly layer: string;
  readonly principal: string;
  readonly kind: string;
  readonly name: string;
  readonly args: unknown;
}

interface SealedState {
  readonly binding: string;
  readonly journal: SealedJournal;
}

/** The state of one modern request: what its retry brought, and what the next one is to bring. */
export class ModernState {
  readonly #sealer: StateSealer;
  readonly #token: unknown;
  readonly #binding: StateBinding;
  readonly #onSeal: () => void;

  constructor(
    sealer: StateSealer,
    token: unknown,
    binding: StateBinding,
    /** Called when a state is sealed, for what an operator should know then. */
    onSeal: () => void,
  ) {
    this.#sealer = sealer;
    this.#token = token;
    this.#binding = binding;
    this.#onSeal = onSeal;
  }

  /** What an earlier run left behind. @throws {RequestStateError} When it cannot be trusted, or is somebody else's. */
  open(): SealedJournal | undefined {
    if (this.#token === undefined) return undefined;
    const { binding, journal } = this.#sealer.open(this.#token) as SealedState;
    if (binding === this.#digest()) return journal;
    throw new RequestStateError('Invalid requestState: it belongs to another request or another caller.');
  }

  /** @throws {McpLayerError} When the arguments cannot be told from others. */
  seal(journal: SealedJournal): string {
    const binding = this.#digest();
    if (binding === undefined)
      throw new McpLayerError('The arguments nest too deeply for a state to be bound to them.');
    this.#onSeal();
    return this.#sealer.seal({ binding, journal } satisfies SealedState);
  }

  /** `undefined` for arguments that JSON text cannot hold, to which no state was ever bound. */
  #digest(): string | undefined {
    try {
      return digestOf(this.#binding);
    } catch {
      return undefined;
    }
  }
}
