import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import { AccessDeniedError, NotFoundError } from 'cartouche';
import { nearest } from './nearest.js';

/** The directories that agents may load state files from. */
export class AllowedRoots {
  /** Absolute paths, as they were given. */
  readonly directories: readonly string[];

  constructor(directories: readonly string[]) {
    this.directories = directories.map((directory) => resolve(directory));
  }

  /**
   * The real path of `path`, after every symbolic link is followed. A relative path is looked for in each root in turn.
   *
   * @throws {AccessDeniedError} When it leads outside every root. The answer does not tell whether a file is there.
   * @throws {NotFoundError} When it would be inside a root and there is nothing.
   */
  async locate(path: string): Promise<string> {
    let missing: string | undefined;
    for (const root of this.directories) {
      const candidate = resolve(root, path);
      const found = await follow(candidate);
      if (!isInside(found.real, await realpath(root).catch(() => undefined))) continue;
      if (found.exists) return found.real;
      missing ??= candidate;
    }
    if (missing === undefined) {
      const allowedRoots = this.directories;
      const remedy = allowedRoots.length === 0 ? 'None is allowed' : `Allowed: ${allowedRoots.join(', ')}`;
      throw new AccessDeniedError(`${path}: outside the allowed directories. ${remedy}.`, { allowedRoots });
    }
    const suggestions = nearest(basename(missing), await readdir(dirname(missing)).catch(() => []));
    throw new NotFoundError(`${basename(path)}: there is no such file.${didYouMean(suggestions)}`, { suggestions });
  }
}

/** " Did you mean …?", or nothing without suggestions. */
export function didYouMean(suggestions: readonly string[]): string {
  return suggestions.length === 0 ? '' : ` Did you mean ${suggestions.map((name) => `"${name}"`).join(', ')}?`;
}

/** The real path, or where nothing is at `path`, that of the nearest directory above it that is there. */
async function follow(path: string): Promise<{ real: string; exists: boolean }> {
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return { real, exists: at === path };
    // A link whose target is missing must not be judged by the directory that holds the link.
    const link = await lstat(at).catch(() => undefined);
    if (link !== undefined || at === dirname(at)) return { real: sep, exists: false };
  }
}

function isInside(real: string, root: string | undefined): boolean {
  if (root === undefined) return false;
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}
