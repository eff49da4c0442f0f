import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Asset } from '../asset.js';
import { identify, toAsset } from './assets.js';
import { StateError } from './errors.js';
import { readFormat3 } from './format-3.js';
import { readFormat4 } from './format-4.js';
import { Graph } from './graph.js';
import type { StateContent } from './instance.js';
import { isRecord, text, type JsonRecord } from './json.js';
import { namesOf } from './open-values.js';
import { Secrets } from './sensitive.js';
import { readShowJson } from './show-json.js';

/** A state file as read: its assets and edges, nothing else of it is kept. */
export interface Estate {
  readonly format: 'state-4' | 'state-3' | 'show-json';
  readonly terraformVersion?: string;
  readonly assets: readonly Asset[];
  readonly graph: Graph;
  readonly dataInstances: number;
  /** How many values the state marks sensitive, and how many copies of them were left out of the assets. */
  readonly withheld: { readonly marked: number; readonly copies: number };
  /** Changes whenever the content does. */
  readonly digest: string;
}

/**
 * Reads a state file.
 * @param maxBytes Larger files are refused before they are read.
 * @throws {StateError} When the file is too large, not a state, encrypted, damaged or of a format this cannot read.
 */
export async function readStateFile(path: string, maxBytes: number): Promise<Estate> {
  const name = basename(path);
  const source = await readBounded(path, name, maxBytes);
  try {
    return parseState(source);
  } catch (error) {
    throw error instanceof StateError ? new StateError(`${name}: ${error.message}`, error.data) : error;
  }
}

async function readBounded(path: string, name: string, maxBytes: number): Promise<string> {
  // Not waiting for a writer when somebody names a pipe.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw new StateError(`${name}: cannot be opened (${String((error as NodeJS.ErrnoException).code)}).`);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new StateError(`${name}: not a regular file. Name a state file.`);
    if (stats.size > maxBytes) {
      const data = { size: stats.size, limit: maxBytes };
      throw new StateError(`${name}: ${megabytes(stats.size)}, and the limit is ${megabytes(maxBytes)}.`, data);
    }
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/**
 * Reads the text of a state: format 4, format 3, or what `terraform show -json` prints; OpenTofu's are the same.
 * @throws {StateError} When it is none of them.
 */
export function parseState(source: string): Estate {
  const secrets = new Secrets();
  const state = parseJson(source);
  const format = formatOf(state);
  const content = { 'state-4': readFormat4, 'state-3': readFormat3, 'show-json': readShowJson }[format](state, secrets);
  return {
    format,
    terraformVersion: text(state.terraform_version),
    digest: createHash('sha256').update(source).digest('hex').slice(0, 16),
    dataInstances: content.dataInstances,
    ...assetsOf(content, secrets),
  };
}

function parseJson(source: string): JsonRecord {
  const json = source.replace(/^\uFEFF/, '');
  if (json.trim() === '') throw new StateError('The file is empty. Name a state file, or the output of `show -json`.');
  let state: unknown;
  try {
    state = JSON.parse(json);
  } catch {
    // The parser's own message quotes the file, and what it quotes may be a password.
    throw new StateError('Not JSON. Name a state file, or the output of `show -json`.');
  }
  if (!isRecord(state)) throw new StateError('Not a state: the file is JSON, but not an object.');
  return state;
}

function formatOf(state: JsonRecord): Estate['format'] {
  if ('encrypted_data' in state) {
    throw new StateError('The state is encrypted by OpenTofu. Give the output of `tofu show -json` instead.');
  }
  if ('planned_values' in state || 'resource_changes' in state) {
    throw new StateError('This is a plan. Give the state: `terraform show -json` without a plan file.');
  }
  if (state.version === 4) return 'state-4';
  if (state.version === 3) return 'state-3';
  if (typeof state.version === 'number') {
    throw new StateError(
      `State format ${state.version} is not supported, only 3 and 4. Give the output of \`show -json\`.`,
    );
  }
  const version = text(state.format_version);
  if (version === undefined) throw new StateError('Not a state: there is no "version" and no "format_version".');
  if (!/^[01]\./.test(version))
    throw new StateError('This version of `show -json` is not supported, only 0.x and 1.x.');
  return 'show-json';
}

function assetsOf(content: StateContent, secrets: Secrets): Pick<Estate, 'assets' | 'graph' | 'withheld'> {
  const identified = content.instances.map((instance) => ({ instance, identity: identify(instance) }));
  for (const { identity } of identified) secrets.spare(namesOf(identity));
  const nodes = identified.map(({ instance, identity }) => ({
    asset: toAsset(instance, identity, secrets),
    dependencies: instance.dependencies,
  }));
  const assets = nodes.map(({ asset }) => asset);
  const copies = assets.reduce((sum, { withheld }) => sum + withheld.length, 0);
  return { assets, graph: new Graph(nodes), withheld: { marked: secrets.marked, copies } };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
