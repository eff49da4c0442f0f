import { BOUNDS } from './bounds.js';
import { describeThrown, isError } from './describe-thrown.js';
import { isForClients } from './errors.js';
import type { Logger } from './ports.js';

/** A list may have thousands. */
const MAX_LOGGED = BOUNDS.loggedErrors.default;

/** Says what stands in data for an Error that is in it. */
export interface ErrorTeller {
  formOf(error: Error): Readonly<Record<string, unknown>>;
}

/**
 * An Error as data, where no log can have the rest. Its message is written for logs, and names files, hosts and
 * credentials; only what the author of one of ours meant for clients is said.
 */
export function bareForm(error: Error): Readonly<Record<string, unknown>> {
  return isForClients(error) ? { name: nameOf(error), message: error.message } : { name: nameOf(error) };
}

/** The same, with an id under which the log has the rest. */
export class LoggedErrors implements ErrorTeller {
  #logged = 0;

  /**
   * @param site What the log calls the call.
   * @param expose Whether messages may be shown after all.
   */
  constructor(
    readonly site: string,
    readonly idOf: () => string,
    readonly logger: Logger,
    readonly expose = false,
  ) {}

  formOf(error: Error): Readonly<Record<string, unknown>> {
    const form = bareForm(error);
    if (isForClients(error)) return form;
    const errorId = this.idOf();
    const description = describeThrown(error);
    if (this.#logged++ < MAX_LOGGED) {
      this.logger.warn(`${this.site}: an Error is in its data; clients see its name`, { errorId, ...description });
    }
    return { ...form, error_id: errorId, ...(this.expose ? { message: description.error } : {}) };
  }
}

/** What a text says in place of a value: of an Error, its name. */
export function textOf(value: unknown): string {
  return isError(value) ? nameOf(value) : String(value);
}

function nameOf(error: Error): string {
  const name: unknown = error.name;
  return typeof name === 'string' ? name : 'Error';
}
