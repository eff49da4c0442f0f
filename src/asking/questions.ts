import { randomUUID } from 'node:crypto';
import type { FormAnswer, Question, Root, UrlAnswer } from '../core/asking.js';
import { AskingError, ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { isRecord } from '../core/guards.js';
import type { ValidationLimits } from '../schema/base/limits.js';
import { compileForm } from '../schema/form.js';
import { digestOf } from './digest.js';
import type { Need } from './capabilities.js';
import type { EntryKind } from './journal.js';
import { paramsOfSample, readSample } from './sampling.js';

/** A revision that has every word of a form. */
const NEWEST = '2026-07-28';

type Params = Readonly<Record<string, unknown>>;

/** A question that is ready to be sent to any client, and understands what comes back. */
export interface Prepared {
  readonly kind: Exclude<EntryKind, 'step'>;
  readonly method: string;
  readonly needs: readonly Need[];
  /** What has to stay the same when the handler runs again. */
  readonly digest: string;
  readonly timeoutMs: number | undefined;
  /** Whether an answer that comes before it was asked counts for nothing. */
  readonly needsProof: boolean;
  /**
   * The parameters for one revision.
   *
   * @param problem What was wrong with the answer before, for the person to fix.
   * @throws {AskingError} When the revision has no words for it.
   */
  params(version: string, problem: string | undefined): Params;
  /** What of an answer is kept; `undefined` when it has not the shape of one. */
  keep(raw: unknown): unknown;
  /**
   * The answer for the handler, of what was kept.
   *
   * @throws {InvalidArgumentsError} When a form's content does not fit; a returned promise may reject with it.
   */
  read(kept: unknown): unknown;
}

/**
 * Makes a question ready.
 *
 * @param site Who asks what, for messages.
 * @param limits How much of what comes back is looked at. Default: the usual limits.
 * @throws {ConfigurationError} When it cannot be asked at all: a class that is not a form, an address that no browser opens.
 */
export function prepare(question: Question, site: string, limits?: Partial<ValidationLimits>): Prepared {
  if ('form' in question) return form(question, site, limits);
  if ('url' in question) return url(question, site);
  if ('sample' in question) return sample(question, site);
  return roots(question);
}

function form(
  { form: source, message, proof, timeoutMs }: Extract<Question, { form: unknown }>,
  site: string,
  limits: Partial<ValidationLimits> | undefined,
): Prepared {
  checkMessage(message, site);
  const compiled = compileForm(source, site);
  return {
    kind: 'form',
    method: 'elicitation/create',
    needs: ['form'],
    digest: digestOf({ message, schema: compiled.schemaFor(NEWEST).schema }),
    timeoutMs,
    needsProof: proof === true,
    params(version, problem) {
      const { schema, unsayable } = compiled.schemaFor(version);
      if (unsayable.length > 0) {
        throw new AskingError(
          `${site}: a client of MCP ${version} has no field for ${unsayable.join(', ')}. Use a client of 2025-11-25 or later.`,
          'revision',
        );
      }
      const text = problem === undefined ? message : `${message}\n\nPlease correct: ${problem}`;
      return { ...modeFor(version, 'form'), message: text, requestedSchema: schema };
    },
    keep: keepForm,
    read(kept) {
      const { action, content } = kept as { action: UrlAnswer['action']; content?: unknown };
      if (action !== 'accept') return { action } satisfies FormAnswer<unknown>;
      const checked = compiled.validate(content, limits);
      if (!(checked instanceof Promise)) return { action, content: checked } satisfies FormAnswer<unknown>;
      return checked.then((value: unknown) => ({ action, content: value }));
    },
  };
}

function url({ message, timeoutMs, url: address }: Extract<Question, { url: unknown }>, site: string): Prepared {
  checkMessage(message, site);
  const href = checkAddress(address, site);
  return {
    kind: 'url',
    method: 'elicitation/create',
    needs: ['url'],
    digest: digestOf({ message, href }),
    timeoutMs,
    needsProof: false,
    // Only 2025-11-25 names the question itself.
    params: (version) => ({
      mode: 'url',
      message,
      url: href,
      ...(version < '2026' ? { elicitationId: randomUUID() } : {}),
    }),
    keep: (raw) => {
      const { action } = (keepForm(raw) ?? {}) as Partial<UrlAnswer>;
      return action === undefined ? undefined : { action };
    },
    read: (kept) => kept,
  };
}

function sample({ sample: asked, timeoutMs }: Extract<Question, { sample: unknown }>, site: string): Prepared {
  const needs: Need[] = ['sample'];
  if (asked.tools !== undefined || asked.toolChoice !== undefined) needs.push('sample-tools');
  if (asked.includeContext !== undefined && asked.includeContext !== 'none') needs.push('sample-context');
  if (!Number.isInteger(asked.maxTokens) || asked.maxTokens < 1) {
    throw new ConfigurationError(
      finding('CT901', `${site}: maxTokens is ${String(asked.maxTokens)}. Pass a whole number above 0.`),
    );
  }
  return {
    kind: 'sample',
    method: 'sampling/createMessage',
    needs,
    digest: digestOf(asked),
    timeoutMs,
    needsProof: false,
    params: (version) => paramsOfSample(asked, version),
    keep: readSample,
    read: (kept) => kept,
  };
}

function roots({ timeoutMs }: Question): Prepared {
  return {
    kind: 'roots',
    method: 'roots/list',
    needs: ['roots'],
    digest: '',
    timeoutMs,
    needsProof: false,
    params: () => ({}),
    keep: (raw) => {
      const list = isRecord(raw) ? raw['roots'] : undefined;
      if (!Array.isArray(list) || !list.every((root) => isRecord(root) && typeof root['uri'] === 'string'))
        return undefined;
      return (list as Root[]).map(({ name, uri }) => (typeof name === 'string' ? { uri, name } : { uri }));
    },
    read: (kept) => kept,
  };
}

/** Before 2025-11-25 there was one mode, and it had no name. */
function modeFor(version: string, mode: string): Params {
  return version < '2025-11-25' ? {} : { mode };
}

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel'];

function keepForm(raw: unknown): unknown {
  if (!isRecord(raw) || !ACTIONS.includes(raw['action'])) return undefined;
  const { action, content } = raw;
  if (action !== 'accept') return { action };
  if (content === undefined || content === null) return { action, content: {} };
  return isRecord(content) ? { action, content } : undefined;
}

function checkMessage(message: unknown, site: string): void {
  if (typeof message === 'string' && message !== '') return;
  throw new ConfigurationError(finding('CT902', `${site}: no message. Tell the person what is asked and why.`));
}

/** @throws {ConfigurationError} For what is not a web address, or carries credentials. */
function checkAddress(address: string | URL, site: string): string {
  const text = String(address);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !['https:', 'http:'].includes(parsed.protocol)) {
    throw new ConfigurationError(
      finding('CT903', `${site}: its url is not a web address. Pass one that begins with https://.`),
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ConfigurationError(
      finding('CT904', `${site}: its url carries credentials, which clients show and keep. Leave them out.`),
    );
  }
  return parsed.href;
}
