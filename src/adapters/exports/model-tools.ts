import type { Wire } from '../../core/content.js';
import { checkOptions, isFunction, isNames, isOneOf, type OptionCheck } from '../../core/check-options.js';
import type { CallOptions } from '../../core/context.js';
import { ConfigurationError, errorKind, isLayerError } from '../../core/errors.js';
import { finding } from '../../core/finding.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { Principal, principalProblem } from '../../core/principal.js';
import { didYouMean } from '../../core/nearest.js';
import type { Layer } from '../../layer/layer.js';

/** Whose tools are exported, and which. */
export interface ModelToolOptions {
  /** Default: the local user. */
  readonly principal?: Principal;
  /** Only these, by exposed name. Default: all that the principal sees. */
  readonly only?: readonly string[];
}

/** One tool, as model APIs want it. */
export interface ModelTool {
  /** As the API allows it. */
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly wire: Wire;
  readonly call: (args: unknown, options?: Omit<CallOptions, 'principal'>) => Promise<Wire>;
}

/** What OpenAI, Anthropic and most others allow as a tool's name; MCP allows dots, and 128 characters. */
const ALLOWED = /[^A-Za-z0-9_-]/g;
const MAX_NAME_CHARS = 64;

/** Those of each API are checked here, too: whoever is called something else would be the local user. */
const CHECKS: Readonly<Record<keyof ModelToolOptions | 'api' | 'jsonSchema' | 'toolClass', OptionCheck>> = {
  principal: principalProblem,
  only: isNames,
  api: isOneOf('chat', 'responses'),
  jsonSchema: isFunction,
  toolClass: isFunction,
};

/**
 * The tools that a principal sees, under names that every model API takes.
 *
 * @throws {ConfigurationError} When two names become one, or `only` names a tool that is not there.
 */
export function modelTools(layer: Layer, options: ModelToolOptions): readonly ModelTool[] {
  checkOptions('tools for a model', options, CHECKS);
  const { only, principal = Principal.local() } = options;
  const wires = layer.toolsWire(principal).filter(({ name }) => only?.includes(name as string) !== false);
  const findings: string[] = [];
  const taken = new Map<string, string>();
  const tools = wires.map((wire) => {
    const exposed = String(wire['name']);
    const name = exposed.replace(ALLOWED, '_').slice(0, MAX_NAME_CHARS);
    const other = taken.get(name);
    if (other !== undefined)
      findings.push(
        finding('CT706', `tools '${other}' and '${exposed}': a model API would know both as '${name}'. Rename one.`),
      );
    taken.set(name, exposed);
    return {
      name,
      description: (wire['description'] ?? '') as string,
      schema: wire['inputSchema'] as JsonSchema,
      wire,
      call: (args: unknown, callOptions?: Omit<CallOptions, 'principal'>) =>
        call(layer, exposed, args, { ...callOptions, principal }),
    };
  });
  for (const name of only ?? []) {
    if (!wires.some((wire) => wire['name'] === name))
      findings.push(finding('CT707', `only: there is no tool '${name}' for this principal. Check the name.`));
  }
  if (findings.length > 0) throw new ConfigurationError(findings);
  return tools;
}

/** A model that is told of a mistake can fix it, so that even an unknown tool is an answer. */
async function call(layer: Layer, name: string, args: unknown, options: CallOptions): Promise<Wire> {
  try {
    const result = await layer.callTool(name, args, options);
    return result.toWire();
  } catch (error) {
    if (!isLayerError(error) || errorKind(error) === 'CancelledError') throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

/** The tool of a call that a model made. */
export function findTool(tools: readonly ModelTool[], name: string): ModelTool | undefined {
  return tools.find((tool) => tool.name === name);
}

/** What a model is told that called a tool which is not there. */
export function unknownTool(tools: readonly ModelTool[], called: string): string {
  const hint = didYouMean(
    called,
    tools.map(({ name }) => name),
  );
  return `Unknown tool: ${called}${hint === '' ? '' : `.${hint}`}`;
}

/** The arguments of a call, which some APIs give as JSON text. Text that is none stays text, and is refused as such. */
export function parseArguments(args: unknown): unknown {
  if (typeof args !== 'string') return args;
  if (args.trim() === '') return {};
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

/** A result as one text, for APIs that take nothing else: its text blocks, and a line for each block of another kind. */
export function textOf(result: Wire): string {
  return (result['content'] as readonly Wire[]).map(blockText).join('\n');
}

function blockText(block: Wire): string {
  switch (block['type']) {
    case 'text':
      return String(block['text']);
    case 'resource_link':
      return `[${String(block['name'])}: ${String(block['uri'])}]`;
    case 'resource': {
      const resource = block['resource'] as Wire;
      return typeof resource['text'] === 'string' ? resource['text'] : `[${String(resource['uri'])}]`;
    }
    default:
      return `[${String(block['type'])}: ${String(block['mimeType'])}]`;
  }
}
