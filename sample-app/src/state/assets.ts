import type { Asset } from '../asset.js';
import { formatAddress } from './address.js';
import { accountOf, arnOf, arnRegionOf, cloudOf, settingsOf, tagsOf } from './evidence.js';
import type { StateInstance } from './instance.js';
import { text } from './json.js';
import type { Identity } from './open-values.js';
import { regionOf } from './region.js';
import type { Secrets } from './sensitive.js';

/** What an instance is known by. */
export function identify({ provider, attributes }: StateInstance): Identity {
  const cloud = cloudOf(provider);
  return {
    provider: cloud,
    id: text(attributes.id),
    arn: arnOf(attributes),
    account: accountOf(cloud, attributes),
  };
}

/** The asset that an instance is, without copies of `secrets`: the same value may stand in a second, unmarked place. */
export function toAsset(instance: StateInstance, identity: Identity, secrets: Secrets): Asset {
  const { attributes, type, label, key, module } = instance;
  const clean = new Cleaner(secrets);
  const tags = clean.entries('tags', tagsOf(attributes));
  return {
    address: formatAddress(instance),
    provider: identity.provider,
    type,
    name: tags.Name ?? clean.value('name', text(attributes.name)) ?? label,
    id: clean.value('id', identity.id),
    arn: clean.value('arn', identity.arn),
    region: regionOf(identity.provider, attributes, arnRegionOf(attributes)),
    account: clean.value('account', identity.account),
    module,
    key,
    tags,
    attributes: clean.entries('attributes', settingsOf(attributes)),
    withheld: clean.withheld,
  };
}

/** Leaves copies of secrets out, and remembers where. */
class Cleaner {
  readonly withheld: string[] = [];
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  value(place: string, value: string | undefined): string | undefined {
    if (value === undefined || !this.#secrets.isIn(value)) return value;
    this.withheld.push(place);
    return undefined;
  }

  entries<T>(place: string, values: Readonly<Record<string, T>>): Record<string, T> {
    const kept = Object.entries(values).filter(([name, value]) => {
      // A secret may be the name of a tag, which then cannot be told either.
      if (this.value(place, name) === undefined) return false;
      return typeof value !== 'string' || this.value(`${place}.${name}`, value) !== undefined;
    });
    return Object.fromEntries(kept);
  }
}
