import { readFileSync } from 'node:fs';
import { BOUNDS } from '../core/bounds.js';
import { basename, dirname, extname, resolve } from 'node:path';
import { ConfigurationError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { requireModule } from '../core/require-module.js';
import { documentProblems } from './check.js';
import type { PolicyDocument } from './document.js';
import { mergeDocuments } from './merge.js';

/** How often a YAML file may repeat a part of itself by its aliases: more only blows it up. */
const MAX_ALIASES = BOUNDS.policyAliases.default;

/** A document with everything that it extends in it. */
export interface LoadedDocument {
  readonly document: PolicyDocument;
  readonly name: string;
  /** The files that it was read from, its own first. */
  readonly files: readonly string[];
}

/**
 * Reads a document, and those that it extends.
 *
 * @param source A document, or the path of one in YAML or JSON, from the current folder.
 * @throws {ConfigurationError} With everything that is wrong with it, by file and path.
 */
export function loadDocument(source: string | PolicyDocument): LoadedDocument {
  const chain = typeof source === 'string' ? [readDocument(resolve(source))] : [checked('policy', source)];
  const files = typeof source === 'string' ? [resolve(source)] : [];
  for (let last = chain[0]; last?.extends !== undefined; last = chain.at(-1)) {
    const file = resolve(dirname(files.at(-1) ?? '.'), last.extends);
    if (files.includes(file)) throw cycle([...files, file]);
    chain.push(readDocument(file));
    files.push(file);
  }
  const document = chain.reduceRight((parent, child) => mergeDocuments(parent, child));
  const [file] = files;
  const named = file === undefined ? 'policy' : basename(file, extname(file));
  return { document, name: chain[0]?.name ?? named, files };
}

function readDocument(file: string): PolicyDocument {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(`${file}: this policy cannot be read (${(error as Error).message}). Check the path.`);
  }
  return checked(file, parse(file, text));
}

/** JSON is YAML: one parser reads both. */
function parse(file: string, text: string): unknown {
  const { parseDocument } = requireModule('yaml') as typeof import('yaml');
  const parsed = parseDocument(text, { merge: false, uniqueKeys: true, prettyErrors: true });
  const [problem] = [...parsed.errors, ...parsed.warnings];
  if (problem !== undefined) throw unreadable(`${file}: not YAML. ${problem.message.trimEnd()}`);
  try {
    return parsed.toJS({ maxAliasCount: MAX_ALIASES }) as unknown;
  } catch (error) {
    throw unreadable(`${file}: ${(error as Error).message}. Write the parts out.`);
  }
}

function checked(site: string, document: unknown): PolicyDocument {
  const problems = documentProblems(site, document);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return document as PolicyDocument;
}

function unreadable(text: string): ConfigurationError {
  return new ConfigurationError(finding('CT851', text));
}

function cycle(files: readonly string[]): ConfigurationError {
  return new ConfigurationError(
    finding('CT852', `${files[0]}: this policy extends itself, through ${files.join(' → ')}. Break the circle.`),
  );
}
