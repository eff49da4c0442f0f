import { SENSITIVITIES } from '../core/capabilities.js';
import type { Primitive } from '../core/ports.js';
import { type Access, isAbove } from './access.js';
import { capabilitiesOf } from './capabilities-of.js';
import type { Rule } from './rules.js';

/** One question on the way to a decision, and what it came to. */
export interface PolicyStep {
  readonly asked: 'rules' | 'denies of rules' | 'sensitivity' | 'lists' | 'capabilities';
  readonly found: string;
  /** Whether the decision fell here. */
  readonly denies: boolean;
}

/** What was decided, and how: the last step says why where it is denied. */
export interface Verdict {
  readonly reason: string | undefined;
  readonly steps: readonly PolicyStep[];
  /** The rules that match, in their order. */
  readonly rules: readonly Rule[];
}

/**
 * Decides of one primitive.
 *
 * @param own The access keys of the document itself.
 * @param concerned The rules that concern the caller, those of roles first.
 */
export function decide(primitive: Primitive, own: Access, concerned: readonly Rule[]): Verdict {
  const rules = concerned.filter((rule) => rule.covers(primitive));
  const labels = rules.map(({ label }) => label).join(', ');
  const steps: PolicyStep[] = [
    {
      asked: 'rules',
      found: labels === '' ? 'none matches' : `${labels} ${rules.length === 1 ? 'matches' : 'match'}`,
      denies: false,
    },
  ];
  for (const [asked, question] of QUESTIONS) {
    const { denies, found } = question(primitive, own, rules);
    steps.push({ asked, found, denies });
    if (denies) return { reason: found, steps, rules };
  }
  return { reason: undefined, steps, rules };
}

type Found = Omit<PolicyStep, 'asked'>;

const fine = (found: string): Found => ({ found, denies: false });
const denied = (found: string): Found => ({ found, denies: true });

type Question = (primitive: Primitive, own: Access, rules: readonly Rule[]) => Found;

/** In this order: the first that denies decides. */
const QUESTIONS: readonly (readonly [PolicyStep['asked'], Question])[] = [
  ['denies of rules', askDenies],
  ['sensitivity', askSensitivity],
  ['lists', askLists],
  ['capabilities', askCapabilities],
];

function askDenies(primitive: Primitive, _own: Access, rules: readonly Rule[]): Found {
  for (const { access, label } of rules) {
    const words = access.denies(primitive);
    if (words !== undefined) return denied(`${nameOf(primitive)} ${words}`);
    const capability = [...capabilitiesOf(primitive)].find((each) => access.forbids(each));
    if (capability !== undefined) return denied(ofCapability(primitive, capability, `denied by ${label}`));
  }
  return fine('none');
}

function askSensitivity({ sensitivity }: Primitive, own: Access, rules: readonly Rule[]): Found {
  const ceilings = rules.filter(({ access }) => access.maxSensitivity !== undefined);
  const highest = SENSITIVITIES.findLast((level) => ceilings.some(({ access }) => access.maxSensitivity === level));
  const ceiling = highest ?? own.maxSensitivity;
  if (ceiling === undefined) return fine('no ceiling');
  const by = ceilings.find(({ access }) => access.maxSensitivity === highest)?.label ?? 'the policy';
  return isAbove(sensitivity, ceiling)
    ? denied(`sensitivity '${sensitivity}' is above '${ceiling}' of ${by}`)
    : fine(`'${sensitivity}' is within '${ceiling}' of ${by}`);
}

function askLists(primitive: Primitive, own: Access, rules: readonly Rule[]): Found {
  const letting = rules.find(({ access }) => access.lets(primitive));
  if (letting !== undefined) return fine(`allowed by ${letting.label}`);
  const words = own.denies(primitive) ?? own.leavesOut(primitive);
  return words === undefined ? fine('nothing against it') : denied(`${nameOf(primitive)} ${words}`);
}

function askCapabilities(primitive: Primitive, own: Access, rules: readonly Rule[]): Found {
  const granted: string[] = [];
  for (const capability of capabilitiesOf(primitive)) {
    const words = own.deniesCapability(capability);
    if (words === undefined) continue;
    const by = rules.find(({ access }) => access.grants(capability));
    if (by === undefined) return denied(ofCapability(primitive, capability, words));
    granted.push(`'${capability}' granted by ${by.label}`);
  }
  return fine(granted.length === 0 ? 'none is denied' : granted.join(', '));
}

function nameOf({ id, kind }: Primitive): string {
  return `${kind} '${id}'`;
}

/** "capability 'exec' denied by rule 'never'". */
function ofCapability({ declared, kind }: Primitive, capability: string, words: string): string {
  const why = kind === 'tool' && !declared ? ' (the tool declares none, and so may have it)' : '';
  return `capability '${capability}' ${words}${why}`;
}
