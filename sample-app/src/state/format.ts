import { malformed, StateError } from './errors.js';
import { isRecord, text, type JsonRecord } from './json.js';

/** The formats that can be read. */
export type Format = 'state-4' | 'state-3' | 'show-json';

/** What `show -json` prints of a state. Source: Terraform JSON output format, "State representation". */
const SHOWN = ['format_version', 'terraform_version', 'values', 'checks', 'timestamp', 'errored'];

/**
 * Which format a JSON object is.
 * @throws {StateError} When it is none that can be read: much that is no state has a version, too.
 */
export function formatOf(state: JsonRecord): Format {
  if ('encrypted_data' in state) {
    throw new StateError('The state is encrypted by OpenTofu. Give the output of `tofu show -json` instead.');
  }
  if ('planned_values' in state || 'resource_changes' in state) {
    throw new StateError('This is a plan. Give the state: `terraform show -json` without a plan file.');
  }
  if (state.version === 4) return stateFormat(state, 'state-4', 'resources');
  if (state.version === 3) return stateFormat(state, 'state-3', 'modules');
  if (typeof state.version === 'number') {
    throw new StateError(
      `State format ${state.version} is not supported, only 3 and 4. Give the output of \`show -json\`.`,
    );
  }
  const version = text(state.format_version);
  if (version === undefined) throw notAState('"version" and no "format_version"');
  if (!/^[01]\./.test(version)) {
    throw new StateError('This version of `show -json` is not supported, only 0.x and 1.x.');
  }
  // The other commands that print JSON have a format_version, too.
  if (!isRecord(state.values) && Object.keys(state).some((key) => !SHOWN.includes(key))) throw notAState('"values"');
  return 'show-json';
}

function stateFormat(state: JsonRecord, format: Format, content: string): Format {
  const value = state[content];
  // Nothing but an empty list is what many a file has.
  if (Array.isArray(value) && value.length > 0) return format;
  if (!isStamped(state))
    throw notAState(`list of "${content}" with something in it, no "lineage" and no "terraform_version"`);
  if (value !== undefined && value !== null && !Array.isArray(value)) throw malformed(content, 'is not a list');
  return format;
}

/** Whether it has what Terraform and OpenTofu write into every state. */
function isStamped(state: JsonRecord): boolean {
  return text(state.lineage) !== undefined || text(state.terraform_version) !== undefined;
}

function notAState(missing: string): StateError {
  return new StateError(
    `Not a state: there is no ${missing}. Name a file of Terraform or OpenTofu, or the output of \`show -json\`.`,
  );
}
