import type { AnySpec } from '../registry/registry.js';
import type { ToolSpec } from '../registry/tool-spec.js';
import type { ResolvedOptions } from './options.js';

const NOT_READ_ONLY = ['write_fs', 'cloud_access', 'exec'] as const;

/** Whether a layer's filters let a primitive in. */
export function isIncluded(spec: AnySpec, options: ResolvedOptions): boolean {
  const { includeCategories, excludeCategories, includeTools, excludeTools, readOnly } = options;
  if (includeCategories?.includes(spec.category) === false) return false;
  if (excludeCategories?.includes(spec.category) === true) return false;
  if (readOnly === true && NOT_READ_ONLY.some((capability) => spec.capabilities.has(capability))) return false;
  if (spec.kind !== 'tool') return true;
  if (readOnly === true && !isHarmless(spec)) return false;
  return includeTools?.includes(spec.name) !== false && excludeTools?.includes(spec.name) !== true;
}

/** What declares nothing may do anything, unless its author says that it only reads. */
function isHarmless({ annotations, declared }: ToolSpec): boolean {
  return annotations.destructiveHint !== true && (declared || annotations.readOnlyHint === true);
}
