import type { Provider } from '../asset.js';
import { text, type JsonRecord } from './json.js';

/** `eu-west-1`, and what is within it: `eu-west-1a`, `us-west-2-lax-1a`, `us-east-1-wl1-bos-wlz-1`. */
const AWS_REGION = /^([a-z]{2,4}(?:-[a-z]+)+-\d{1,2})(?:[a-z]|-[a-z0-9-]+)?$/;
/** `europe-west1`, and the zones within it: `europe-west1-b`. */
const GOOGLE_REGION = /^([a-z]+-[a-z]+\d{1,2})(?:-[a-z0-9-]+)?$/;
/** Words with a number at most: eu-west-1, europe-west1, eastus2euap, nyc3, global. */
const ANY_REGION = /^[a-z]{2,24}(?:-[a-z]{1,24}){0,3}-?\d{0,2}[a-z]{0,8}$/;
/** The place within a path or an address: `…/regions/europe-west1`, `…/zones/europe-west1-b`. */
const PLACE = /(?:^|\/)(?:regions|zones|locations)\/([^/]+)/;

/**
 * One spelling for a region, however it is written: a zone is in its region, a link ends in one, and a display name
 * ("West Europe") is the name without capitals and blanks.
 */
export function regionName(written: string): string {
  const name = (PLACE.exec(written)?.[1] ?? written).toLowerCase().replace(/\s+/g, '');
  return regionAround(name) ?? name;
}

/**
 * Where the asset is, by direct evidence only: an attribute, its zone, its ARN's region, or its resource path. It reads as a
 * region does in some cloud, so that it can be shown whatever else the file marks.
 */
export function regionOf(
  provider: Provider,
  attributes: JsonRecord,
  arnRegion: string | undefined,
): string | undefined {
  const found = evidenceOf(provider, attributes, arnRegion);
  return found !== undefined && ANY_REGION.test(found) ? found : undefined;
}

function evidenceOf(provider: Provider, attributes: JsonRecord, arnRegion: string | undefined): string | undefined {
  for (const named of [text(attributes.region), text(attributes.location), text(attributes.location_id)]) {
    const region = named === undefined ? undefined : regionName(named);
    if (region !== undefined && isRegion(provider, region)) return region;
  }
  for (const zone of [text(attributes.zone), text(attributes.availability_zone)]) {
    const region = zone === undefined ? undefined : regionAround(regionName(zone));
    if (region !== undefined) return region;
  }
  if (arnRegion !== undefined) return arnRegion === '' ? 'global' : regionName(arnRegion);

  for (const path of [text(attributes.id), text(attributes.self_link)]) {
    const region = /(?:^|\/)regions\/([^/]+)/.exec(path ?? '')?.[1];
    if (region !== undefined) return regionName(region);
    if (path?.includes('/global/')) return 'global';
  }
  return undefined;
}

/** AWS has other places, too, and calls them locations: those of Direct Connect, for one. */
function isRegion(provider: Provider, name: string): boolean {
  return ANY_REGION.test(name) && (provider !== 'AWS' || name === 'global' || AWS_REGION.test(name));
}

function regionAround(name: string): string | undefined {
  return AWS_REGION.exec(name)?.[1] ?? GOOGLE_REGION.exec(name)?.[1];
}
