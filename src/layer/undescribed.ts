import { hasComments } from '../core/doc-comments.js';
import { isRecord } from '../core/guards.js';
import type { AnySpec, Registry } from '../registry/registry.js';
import { isIncluded } from './filters.js';
import type { ResolvedOptions } from './options.js';

/** How many names are spelled out. */
const MAX_NAMED = 10;
/** How many schemas are looked through: beyond that enough is said. */
const MAX_SCHEMAS = 10_000;

/** How many of how many, and of which. */
interface Count {
  total: number;
  readonly missing: string[];
}

/**
 * Warns when serving begins of what has no description, where the build took the comments out of every class: models
 * choose by descriptions, and they go in silence. Who writes some and not others means it so.
 */
export function warnOfUndescribed(registry: Registry, options: ResolvedOptions): void {
  const specs = [...registry].filter((spec) => isIncluded(spec, options));
  const services = new Set(specs.map(({ service }) => service).filter((service) => service !== undefined));
  if (services.size === 0 || [...services].some(hasComments)) return;
  const primitives: Count = { total: 0, missing: [] };
  const properties: Count = { total: 0, missing: [] };
  for (const spec of specs) {
    count(primitives, spec.name, spec.description);
    countProperties(properties, spec);
  }
  if (primitives.missing.length + properties.missing.length === 0) return;
  options.logger.warn(
    `McpLayer: ${said(primitives, 'tools, resources and prompts')}, and ${said(properties, 'properties of their inputs')} ` +
      'have no description, which models choose by. No class has a comment as it was compiled: if you wrote some, ' +
      'removeComments in tsconfig.json, tsx, Bun or a minifier took them out, and doc comments with them. Keep them, or ' +
      'pass description to the decorators and to @Field.',
  );
}

function count(counted: Count, name: string, description: unknown): void {
  counted.total++;
  if (description === undefined || description === '') counted.missing.push(name);
}

function countProperties(counted: Count, spec: AnySpec): void {
  const waiting: [path: string, schema: unknown][] = [[spec.name, 'input' in spec ? spec.input?.schema : undefined]];
  for (let looked = 0; looked < Math.min(waiting.length, MAX_SCHEMAS); looked++) {
    const [path, schema] = waiting[looked] as [string, unknown];
    if (!isRecord(schema)) continue;
    for (const [name, property] of entriesOf(schema['properties'])) {
      // What stands for a class elsewhere is described there, or here.
      const target = isRecord(property) ? property : {};
      count(counted, `${path}.${name}`, target['description']);
      waiting.push([`${path}.${name}`, property]);
    }
    for (const key of ['items', 'additionalProperties']) waiting.push([path, schema[key]]);
    for (const [name, definition] of entriesOf(schema['$defs'])) waiting.push([name, definition]);
  }
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

function said({ missing, total }: Count, what: string): string {
  const names = missing.slice(0, MAX_NAMED).join(', ');
  const more = missing.length > MAX_NAMED ? `, and ${missing.length - MAX_NAMED} more` : '';
  return `${missing.length} of ${total} ${what}${missing.length === 0 ? '' : ` (${names}${more})`}`;
}
