import { type Capability, SENSITIVITIES, type Sensitivity } from '../core/capabilities.js';
import { didYouMean } from '../core/nearest.js';
import type { Primitive, PrimitiveKind } from '../core/ports.js';
import { Glob, GlobList } from '../transforms/glob.js';
import type { AccessKeys } from './document.js';

/** Which pair of lists a kind goes by. */
const LISTS = {
  tool: 'Tools',
  resource: 'Resources',
  template: 'Resources',
  prompt: 'Prompts',
} as const satisfies Readonly<Record<PrimitiveKind, string>>;

type ListName = (typeof LISTS)[PrimitiveKind];
type NameKey = `allow${ListName}` | `deny${ListName}`;

/** What lists say of one primitive, as it continues "tool 'x' ": the words of a reason. */
type Words = string | undefined;

/** The access keys of a document or of one rule, ready to be asked. */
export class Access {
  readonly #keys: AccessKeys;
  readonly #globs = new Map<NameKey, GlobList>();
  /** How reasons name where the keys stand. */
  readonly #of: string;

  constructor(keys: AccessKeys, of: string) {
    this.#keys = keys;
    this.#of = of;
    for (const list of new Set(Object.values(LISTS))) {
      for (const key of [`allow${list}`, `deny${list}`] as const) {
        const globs = keys[key];
        if (globs !== undefined) this.#globs.set(key, new GlobList(globs));
      }
    }
  }

  get maxSensitivity(): Sensitivity | undefined {
    return this.#keys.maxSensitivity;
  }

  /** Why the deny lists of names and categories deny it. */
  denies(primitive: Primitive): Words {
    const key = `deny${LISTS[primitive.kind]}` as const;
    const glob = this.#globs.get(key)?.find(primitive.id);
    if (glob !== undefined) return `denied by ${this.#of}: ${key} '${glob}'`;
    if (this.#keys.denyCategories?.includes(primitive.category) !== true) return undefined;
    return `denied by ${this.#of}: denyCategories '${primitive.category}'`;
  }

  /** Why the allow lists do not let it in: each list that is there has to. */
  leavesOut(primitive: Primitive): Words {
    const key = `allow${LISTS[primitive.kind]}` as const;
    if (this.#globs.get(key)?.matches(primitive.id) === false) return `not in ${key} of ${this.#of}`;
    if (this.#keys.allowCategories?.includes(primitive.category) !== false) return undefined;
    return `not allowed by ${this.#of}: category '${primitive.category}' is not in allowCategories`;
  }

  /** Whether it has allow lists for this kind, all of which let it in. */
  lets(primitive: Primitive): boolean {
    const hasLists = this.#globs.has(`allow${LISTS[primitive.kind]}`) || this.#keys.allowCategories !== undefined;
    return hasLists && this.leavesOut(primitive) === undefined;
  }

  /** Why one capability is denied: by a deny list, or by an allow list that lacks it. */
  deniesCapability(capability: Capability): Words {
    if (this.#keys.denyCapabilities?.includes(capability) === true) return `denied by ${this.#of}`;
    if (this.#keys.allowCapabilities?.includes(capability) !== false) return undefined;
    return `not in allowCapabilities of ${this.#of}`;
  }

  /** Whether the deny list alone has it. */
  forbids(capability: Capability): boolean {
    return this.#keys.denyCapabilities?.includes(capability) === true;
  }

  /** Whether the allow list has it. */
  grants(capability: Capability): boolean {
    return this.#keys.allowCapabilities?.includes(capability) === true;
  }

  /** What its deny lists name and none of these is, each with the name that is nearest. */
  idle(primitives: readonly Primitive[]): readonly string[] {
    return [...new Set(Object.values(LISTS))].flatMap((list) => {
      const ids = primitives.filter(({ kind }) => LISTS[kind] === list).map(({ id }) => id);
      const key = `deny${list}` as const;
      return (this.#keys[key] ?? [])
        .filter((glob) => !glob.startsWith('!') && !ids.some((id) => new Glob(glob).matches(id)))
        .map((glob) => `${key} '${glob}' of ${this.#of} matches nothing that there is.${didYouMean(glob, ids)}`);
    });
  }
}

/** Whether one is above the other. */
export function isAbove(sensitivity: Sensitivity, ceiling: Sensitivity): boolean {
  return SENSITIVITIES.indexOf(sensitivity) > SENSITIVITIES.indexOf(ceiling);
}
