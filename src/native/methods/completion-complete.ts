import { InvalidArgumentsError } from '../../core/errors.js';
import type { CompletionReference } from '../../layer/layer.js';
import type { Params } from '../messages.js';
import { BOTH, running } from '../method.js';
import { record, text } from './params.js';

/** What a completion request asks for, checked. */
export interface CompletionRequest {
  readonly reference: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  /** The arguments that were filled in before. */
  readonly given: Readonly<Record<string, string>>;
}

/** Offers values for an argument of a prompt, or a variable of a resource template. */
export const completionComplete = running({
  name: 'completion/complete',
  eras: BOTH,
  feature: 'completions',
  run: ({ layer }, { params, context }) => {
    const { reference, argument, given } = completionRequest(params);
    return layer.complete(reference, argument, { context, arguments: given });
  },
  result: (host, { revision }, completion) => host.finish(revision, { completion }),
});

/** @throws {InvalidArgumentsError} When the parameters do not ask for anything that could be completed. */
export function completionRequest(params: Params): CompletionRequest {
  const argument = record(params, 'argument');
  const known = params['context'] === undefined ? {} : record(params, 'context');
  const given = known['arguments'] === undefined ? {} : record(known, 'arguments');
  return {
    reference: referenceOf(record(params, 'ref')),
    argument: { name: text(argument, 'name'), value: text(argument, 'value') },
    given: strings(given),
  };
}

function referenceOf(ref: Params): CompletionReference {
  switch (ref['type']) {
    case 'ref/prompt':
      return { type: 'ref/prompt', name: text(ref, 'name') };
    case 'ref/resource':
      return { type: 'ref/resource', uri: text(ref, 'uri') };
    default:
      throw new InvalidArgumentsError('Invalid params: "ref.type" must be "ref/prompt" or "ref/resource".');
  }
}

function strings(values: Params): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
