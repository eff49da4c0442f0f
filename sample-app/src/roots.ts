import { lstat, readdir, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import { AccessDeniedError, NotFoundError, ToolError } from 'cartouche';
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
    if (missing === undefined) throw this.#outside(path);
    const suggestions = nearest(basename(missing), await readdir(dirname(missing)).catch(() => []));
    throw new NotFoundError(`${basename(path)}: there is no such file.${didYouMean(suggestions)}`, { suggestions });
  }

  /**
   * Makes sure that the file which was opened is the one that {@link locate} found: between the two, a directory or the
   * file itself may have become a link to somewhere else.
   *
   * @param file The path that was found, and what is open now.
   * @param path What was asked for, to show.
   * @throws {AccessDeniedError} When what is open is not inside a root.
   */
  async confirm(file: { readonly path: string; readonly handle: FileHandle }, path: string): Promise<void> {
    const opened = await pathOf(file.handle, file.path);
    if (opened !== file.path) throw this.#outside(path);
  }

  /**
   * Finds roots that nothing could be loaded from.
   * @throws {ToolError} When one is not a directory: a misspelt one would refuse every file in silence.
   */
  async check(): Promise<void> {
    for (const directory of this.directories) {
      const stats = await stat(directory).catch(() => undefined);
      if (stats?.isDirectory() !== true) {
        const problem = stats === undefined ? 'there is no such directory' : 'not a directory';
        throw new ToolError(`Root ${directory}: ${problem}. Name a directory that state files are in.`);
      }
    }
  }

  #outside(path: string): AccessDeniedError {
    const allowedRoots = this.directories;
    const remedy = allowedRoots.length === 0 ? 'None is allowed' : `Allowed: ${allowedRoots.join(', ')}`;
    return new AccessDeniedError(`${path}: outside the allowed directories. ${remedy}.`, { allowedRoots });
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

/** The real path of an open file; `undefined` where that is not `path` any more. */
async function pathOf(handle: FileHandle, path: string): Promise<string | undefined> {
  // Linux says what a descriptor is open on.
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (opened !== undefined) return opened;
  // Elsewhere the path is followed again, and must lead to the same file.
  try {
    const [real, found, { dev, ino }] = [await realpath(path), await lstat(path), await handle.stat()];
    return found.ino === ino && found.dev === dev ? real : undefined;
  } catch {
    return undefined;
  }
}

function isInside(real: string, root: string | undefined): boolean {
  if (root === undefined) return false;
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}
