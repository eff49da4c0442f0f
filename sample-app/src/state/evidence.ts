import type { Asset, Provider } from '../asset.js';
import { isRecord, stringsIn, text, type JsonRecord } from './json.js';

const CLOUDS: Readonly<Record<string, Provider>> = {
  aws: 'AWS',
  azurerm: 'AZURE',
  azuread: 'AZURE',
  azapi: 'AZURE',
  google: 'GCP',
  'google-beta': 'GCP',
};

/** Settings worth showing. A list of names to keep, and not one of names to hide: old formats mark nothing as sensitive. */
const KEPT_ATTRIBUTES = [
  'instance_type', 'instance_class', 'machine_type', 'vm_size', 'size', 'sku_name', 'sku', 'tier', 'account_tier',
  'account_replication_type', 'engine', 'engine_version', 'version', 'runtime', 'handler', 'memory_size', 'timeout',
  'allocated_storage', 'billing_mode', 'cidr_block', 'ip_cidr_range', 'protocol', 'port', 'from_port', 'to_port',
  'encrypted', 'storage_encrypted', 'enable_key_rotation', 'publicly_accessible', 'public_network_access_enabled',
  'public_access_prevention', 'uniform_bucket_level_access', 'map_public_ip_on_launch', 'multi_az',
  'backup_retention_period', 'deletion_protection', 'https_only', 'min_tls_version', 'storage_class', 'os_type',
  'kind', 'internal', 'monitoring',
] as const; // prettier-ignore

const MAX_TAGS = 64;
const MAX_TEXT_LENGTH = 512;

/** The cloud behind a provider's short name. */
export function cloudOf(provider: string): Provider {
  return Object.hasOwn(CLOUDS, provider) ? (CLOUDS[provider] as Provider) : 'OTHER';
}

/** The asset's ARN: its own attribute, else an id that is one. */
export function arnOf(attributes: JsonRecord): string | undefined {
  return [text(attributes.arn), text(attributes.id)].find((value) => value !== undefined && arnFields(value));
}

/** The region in the asset's ARN; empty for what has none. */
export function arnRegionOf(attributes: JsonRecord): string | undefined {
  return arnFields(arnOf(attributes))?.region;
}

/** Whose the asset is: AWS account, Azure subscription or Google project. */
export function accountOf(provider: Provider, attributes: JsonRecord): string | undefined {
  if (provider === 'AWS') {
    const id = text(attributes.id);
    const fromId = arnFields(id)?.account ?? (/^\d{12}$/.test(id ?? '') ? id : undefined);
    return text(arnFields(text(attributes.arn))?.account) ?? text(fromId) ?? text(attributes.owner_id);
  }
  if (provider === 'AZURE') return firstMatch(/\/subscriptions\/([^/]+)/, attributes);
  if (provider === 'GCP') return text(attributes.project) ?? firstMatch(/(?:^|\/)projects\/([^/]+)/, attributes);
  return undefined;
}

/** Tags (AWS, Azure) or labels (Google), from nested and from format 3's flattened attributes. */
export function tagsOf(attributes: JsonRecord): Record<string, string> {
  const tags = new Map<string, string>();
  for (const source of ['tags_all', 'tags', 'labels', 'user_labels', 'resource_labels']) {
    const nested = attributes[source];
    for (const [key, value] of isRecord(nested) ? Object.entries(nested) : flattened(attributes, `${source}.`)) {
      if (typeof value === 'string') tags.set(key, value);
    }
  }
  return Object.fromEntries([...tags].filter(([key, value]) => isShort(key) && isShort(value)).slice(0, MAX_TAGS));
}

/** The descriptive settings that an asset keeps. */
export function settingsOf(attributes: JsonRecord): Asset['attributes'] {
  const kept: Record<string, string | number | boolean> = {};
  for (const name of KEPT_ATTRIBUTES) {
    const value = attributes[name];
    if (typeof value === 'number' || typeof value === 'boolean') kept[name] = value;
    else if (typeof value === 'string' && value !== '' && isShort(value)) kept[name] = value;
  }
  return kept;
}

function arnFields(arn: string | undefined): { region: string; account: string } | undefined {
  const [scheme, , , region, account, ...resource] = arn?.split(':', 6) ?? [];
  if (scheme !== 'arn' || region === undefined || account === undefined || resource.length === 0) return undefined;
  return { region, account };
}

function firstMatch(pattern: RegExp, attributes: JsonRecord): string | undefined {
  // The asset's own id first: other attributes may point into another subscription or project.
  for (const value of stringsIn([attributes.id, attributes])) {
    const match = pattern.exec(value)?.[1];
    if (match !== undefined) return match;
  }
  return undefined;
}

function flattened(attributes: JsonRecord, prefix: string): [string, unknown][] {
  return Object.entries(attributes)
    .filter(([key]) => key.startsWith(prefix) && key !== `${prefix}%` && key !== `${prefix}#`)
    .map(([key, value]) => [key.slice(prefix.length), value]);
}

function isShort(value: string): boolean {
  return value.length <= MAX_TEXT_LENGTH;
}
