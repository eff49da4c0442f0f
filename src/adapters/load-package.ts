import { loadOptional } from '#load-optional';
import { isMissing, missingPackage } from '../core/missing-package.js';
import type { FastMcpModule } from './fastmcp/adapter.js';

export { isMissing, missingPackage };

/** What each import gives. Said outright: what a compiler infers of them names files that are nobody's to name. */
interface Packages {
  'sdk-v1 Server': typeof import('@modelcontextprotocol/sdk/server/index.js');
  'sdk-v1 McpServer': typeof import('@modelcontextprotocol/sdk/server/mcp.js');
  'sdk-v2': typeof import('@modelcontextprotocol/server');
  langchain: typeof import('@langchain/core/tools');
  ai: typeof import('ai');
  fastmcp: FastMcpModule;
}

type Importable = keyof Packages;
type Loaded<K extends Importable> = Packages[K];

/** The module that each import is of, loaded when it is asked for and in the module format that this package has. */
const MODULES: Readonly<Record<Importable, string>> = {
  'sdk-v1 Server': '@modelcontextprotocol/sdk/server/index.js',
  'sdk-v1 McpServer': '@modelcontextprotocol/sdk/server/mcp.js',
  'sdk-v2': '@modelcontextprotocol/server',
  langchain: '@langchain/core/tools',
  ai: 'ai',
  fastmcp: 'fastmcp',
};

/** The package behind each import, as it is installed. */
const PACKAGES: Readonly<Record<Importable, string>> = {
  'sdk-v1 Server': '@modelcontextprotocol/sdk',
  'sdk-v1 McpServer': '@modelcontextprotocol/sdk',
  'sdk-v2': '@modelcontextprotocol/server',
  langchain: '@langchain/core',
  ai: 'ai',
  fastmcp: 'fastmcp',
};

/** Loads a package, or `undefined` when it is not installed. */
export async function loadIfInstalled<K extends Importable>(key: K): Promise<Loaded<K> | undefined> {
  try {
    return (await loadOptional(MODULES[key])) as Loaded<K>;
  } catch (error) {
    if (isMissing(error, PACKAGES[key])) return undefined;
    throw error;
  }
}

/** Loads a package. @throws {ConfigurationError} When it is not installed, with the command that installs it. */
export async function loadPackage<K extends Importable>(key: K, site: string): Promise<Loaded<K>> {
  return (await loadIfInstalled(key)) ?? missingPackage(PACKAGES[key], site);
}
