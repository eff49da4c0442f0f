import type { JsonSchema } from '../../core/json-schema.js';
import { subschemas } from '../raw/walk.js';
import { finding } from '../../core/finding.js';

/** One argument that clients repeat in an HTTP header. */
export interface HeaderParam {
  readonly header: string;
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

/** What marks an argument that clients repeat in an HTTP header. */
export const HEADER_KEYWORD = 'x-mcp-header';
/** Source: RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES = new Set<unknown>(['string', 'integer', 'boolean']);
const NONE = Object.freeze({ params: Object.freeze([]), findings: Object.freeze([]) });

/**
 * The `x-mcp-header` annotations of an input schema. Source: MCP 2026-07-28, "Custom headers from tool parameters":
 * clients drop a tool whose annotation is wrong, so a wrong one is a finding.
 */
export function readHeaderParams(schema: JsonSchema): { params: readonly HeaderParam[]; findings: readonly string[] } {
  if (!mentions(schema, HEADER_KEYWORD)) return NONE;
  const params: HeaderParam[] = [];
  const findings: string[] = [];
  const names = new Set<string>();
  for (const { schema: sub, path } of subschemas(schema)) {
    if (!(HEADER_KEYWORD in sub)) continue;
    const header = sub[HEADER_KEYWORD];
    const keys = propertyPath(path);
    const site = keys?.join('.') ?? path.join('.');
    const type = sub.type;
    if (typeof header !== 'string' || !TOKEN.test(header)) {
      findings.push(
        finding('CT312', `${HEADER_KEYWORD} of ${site} is not a header name. Use letters, digits and hyphens.`),
      );
    } else if (keys === undefined || keys.length === 0) {
      findings.push(
        finding(
          'CT312',
          `${HEADER_KEYWORD} of ${site} cannot be found in every call. Put it on a property that is reached through properties alone.`,
        ),
      );
    } else if (!TYPES.has(type)) {
      findings.push(
        finding(
          'CT312',
          `${HEADER_KEYWORD} of ${site} is on ${type === undefined ? 'a property without a type' : JSON.stringify(type)}. Only string, integer and boolean can be headers.`,
        ),
      );
    } else if (names.has(header.toLowerCase())) {
      findings.push(
        finding('CT312', `${HEADER_KEYWORD} "${header}" is used twice. Give each argument its own header.`),
      );
    } else {
      names.add(header.toLowerCase());
      params.push({ header, path: keys, type: type as HeaderParam['type'] });
    }
  }
  return { params, findings };
}

function mentions(value: unknown, keyword: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, keyword)) return true;
  for (const key of Object.keys(value)) {
    if (mentions((value as Readonly<Record<string, unknown>>)[key], keyword)) return true;
  }
  return false;
}

/** The property names on a path that runs through `properties` alone. */
function propertyPath(path: readonly string[]): string[] | undefined {
  const keys: string[] = [];
  for (let i = 0; i < path.length; i += 2) {
    if (path[i] !== 'properties') return undefined;
    keys.push(path[i + 1] ?? '');
  }
  return keys;
}
