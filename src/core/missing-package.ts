import { ConfigurationError } from './errors.js';
import { finding } from './finding.js';

/** @throws {ConfigurationError} Always. */
export function missingPackage(name: string, site: string): never {
  throw new ConfigurationError(finding('CT702', `${site}: '${name}' is not installed. Run npm install ${name}.`));
}

/** Loads a package. @throws {ConfigurationError} When it is not installed, with the command that installs it. */
export function loadOrExplain<T>(load: () => T, name: string, site: string): T {
  try {
    return load();
  } catch (error) {
    if (isMissing(error, name)) missingPackage(name, site);
    throw error;
  }
}

/** Whether an import failed because of this very package, not because of one that it needs itself. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return false;
  const text = String(message);
  return text.includes(`'${name}'`) || text.includes(`'${name}/`) || text.includes(`/node_modules/${name}/`);
}
