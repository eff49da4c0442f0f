import type { Node } from 'acorn';
import type { AnyClass } from './class.js';
import { lineage } from './metadata.js';
import { requireModule } from './require-module.js';

/** What the author wrote above a class's members. Empty when the build strips comments. */
export interface DocComments {
  readonly class?: string;
  readonly members: ReadonlyMap<string, string>;
}

const NONE: DocComments = Object.freeze({ members: new Map<string, string>() });
const cache = new WeakMap<AnyClass, DocComments>();

/**
 * The doc comments in a class's own source text: methods, accessors, and fields whether they stand in the class body
 * or are assigned in the constructor. Nothing is parsed for a class without a doc comment, and one class only once.
 */
export function docComments(cls: AnyClass): DocComments {
  const known = cache.get(cls);
  if (known !== undefined) return known;
  const found = readComments(cls);
  cache.set(cls, found);
  return found;
}

/** One member's doc comment, its own or the nearest ancestor's; `undefined` when there is none. */
export function docComment(cls: AnyClass, member: string): string | undefined {
  for (const owner of lineage(cls).reverse()) {
    const comment = docComments(owner).members.get(member);
    if (comment !== undefined) return comment;
  }
  return undefined;
}

/** Whether a class's source text has a comment of any kind. Where none of a program's classes has, its build took them out. */
export function hasComments(cls: AnyClass): boolean {
  return /\/[/*]/.test(Function.prototype.toString.call(cls));
}

interface Comment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface AnyNode extends Node {
  readonly body?: AnyNode | AnyNode[];
  readonly kind?: string;
  readonly static?: boolean;
  readonly computed?: boolean;
  readonly key?: AnyNode;
  readonly value?: unknown;
  readonly name?: string;
  readonly expression?: AnyNode;
  readonly left?: AnyNode;
  readonly object?: AnyNode;
  readonly property?: AnyNode;
}

function readComments(cls: AnyClass): DocComments {
  const source = Function.prototype.toString.call(cls);
  if (!source.includes('/**')) return NONE;
  const { parseExpressionAt } = requireModule('acorn') as typeof import('acorn');
  const comments: Comment[] = [];
  try {
    const tree = parseExpressionAt(source, 0, {
      ecmaVersion: 'latest',
      onComment: (block, text, start, end) => {
        if (block && text.startsWith('*')) comments.push({ text, start, end });
      },
    }) as AnyNode;
    return { members: memberComments(tree, source, comments) };
  } catch {
    // Not the text of a class (a bound or native function): comments are a convenience, never a reason to fail.
    return NONE;
  }
}

function memberComments(tree: AnyNode, source: string, comments: readonly Comment[]): Map<string, string> {
  const members = new Map<string, string>();
  const add = (name: string | undefined, node: AnyNode): void => {
    if (name === undefined || members.has(name)) return;
    const comment = comments.find(({ end }) => end <= node.start && isAllComments(source.slice(end, node.start)));
    const text = comment === undefined ? '' : clean(comment.text);
    if (text !== '') members.set(name, text);
  };
  for (const member of children((tree.body as AnyNode | undefined)?.body)) {
    if (member.kind === 'constructor') {
      const body = (member.value as AnyNode).body as AnyNode;
      for (const statement of children(body.body)) add(assignedField(statement), statement);
    } else if (member.static !== true) {
      add(memberName(member), member);
    }
  }
  return members;
}

/** Decorators are gone where this is asked; line comments beside them stay. */
function isAllComments(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:\/\/|$)/.test(line));
}

function children(body: AnyNode | AnyNode[] | undefined): readonly AnyNode[] {
  return Array.isArray(body) ? body : [];
}

function memberName(member: AnyNode): string | undefined {
  if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') return undefined;
  const key = member.key;
  if (key?.type === 'Literal') return String(key.value);
  return key?.type === 'Identifier' && member.computed !== true ? key.name : undefined;
}

/** The field that a constructor statement initialises: `this.x = …`. */
function assignedField(statement: AnyNode): string | undefined {
  const target = statement.expression?.left;
  if (target?.type !== 'MemberExpression' || target.object?.type !== 'ThisExpression') return undefined;
  const property = target.property;
  if (property?.type === 'Literal') return String(property.value);
  return target.computed === true ? undefined : property?.name;
}

function clean(comment: string): string {
  const lines = comment.split(/\r?\n/).map((line) => line.replace(/^\s*\**\s?/, '').trim());
  const tag = lines.findIndex((line) => line.startsWith('@'));
  return unwrap(tag < 0 ? lines : lines.slice(0, tag)).trim();
}

/** Where a line begins anew: nothing before it, a list, a heading, a table, a fence. */
const BEGINS_ANEW = /^(?:$|[-*+#|>]|\d+[.)]\s|```)/;

/** A line break inside a paragraph is the editor's, not the author's. */
function unwrap(lines: readonly string[]): string {
  let text = '';
  let fenced = false;
  for (const line of lines) {
    const fence = line.startsWith('```');
    const joins = !fenced && !BEGINS_ANEW.test(line) && text !== '' && !text.endsWith('\n') && !text.endsWith('```');
    text += text === '' || joins ? `${joins ? ' ' : ''}${line}` : `\n${line}`;
    if (fence) fenced = !fenced;
  }
  return text;
}
