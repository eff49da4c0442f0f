import type { FormAnswer, Root, SampleAnswer, SampleParams, UrlAnswer } from '../core/asking.js';
import type { ClientCapabilities, HandshakeClient } from '../core/client-port.js';
import { AskingError } from '../core/errors.js';
import type { JsonSchema } from '../core/json-schema.js';

/** Plays the person and the model. What is left out, the client cannot be asked. */
export interface ClientAnswers {
  /** Fills in a form: `schema` says which fields it has. */
  readonly elicit?: (question: {
    readonly message: string;
    readonly schema: JsonSchema;
  }) => FormAnswer<Readonly<Record<string, unknown>>> | Promise<FormAnswer<Readonly<Record<string, unknown>>>>;
  /** Opens an address, or not. */
  readonly elicitUrl?: (question: { readonly message: string; readonly url: string }) => UrlAnswer | Promise<UrlAnswer>;
  /** Text stands for what the model `answering` said last. */
  readonly sample?: (params: SampleParams) => string | SampleAnswer | Promise<string | SampleAnswer>;
  readonly roots?: readonly Root[] | (() => readonly Root[] | Promise<readonly Root[]>);
}

/**
 * A client for calls inside the process, of functions that answer for it: `layer.callTool(name, args, { context: { client:
 * answeringClient({ elicit: () => ({ action: 'decline' }) }) } })`.
 */
export function answeringClient(answers: ClientAnswers): HandshakeClient {
  return {
    era: 'handshake',
    version: '2025-11-25',
    capabilities: capabilitiesOf(answers),
    request: async (method, params) => answer(answers, method, params),
  };
}

/** What a client that gives these answers declares. */
export function capabilitiesOf({ elicit, elicitUrl, roots, sample }: ClientAnswers): ClientCapabilities {
  const elicitation = {
    ...(elicit === undefined ? {} : { form: {} }),
    ...(elicitUrl === undefined ? {} : { url: {} }),
  };
  return {
    ...(Object.keys(elicitation).length === 0 ? {} : { elicitation }),
    ...(sample === undefined ? {} : { sampling: { tools: {}, context: {} } }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/**
 * The result of one request to a client, as these answers give it.
 *
 * @throws {AskingError} When there is no answer for it.
 */
export async function answer(
  answers: ClientAnswers,
  method: string,
  params: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { elicit, elicitUrl, roots, sample } = answers;
  const { message, mode, requestedSchema, url } = params as Partial<Record<string, string>> & {
    requestedSchema?: JsonSchema;
  };
  if (method === 'elicitation/create' && mode === 'url') return elicitUrl?.({ message: message ?? '', url: url ?? '' });
  if (method === 'elicitation/create') return elicit?.({ message: message ?? '', schema: requestedSchema ?? {} });
  if (method === 'sampling/createMessage' && sample !== undefined) {
    const said = await sample(params as unknown as SampleParams);
    return typeof said === 'string'
      ? { role: 'assistant', content: { type: 'text', text: said }, model: 'answering', stopReason: 'endTurn' }
      : said;
  }
  if (method === 'roots/list' && roots !== undefined)
    return { roots: typeof roots === 'function' ? await roots() : roots };
  throw new AskingError(`This client has no answer to ${method}.`, 'refused');
}
