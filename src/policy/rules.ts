import type { Primitive } from '../core/ports.js';
import type { Principal } from '../core/principal.js';
import { GlobList } from '../transforms/glob.js';
import { Access } from './access.js';
import { capabilitiesOf } from './capabilities-of.js';
import type { PolicyDocument, PolicyRule, RuleMatch } from './document.js';
import { RateLimit } from './limits.js';

/** One rule, ready to be asked. The halves of its match are apart: which rules concern a caller is found once for all primitives. */
export class Rule {
  /** As reasons name it: "rule 'never'". */
  readonly label: string;
  readonly access: Access;
  readonly limits: readonly RateLimit[];
  readonly #match: RuleMatch;
  readonly #principals: GlobList | undefined;
  readonly #names: GlobList | undefined;

  constructor(rule: PolicyRule, label: string) {
    this.label = label;
    this.access = new Access(rule, label);
    this.limits = (rule.rateLimits ?? []).map((limit) => new RateLimit(limit));
    this.#match = rule.match ?? {};
    this.#principals = globs(this.#match.principals);
    this.#names = globs(this.#match.names);
  }

  concerns({ id, roles }: Principal): boolean {
    return meets(this.#match.roles, (role) => roles.has(role)) && this.#principals?.matches(id) !== false;
  }

  covers(primitive: Primitive): boolean {
    const { capabilities, categories, kinds, sensitivity, tags } = this.#match;
    return (
      this.#names?.matches(primitive.id) !== false &&
      meets(categories, (category) => category === primitive.category) &&
      meets(kinds, (kind) => kind === primitive.kind) &&
      meets(sensitivity, (level) => level === primitive.sensitivity) &&
      meets(tags, (tag) => primitive.tags.has(tag)) &&
      meets(capabilities, (capability) => capabilitiesOf(primitive).has(capability))
    );
  }
}

/** The rules of a document in the order in which they are asked: those of roles first. */
export function rulesOf({ roles = {}, rules = [] }: PolicyDocument): readonly Rule[] {
  return [
    ...Object.entries(roles).map(
      ([role, rule]) =>
        // The role is one more condition: a list of its own in `match` must hold too.
        new RoleRule(role, rule),
    ),
    ...rules.map((rule, index) => new Rule(rule, rule.name === undefined ? `rules[${index}]` : `rule '${rule.name}'`)),
  ];
}

class RoleRule extends Rule {
  readonly #role: string;

  constructor(role: string, rule: PolicyRule) {
    super(rule, `role '${role}'`);
    this.#role = role;
  }

  override concerns(principal: Principal): boolean {
    return principal.roles.has(this.#role) && super.concerns(principal);
  }
}

function globs(texts: readonly string[] | undefined): GlobList | undefined {
  return texts === undefined || texts.length === 0 ? undefined : new GlobList(texts);
}

/** An empty list holds for all. */
function meets<T>(wanted: readonly T[] | undefined, has: (item: T) => boolean): boolean {
  return wanted === undefined || wanted.length === 0 || wanted.some(has);
}
