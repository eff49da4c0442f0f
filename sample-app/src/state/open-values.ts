import type { Provider } from '../asset.js';

/** What an asset is known by, as its own attributes say it. */
export interface Identity {
  readonly provider: Provider;
  readonly id?: string;
  readonly arn?: string;
  readonly account?: string;
}

/**
 * What a parameter store or an output may mark as sensitive though it is no secret: to see one of these in a second place
 * tells nobody anything. A GUID is not among them, since tokens look like that too.
 */
const OPEN_SHAPES: readonly RegExp[] = [
  // A word, a number, a version.
  /^(?:[A-Z]?[a-z]{1,11}|[A-Z]{1,6})$/,
  /^\d{1,5}$/,
  /^v?\d{1,4}(?:\.\d{1,5}){1,3}$/,
  // A region or a zone: eu-west-1, us-gov-west-1a, europe-west1-b, eastus2, nam5.
  /^[a-z]{2,}(?:-[a-z]{2,})*-(?:north|south|east|west|central)[a-z]*-?\d{1,2}(?:-[a-z]{3}-\d)?(?:-?[a-z])?$/,
  /^(?=[a-z]{4,20}\d?$)[a-z]*(?:north|south|east|west|central)[a-z]*\d?$/,
  /^(?:nam|eur|asia)\d{1,2}$/,
  // The sizes of machines: t3.micro, db.r6g.large, e2-standard-4, Standard_D2s_v3.
  /^(?:[a-z]{2,5}\.)?[a-z]{1,3}\d[a-z]{0,4}\.(?:nano|micro|small|medium|large|\d{0,2}xlarge|metal)$/,
  /^[a-z]\d[a-z]?-(?:micro|small|medium|(?:standard|highmem|highcpu)-\d{1,3})$/,
  /^Standard_[A-Z]{1,3}\d{1,3}[a-z]{0,3}(?:_v\d)?$/,
  // An address or a network.
  /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/,
  // What AWS calls its things: vpc-0a1b2c3d, subnet-0123456789abcdef0; and whole ARNs.
  /^[a-z]{1,8}-(?:[0-9a-f]{8}|[0-9a-f]{17})$/,
  /^arn:aws[a-z-]*:[a-z0-9-]*:[a-z0-9-]*:\d*:[\w+=,.@:/*-]+$/,
];
const MAX_OPEN_LENGTH = 300;

/** Whether `value` is of a shape that no secret has. */
export function looksOpen(value: string): boolean {
  return value.length <= MAX_OPEN_LENGTH && OPEN_SHAPES.some((shape) => shape.test(value));
}

/**
 * Everything that names an asset of a cloud: its id, its ARN, its account, and the parts of ids and ARNs that are paths.
 * What other providers call an id may be the secret itself, as with `random_string`.
 */
export function* namesOf({ provider, id, arn, account }: Identity): Generator<string> {
  if (provider === 'OTHER') return;
  for (const name of [id, arn, account]) if (name !== undefined) yield name;
  for (const name of [id, arn]) {
    if (name?.startsWith('arn:')) yield* name.split(':').slice(5).join(':').split(/[:/]/);
    else if (name !== undefined && /^(?:\/|projects\/)/.test(name)) yield* name.split('/');
  }
}
