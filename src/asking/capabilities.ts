import type { AskKind } from '../core/asking.js';
import type { ClientCapabilities, ClientPort } from '../core/client-port.js';

/** What a question needs of its client, beyond its kind where that matters. */
export type Need = AskKind | 'sample-context';

/** Since when clients can be asked something. Source: MCP, the changelogs of all revisions. */
const SINCE: Readonly<Record<Need, string>> = {
  form: '2025-06-18',
  url: '2025-11-25',
  sample: '2024-11-05',
  'sample-tools': '2025-11-25',
  'sample-context': '2024-11-05',
  roots: '2024-11-05',
};

/** What people call it. */
export const NEED_NAMES: Readonly<Record<Need, string>> = {
  form: 'forms',
  url: 'addresses to open',
  sample: 'sampling',
  'sample-tools': 'sampling with tools',
  'sample-context': 'sampling with the context of servers',
  roots: 'roots',
};

/** Whether the revision that a client speaks has a question of this kind at all. */
export function isSayable({ version }: ClientPort, need: Need): boolean {
  return version >= SINCE[need];
}

/** Whether a client declared what a question needs. `elicitation: {}` is forms only. */
export function isDeclared({ capabilities }: ClientPort, need: Need): boolean {
  const elicitation = part(capabilities, 'elicitation');
  const sampling = part(capabilities, 'sampling');
  switch (need) {
    case 'form':
      return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
    case 'url':
      return part(elicitation, 'url') !== undefined;
    case 'sample':
      return sampling !== undefined;
    case 'sample-tools':
      return part(sampling, 'tools') !== undefined;
    case 'sample-context':
      return part(sampling, 'context') !== undefined;
    case 'roots':
      return part(capabilities, 'roots') !== undefined;
  }
}

/** The capabilities that a client would have to declare, as it would. */
export function requiredFor(needs: readonly Need[], { capabilities }: ClientPort): Readonly<Record<string, unknown>> {
  const elicitation: Record<string, unknown> = {};
  const sampling: Record<string, unknown> = {};
  const required: Record<string, unknown> = {};
  for (const need of needs) {
    if (need === 'roots') required['roots'] = {};
    else if (need === 'form' || need === 'url') required['elicitation'] = elicitation;
    else required['sampling'] = sampling;
    if (need === 'url') elicitation['url'] = {};
    if (need === 'form' && part(capabilities, 'elicitation') !== undefined) elicitation['form'] = {};
    if (need === 'sample-tools') sampling['tools'] = {};
    if (need === 'sample-context') sampling['context'] = {};
  }
  return required;
}

function part(capabilities: ClientCapabilities | undefined, name: string): ClientCapabilities | undefined {
  const value = capabilities?.[name];
  return typeof value === 'object' && value !== null ? (value as ClientCapabilities) : undefined;
}
