import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';

/** What each import gives. Said outright: what a compiler infers of them names files that are nobody's to name. */
interface Packages {
  'sdk-v1 Server': typeof import('@modelcontextprotocol/sdk/server/index.js');
  'sdk-v1 McpServer': typeof import('@modelcontextprotocol/sdk/server/mcp.js');
  'sdk-v2': typeof import('@modelcontextprotocol/server');
  langchain: typeof import('@langchain/core/tools');
  ai: typeof import('ai');
}

type Importable = keyof Packages;
type Loaded<K extends Importable> = Packages[K];

/** The packages that are loaded when they are asked for, each in the module format that this package was loaded in. */
const IMPORTS: { readonly [K in Importable]: () => Promise<Packages[K]> } = {
  'sdk-v1 Server': () => import('@modelcontextprotocol/sdk/server/index.js'),
  'sdk-v1 McpServer': () => import('@modelcontextprotocol/sdk/server/mcp.js'),
  'sdk-v2': () => import('@modelcontextprotocol/server'),
  langchain: () => import('@langchain/core/tools'),
  ai: () => import('ai'),
};

/** The package behind each import, as it is installed. */
const PACKAGES: Readonly<Record<Importable, string>> = {
  'sdk-v1 Server': '@modelcontextprotocol/sdk',
  'sdk-v1 McpServer': '@modelcontextprotocol/sdk',
  'sdk-v2': '@modelcontextprotocol/server',
  langchain: '@langchain/core',
  ai: 'ai',
};

/** Loads a package, or `undefined` when it is not installed. */
export async function loadIfInstalled<K extends Importable>(key: K): Promise<Loaded<K> | undefined> {
  try {
    return await IMPORTS[key]();
  } catch (error) {
    if (isMissing(error, PACKAGES[key])) return undefined;
    throw error;
  }
}

/** Loads a package. @throws {ConfigurationError} When it is not installed, with the command that installs it. */
export async function loadPackage<K extends Importable>(key: K, site: string): Promise<Loaded<K>> {
  return (await loadIfInstalled(key)) ?? missingPackage(PACKAGES[key], site);
}

/** @throws {ConfigurationError} Always. */
export function missingPackage(name: string, site: string): never {
  throw new ConfigurationError(finding('CT702', `${site}: '${name}' is not installed. Run npm install ${name}.`));
}

/** Whether an import failed because of this very package, not because of one that it needs itself. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return false;
  const text = String(message);
  return text.includes(`'${name}'`) || text.includes(`'${name}/`) || text.includes(`/node_modules/${name}/`);
}
