import type { AskKind } from '../core/asking.js';
import type { ClientPort } from '../core/client-port.js';
import { AskingError, MissingCapabilityError } from '../core/errors.js';
import { isDeclared, isSayable, type Need, NEED_NAMES, requiredFor } from './capabilities.js';

/** A call, as far as it matters whether it may ask. */
export interface Askable {
  /** The primitive, for messages. */
  readonly site: string;
  /** `undefined` where nobody can be asked: a call inside the process, a carrier that knows of no client. */
  readonly client: ClientPort | undefined;
  /** Whether requests of this kind may ask at all. */
  readonly mayAsk: boolean;
}

/** Whether a call's client can be asked this. */
export function canBeAsked({ client, mayAsk }: Askable, kind: AskKind): boolean {
  if (client === undefined || !mayAsk) return false;
  const needs: readonly Need[] = kind === 'sample-tools' ? ['sample', 'sample-tools'] : [kind];
  return needs.every((need) => isSayable(client, need) && isDeclared(client, need));
}

/** The client of a call. @throws {AskingError} When there is none, or the call is none that may ask. */
export function clientOf({ client, mayAsk, site }: Askable): ClientPort {
  if (!mayAsk) throw new AskingError(`${site}: only tools, prompts and resources can ask the client.`, 'not-here');
  if (client !== undefined) return client;
  throw new AskingError(
    `${site} has to ask the client, and there is none that can be asked. Call it through an MCP client, or give the ` +
      'call answers: { context: { client: answeringClient({ … }) } }.',
    'no-client',
  );
}

/**
 * Makes sure, before anything is sent, that a client can be asked.
 *
 * @throws {MissingCapabilityError} When a modern client did not declare what is needed.
 * @throws {AskingError} When another one did not, or its revision has no such question.
 */
export function checkNeeds(client: ClientPort, needs: readonly Need[], site: string): void {
  const unsayable = needs.find((need) => !isSayable(client, need));
  if (unsayable !== undefined) {
    throw new AskingError(
      `${site} has to ask the client, and MCP ${client.version} has no ${NEED_NAMES[unsayable]}. Use a newer client.`,
      'revision',
    );
  }
  const missing = needs.filter((need) => !isDeclared(client, need));
  if (missing.length === 0) return;
  const names = [...new Set(missing)].map((need) => NEED_NAMES[need]).join(', ');
  const text = `${site} has to ask the client, and this client does not offer ${names}.`;
  const required = requiredFor(missing, client);
  if (client.era === 'modern') throw new MissingCapabilityError(text, required);
  throw new AskingError(text, 'capability', { requiredCapabilities: required });
}
