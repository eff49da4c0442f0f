import { ToolError } from 'cartouche';

/** A state file that cannot be read. The message is made for whoever asked for it; nothing of the file's content is in it. */
export class StateError extends ToolError {}

/** A file that is JSON and looks like a state, and is broken at `site`. */
export function malformed(site: string, problem: string): StateError {
  return new StateError(`${site} ${problem}. The file is damaged or was not written by Terraform or OpenTofu.`);
}
