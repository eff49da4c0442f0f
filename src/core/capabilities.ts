/** What a primitive needs to do its work. Policies deny by it and annotation hints are derived from it. */
export type Capability = 'read_state' | 'write_state' | 'read_fs' | 'write_fs' | 'cloud_access' | 'exec' | 'reveal';

/** Every capability there is. */
export const CAPABILITIES: readonly Capability[] = Object.freeze([
  'read_state',
  'write_state',
  'read_fs',
  'write_fs',
  'cloud_access',
  'exec',
  'reveal',
] as const);

/** How much harm a leak does, ascending. */
export type Sensitivity = 'public' | 'internal' | 'confidential' | 'restricted';

/** Every sensitivity, ascending. */
export const SENSITIVITIES: readonly Sensitivity[] = Object.freeze([
  'public',
  'internal',
  'confidential',
  'restricted',
] as const);

/** A tool's behaviour hints, as declared. Source: MCP, "Tool annotations". */
export interface ToolHints {
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
  readonly idempotent?: boolean | undefined;
  readonly openWorld?: boolean | undefined;
}

/**
 * Fills every hint that was left unset and that the declared capabilities answer. Clients assume the worst of a missing
 * one, and so does everything else: where nobody declared capabilities, none is filled in, for nothing honest can be said.
 */
export function deriveHints(capabilities: ReadonlySet<Capability> | undefined, declared: ToolHints): ToolHints {
  if (capabilities === undefined) return declared;
  const reachesOut = capabilities.has('cloud_access') || capabilities.has('exec');
  const writes = capabilities.has('write_state') || capabilities.has('write_fs') || capabilities.has('exec');
  const readOnly = declared.readOnly ?? !writes;
  return {
    readOnly,
    destructive: declared.destructive ?? false,
    idempotent: declared.idempotent ?? (readOnly && !reachesOut ? true : undefined),
    openWorld: declared.openWorld ?? reachesOut,
  };
}
