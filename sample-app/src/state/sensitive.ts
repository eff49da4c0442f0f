import { isRecord, list, MAX_DEPTH, stringsIn, type JsonRecord } from './json.js';
import { looksOpen } from './open-values.js';

/** Shorter secrets are recognised only as a whole value: "admin" inside a longer text proves nothing. */
const MIN_FRAGMENT = 8;

/** The sensitive strings of one state file: collected while they are cut out, then used to catch copies of them. */
export class Secrets {
  readonly #known = new Set<string>();
  /** The lengths of the long secrets, by how they start: connection strings all start alike. */
  readonly #lengths = new Map<string, Set<number>>();
  #marked = 0;

  /** How many values were marked, and had something in them. */
  get marked(): number {
    return this.#marked;
  }

  /** Remembers every string inside `value` that could be a secret. */
  add(value: unknown): void {
    if (value === null || value === undefined) return;
    this.#marked++;
    for (const secret of stringsIn(value)) {
      if (looksOpen(secret)) continue;
      this.#known.add(secret);
      if (secret.length < MIN_FRAGMENT) continue;
      const start = secret.slice(0, MIN_FRAGMENT);
      this.#lengths.set(start, (this.#lengths.get(start) ?? new Set()).add(secret.length));
    }
  }

  /** Forgets what turned out to be the name of something: a parameter that holds a bucket's name makes no secret of it. */
  spare(names: Iterable<string>): void {
    for (const name of names) this.#known.delete(name);
  }

  /** Whether `candidate` is one of the secrets or contains a long one. */
  isIn(candidate: string): boolean {
    if (this.#known.has(candidate)) return true;
    for (let at = 0; at + MIN_FRAGMENT <= candidate.length; at++) {
      const lengths = this.#lengths.get(candidate.slice(at, at + MIN_FRAGMENT));
      for (const length of lengths ?? []) if (this.#known.has(candidate.slice(at, at + length))) return true;
    }
    return false;
  }
}

/**
 * Cuts the values at `paths` out of `attributes` (which is changed) and remembers them in `secrets`.
 * A path is a list of `{ type: 'get_attr', value }` and `{ type: 'index', value: { value } }` steps.
 * A step that is neither takes everything below the last step understood. Source: Terraform state format 4, `sensitive_attributes`.
 */
export function cutPaths(attributes: JsonRecord, paths: unknown, secrets: Secrets): JsonRecord {
  const root: JsonRecord = { attributes };
  // A mark that is no list of paths does not say where: everything may be meant.
  for (const path of paths && !Array.isArray(paths) ? [[]] : list(paths)) {
    let parent = root;
    let name = 'attributes';
    for (const step of list(path)) {
      const inner = own(parent, name);
      const next = stepName(step);
      // Rather too much than too little: what cannot be followed further is taken as a whole.
      if (next === undefined || inner === undefined) break;
      parent = inner;
      name = next;
    }
    cut(parent, name, secrets);
  }
  return isRecord(root.attributes) ? root.attributes : {};
}

/**
 * Cuts out of `values` (which is changed) whatever `marks` marks with `true` at the same place.
 * Source: Terraform JSON output format, `sensitive_values`.
 */
export function cutMarked(values: JsonRecord, marks: unknown, secrets: Secrets): JsonRecord {
  const root: JsonRecord = { values };
  cutBelow(root, { values: marks }, secrets, 0);
  return isRecord(root.values) ? root.values : {};
}

function cutBelow(parent: JsonRecord, marks: JsonRecord, secrets: Secrets, depth: number): void {
  for (const name of Object.keys(marks)) {
    const inner = own(parent, name);
    const innerMarks = own(marks, name);
    const isMarked = innerMarks === undefined && Boolean(marks[name]);
    if (isMarked || depth === MAX_DEPTH) cut(parent, name, secrets);
    else if (inner !== undefined && innerMarks !== undefined) cutBelow(inner, innerMarks, secrets, depth + 1);
  }
}

/** The object or list at `name`; never one that is only inherited, whatever a hostile file calls it. */
function own(parent: JsonRecord, name: string): JsonRecord | undefined {
  const inner = Object.hasOwn(parent, name) ? parent[name] : undefined;
  return typeof inner === 'object' && inner !== null ? (inner as JsonRecord) : undefined;
}

function cut(parent: JsonRecord, name: string, secrets: Secrets): void {
  if (!Object.hasOwn(parent, name)) return;
  secrets.add(parent[name]);
  parent[name] = null;
}

function stepName(step: unknown): string | undefined {
  if (!isRecord(step)) return undefined;
  const value = isRecord(step.value) ? step.value.value : step.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
