import { ToolError } from 'cartouche';

/** A state file that cannot be read. The message is made for whoever asked for it; no value of the file is in it. */
export class StateError extends ToolError {}

/** A file that is JSON and looks like a state, and is broken at `site`. */
export function malformed(site: string, problem: string): StateError {
  return new StateError(`${site} ${problem}. The file is damaged or was not written by Terraform or OpenTofu.`);
}

/**
 * The list at `site`; an empty one where there is none.
 * @throws {StateError} When something else is there: to read that as empty would show an estate that is not so.
 */
export function listAt(site: string, value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw malformed(site, 'is not a list');
  return value;
}
