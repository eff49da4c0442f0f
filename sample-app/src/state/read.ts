import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Asset } from '../asset.js';
import { identify, toAsset } from './assets.js';
import { malformed, StateError } from './errors.js';
import { formatOf, type Format } from './format.js';
import { readFormat3 } from './format-3.js';
import { readFormat4 } from './format-4.js';
import { Graph } from './graph.js';
import type { StateContent } from './instance.js';
import { isRecord, text, type JsonRecord } from './json.js';
import { namesOf } from './open-values.js';
import { Secrets } from './sensitive.js';
import { readShowJson } from './show-json.js';

const MAX_SHOWN_ADDRESS = 200;

/** A state file as read: its assets and edges, nothing else of it is kept. */
export interface Estate {
  readonly format: Format;
  readonly terraformVersion?: string;
  readonly assets: readonly Asset[];
  readonly graph: Graph;
  readonly dataInstances: number;
  /** What failed replacements left behind. It is no asset: no address means it. */
  readonly deposedInstances: number;
  /** How many values the state marks sensitive, and how many copies of them were left out of the assets. */
  readonly withheld: { readonly marked: number; readonly copies: number };
  /** Changes whenever the content does. */
  readonly digest: string;
}

/** Looks at an open file before anything is read of it, and throws when it is not to be read. */
export type Confirm = (file: { readonly path: string; readonly handle: FileHandle }) => Promise<void>;

/**
 * Reads a state file.
 * @param maxBytes Larger files are refused before they are read.
 * @throws {StateError} When the file is too large, not a state, encrypted, damaged or of a format this cannot read.
 */
export async function readStateFile(path: string, maxBytes: number, confirm?: Confirm): Promise<Estate> {
  const name = basename(path);
  const source = await readBounded(path, name, maxBytes, confirm);
  try {
    return parseState(source);
  } catch (error) {
    throw error instanceof StateError ? new StateError(`${name}: ${error.message}`, error.data) : error;
  }
}

async function readBounded(path: string, name: string, maxBytes: number, confirm?: Confirm): Promise<string> {
  // Not waiting for a writer when somebody names a pipe.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw new StateError(`${name}: cannot be opened (${String((error as NodeJS.ErrnoException).code)}).`);
  });
  try {
    await confirm?.({ path, handle });
    const stats = await handle.stat();
    if (!stats.isFile()) throw new StateError(`${name}: not a regular file. Name a state file.`);
    if (stats.size > maxBytes) {
      const data = { size: stats.size, limit: maxBytes };
      throw new StateError(`${name}: ${megabytes(stats.size)}, and the limit is ${megabytes(maxBytes)}.`, data);
    }
    return decode(await handle.readFile());
  } finally {
    await handle.close();
  }
}

/** The text of a file: UTF-8, or the UTF-16 that a Windows shell writes when output is sent to a file. */
function decode(bytes: Buffer): string {
  const [first = 0, second = 0] = bytes;
  // Without a mark at the start, JSON begins with one plain character: the other half of it is zero.
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
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
    deposedInstances: content.deposedInstances,
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

function assetsOf(content: StateContent, secrets: Secrets): Pick<Estate, 'assets' | 'graph' | 'withheld'> {
  const identified = content.instances.map((instance) => ({ instance, identity: identify(instance) }));
  for (const { identity } of identified) secrets.spare(namesOf(identity));
  const nodes = identified.map(({ instance, identity }) => ({
    asset: toAsset(instance, identity, secrets),
    dependencies: instance.dependencies,
  }));
  const assets = nodes.map(({ asset }) => asset);
  refuseTwins(assets);
  const copies = assets.reduce((sum, { withheld }) => sum + withheld.length, 0);
  return { assets, graph: new Graph(nodes), withheld: { marked: secrets.marked, copies } };
}

/** Of two assets with one address the second could never be asked for. */
function refuseTwins(assets: readonly Asset[]): void {
  const seen = new Set<string>();
  for (const { address } of assets) {
    if (seen.has(address)) throw malformed(address.slice(0, MAX_SHOWN_ADDRESS), 'is there twice');
    seen.add(address);
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
