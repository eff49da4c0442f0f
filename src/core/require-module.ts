import '#reflect';
import { isLoaded, requireModule as load } from '#require';
import { loadOrExplain } from './missing-package.js';

/** The package behind each module that is loaded when something first needs it. */
const PACKAGES = {
  '@cfworker/json-schema': '@cfworker/json-schema',
  acorn: 'acorn',
  ajv: 'ajv',
  'ajv-formats': 'ajv-formats',
  'ajv/dist/2020': 'ajv',
  'class-transformer': 'class-transformer',
  'class-transformer/cjs/storage': 'class-transformer',
  'class-transformer/esm5/storage': 'class-transformer',
  'class-transformer/esm2015/storage': 'class-transformer',
  'class-validator/cjs/decorator/common/IsOptional': 'class-validator',
  'lru-cache': 'lru-cache',
  'redos-detector': 'redos-detector',
  tsyringe: 'tsyringe',
  yaml: 'yaml',
} as const;

/**
 * Loads a package that everybody has, at the moment it is needed.
 *
 * @throws {ConfigurationError} When it is not installed, with the command that installs it.
 */
export function requireModule(id: keyof typeof PACKAGES): unknown {
  return loadOrExplain(() => load(id), PACKAGES[id], 'cartouche');
}

/** Whether the program may have loaded a package by its name already. False only where that is certain. */
export function mayBeLoaded(id: keyof typeof PACKAGES): boolean {
  return isLoaded(id);
}
