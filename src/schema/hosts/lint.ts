import { ConfigurationError } from '../../core/errors.js';
import { finding } from '../../core/finding.js';
import { isRecord } from '../../core/guards.js';
import type { JsonSchema } from '../../core/json-schema.js';
import { compositionOf, HOST_RULES, lacksItems, unportableKeys, type Host } from './host-rules.js';
import { subschemas } from '../raw/walk.js';

/** What a host would make of one place of a schema. */
export interface LintFinding {
  /** Keywords and keys from the root, joined by dots; empty for the root itself. */
  readonly path: string;
  /** `refuse`: the host does not accept the tool. `drop`: it ignores this, so the model never sees it. */
  readonly effect: 'refuse' | 'drop';
  readonly message: string;
}

/**
 * What `host` refuses or drops of a tool's schema. It says nothing of hosts' clients, which may convert on the way.
 *
 * @throws {ConfigurationError} For a host that is not known.
 */
export function lintSchema(schema: JsonSchema, host: Host): LintFinding[] {
  if (!Object.hasOwn(HOST_RULES, host)) {
    const known = Object.keys(HOST_RULES).join(', ');
    throw new ConfigurationError(finding('CT313', `lintSchema: the host "${host}" is not known. Use one of ${known}.`));
  }
  const findings: LintFinding[] = [];
  for (const sub of subschemas(schema)) {
    const path = sub.path.join('.');
    for (const rule of HOST_RULES[host]) {
      for (const { effect, problem } of rule(sub, schema)) {
        findings.push({ path, effect, message: `${host} ${effect === 'refuse' ? 'refuses' : 'ignores'} ${problem}` });
      }
    }
  }
  return findings;
}

/** What a portability check needs to know of a tool. */
export interface PortableTool {
  /** Who declared it, for messages: `AssetTools.countAssets`. */
  readonly site: string;
  /** As clients see it, prefix included. */
  readonly exposedName: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** Hosts add a prefix of their own and then allow 64 in all. */
const MAX_PORTABLE_NAME = 64;

/** What real hosts are known to refuse of a tool, each as "site: problem. remedy." */
export function portabilityWarnings({ site, exposedName, inputSchema, outputSchema }: PortableTool): string[] {
  const warnings: string[] = [];
  const warn = (problem: string): void => void warnings.push(`${site}: the tool "${exposedName}" ${problem}`);
  if (exposedName.length > MAX_PORTABLE_NAME) {
    warn(`has a name of ${exposedName.length} characters, and many hosts allow ${MAX_PORTABLE_NAME}. Shorten it.`);
  }
  if (exposedName.includes('.')) warn('has a dot in its name, which several hosts refuse. Use an underscore.');
  const composition = compositionOf(inputSchema);
  if (composition.length > 0) {
    warn(
      `has ${composition.join(', ')} at the root of its input, which Claude and OpenAI hosts refuse. Say it in the description.`,
    );
  }
  for (const problem of placeWarnings('input', inputSchema)) warn(problem);
  if (outputSchema !== undefined) for (const problem of placeWarnings('output', outputSchema)) warn(problem);
  return warnings;
}

const NO_KEYS: readonly string[] = [];

function placeWarnings(kind: 'input' | 'output', root: JsonSchema): readonly string[] {
  const warnings: string[] = [];
  for (const sub of subschemas(root)) {
    const at = (): string => [kind, ...sub.path].join('.');
    for (const key of kind === 'input' && isRecord(sub.schema.properties) ? unportableKeys(sub.schema) : NO_KEYS) {
      warnings.push(
        `has the argument ${JSON.stringify(key)} (${at()}), and hosts refuse keys outside ^[a-zA-Z0-9_.-]{1,64}$. Rename it, with @Expose({ name }) on a DTO.`,
      );
    }
    if (Array.isArray(sub.schema.enum) && sub.schema.enum.length === 0) {
      warnings.push(
        `has an enum without values (${at()}), which no value can meet and several hosts refuse. List the values.`,
      );
    }
    if (kind === 'input') for (const problem of choiceWarnings(sub.schema)) warnings.push(problem(at()));
    if (lacksItems(sub.schema)) {
      warnings.push(
        `has an array without items (${at()}), which OpenAI, Gemini and VS Code refuse. Describe its elements, with items: {} for anything.`,
      );
    }
  }
  return warnings;
}

/** What is said of one place of an input whose choice of values, or of types, some hosts do not take. */
function choiceWarnings({ enum: values, type }: JsonSchema): ((place: string) => string)[] {
  const warnings: ((place: string) => string)[] = [];
  if (Array.isArray(values)) {
    if (values.includes('')) {
      warnings.push(
        (place) => `has an enum with the empty text (${place}), which Gemini refuses. Make it optional instead.`,
      );
    }
    if (new Set(values.map((value: unknown) => (value === null ? 'null' : typeof value))).size > 1) {
      warnings.push((place) => `has an enum of mixed types (${place}), which Gemini refuses. Use values of one type.`);
    }
  }
  if (Array.isArray(type) && type.length > 1) {
    warnings.push(
      (place) =>
        `has a list of types (${place}), which Gemini refuses. Make it optional instead of null, or say it with anyOf.`,
    );
  }
  return warnings;
}
