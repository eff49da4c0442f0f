import type { Wire } from '../core/content.js';
import { isRecord } from '../core/guards.js';
import type { ListName } from '../layer/catalog.js';
import { type Era, HANDSHAKE_VERSIONS, MODERN } from './era.js';
import { projectContent } from './project-content.js';

/**
 * What one revision of the protocol can say. Each projection returns what it was given when nothing has to go; none
 * changes it. Source: MCP, the changelogs of all revisions.
 */
export interface Revision {
  readonly version: string;
  readonly era: Era;
  /** One definition of a list. */
  definition(list: ListName, wire: Wire): Wire;
  /** A tool's result. */
  toolResult(wire: Wire): Wire;
  /** One entry of what a resource read returns. */
  contents(wire: Wire): Wire;
  /** A prompt's answer. */
  promptResult(wire: Wire): Wire;
  /** Who a server is. */
  implementation(wire: Wire): Wire;
  /** The parameters of a progress notification. */
  progress(params: Wire): Wire;
}

/** Since when something may be said, as an index into the order of revisions. */
const ORDER: readonly string[] = [...HANDSHAKE_VERSIONS].reverse().concat(MODERN as never);
const since = (version: string): number => ORDER.indexOf(version);
const STREAMABLE = since('2025-03-26');
const STRUCTURED = since('2025-06-18');
const ICONS = since('2025-11-25');
const MODERN_ERA = since(MODERN);

function without(wire: Wire, keys: readonly string[]): Wire {
  if (!keys.some((key) => key in wire)) return wire;
  return Object.fromEntries(Object.entries(wire).filter(([key]) => !keys.includes(key)));
}

/** The keys of definitions that came after revision `at`. `annotations` are hints on tools, and older on the rest. */
function laterKeys(list: ListName, at: number): readonly string[] {
  const keys: string[] = [];
  if (at < STREAMABLE && list === 'tools') keys.push('annotations');
  if (at < STRUCTURED) keys.push('title', '_meta', 'outputSchema');
  if (at < ICONS) keys.push('icons', 'execution');
  return keys;
}

function makeRevision(version: string): Revision {
  const at = since(version);
  const later = {
    tools: laterKeys('tools', at),
    resources: laterKeys('resources', at),
    templates: laterKeys('templates', at),
    prompts: laterKeys('prompts', at),
  };
  const content =
    at >= ICONS ? undefined : (block: Wire): Wire => projectContent(block, { at, STREAMABLE, STRUCTURED, ICONS });

  return {
    version,
    era: at < MODERN_ERA ? 'handshake' : 'modern',
    definition: (list, wire) => {
      let projected = without(wire, later[list]);
      if (at < MODERN_ERA && 'outputSchema' in projected && !isObjectSchema(projected['outputSchema'])) {
        projected = without(projected, ['outputSchema']);
      }
      if (at < STRUCTURED) projected = withPlainParts(list, projected);
      return projected;
    },
    toolResult: (wire) => {
      const blocks = wire['content'] as Wire[];
      const structured = wire['structuredContent'];
      const keeps = structured === undefined || at >= MODERN_ERA || (at >= STRUCTURED && isRecord(structured));
      if (keeps && content === undefined) return wire;
      const projected = keeps ? { ...wire } : without(wire, ['structuredContent']);
      projected['content'] = content === undefined ? blocks : blocks.map(content);
      if (!keeps && blocks.length === 0) projected['content'] = [{ type: 'text', text: JSON.stringify(structured) }];
      return projected;
    },
    contents: (wire) => (at < STRUCTURED ? without(wire, ['_meta']) : wire),
    promptResult: (wire) => {
      if (content === undefined) return wire;
      const messages = wire['messages'] as readonly { readonly role: string; readonly content: Wire }[];
      return { ...wire, messages: messages.map((message) => ({ ...message, content: content(message.content) })) };
    },
    implementation: (wire) =>
      without(wire, [
        ...(at < STRUCTURED ? ['title'] : []),
        ...(at < ICONS ? ['description', 'websiteUrl', 'icons'] : []),
      ]),
    progress: (params) => (at < STREAMABLE ? without(params, ['message']) : params),
  };
}

/** What the parts of definitions lose before 2025-06-18: titles of prompt arguments, dates of annotations. */
function withPlainParts(list: ListName, wire: Wire): Wire {
  const args = wire['arguments'] as Wire[] | undefined;
  if (list === 'prompts' && args !== undefined)
    return { ...wire, arguments: args.map((arg) => without(arg, ['title'])) };
  const annotations = wire['annotations'] as Wire | undefined;
  if (list === 'tools' || annotations === undefined) return wire;
  return { ...wire, annotations: without(annotations, ['lastModified']) };
}

function isObjectSchema(schema: unknown): boolean {
  return isRecord(schema) && schema['type'] === 'object';
}

const REVISIONS: ReadonlyMap<string, Revision> = new Map(ORDER.map((version) => [version, makeRevision(version)]));

/** @throws {RangeError} For a version that is not served. */
export function revisionOf(version: string): Revision {
  const revision = REVISIONS.get(version);
  if (revision === undefined) throw new RangeError(`Protocol version ${version}: not served. Use ${ORDER.join(', ')}.`);
  return revision;
}

/** Every revision that is served, oldest first. */
export const ALL_REVISIONS: readonly Revision[] = Object.freeze([...REVISIONS.values()]);
