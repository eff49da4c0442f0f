import { Memo } from '../access/memo.js';

/** Which kinds of answers a client takes. */
export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
  /** Events were named, not only covered by a wildcard: what a GET for a stream needs. */
  readonly eventsNamed: boolean;
}

/** The names of UTF-8, and of ASCII, which is a part of it. Source: RFC 8259, "Character Encoding". */
const UTF8_NAMES = /^charset\s*=\s*"?(?:utf-?8|us-ascii)"?$/;

const BOTH: Accepted = Object.freeze({ json: true, events: true, eventsNamed: false });
const accepted = new Memo<Accepted>(parseAccept);
const jsonBody = new Memo<boolean>(isJsonType);

/** Reads `Accept` as a set: order, wildcards and `q=0` count, and a missing header takes everything. */
export function readAccept(header: string | undefined): Accepted {
  return header === undefined || header === '' ? BOTH : accepted.get(header);
}

/** Whether a body of this `Content-Type` is JSON that is read as UTF-8, with any other parameters. */
export function isJsonBody(contentType: string | undefined): boolean {
  return contentType !== undefined && jsonBody.get(contentType);
}

function isJsonType(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) return false;
  return parameters.every((parameter) => !/^charset\s*=/.test(parameter) || UTF8_NAMES.test(parameter));
}

function parseAccept(header: string): Accepted {
  const ranges = header.split(',').map(parseRange);
  const takes = (type: string): boolean => {
    const group = type.slice(0, type.indexOf('/') + 1);
    // The most specific range that covers a type decides. Source: RFC 9110, "Accept".
    for (const wanted of [type, `${group}*`, '*/*']) {
      const found = ranges.filter((range) => range.type === wanted);
      if (found.length > 0) return found.some(({ refused }) => !refused);
    }
    return false;
  };
  return Object.freeze({
    json: takes('application/json'),
    events: takes('text/event-stream'),
    eventsNamed: ranges.some(({ type, refused }) => type === 'text/event-stream' && !refused),
  });
}

function parseRange(text: string): { type: string; refused: boolean } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  return { type, refused: parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter)) };
}
