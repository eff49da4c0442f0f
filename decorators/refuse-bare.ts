import { type AnyClass, isClass } from '../src/core/class.js';
import { ConfigurationError } from '../src/core/errors.js';
import { finding } from '../src/core/finding.js';

/**
 * Refuses a decorator that was written without its parentheses: the compiler then calls it with what it decorates, and
 * nothing would be recorded.
 *
 * @param given All the arguments of the call.
 * @param call How it is written.
 * @param isForClasses Whether it also stands on classes, and takes none itself.
 * @throws {ConfigurationError} When the arguments are a decorator's target.
 */
export function refuseBare(call: string, given: readonly unknown[], isForClasses = false): void {
  const [target, member, index] = given;
  const isTarget = isClass(target) || (typeof target === 'object' && target !== null);
  if (!isTarget || !(isMember(member) || typeof index === 'number' || (isForClasses && isClass(target)))) return;
  const cls = isClass(target) ? target : (target as { readonly constructor?: AnyClass }).constructor;
  const place = [cls?.name ?? '', nameOf(member)].filter((name) => name !== '').join('.');
  const [name = ''] = call.split('(');
  throw new ConfigurationError(
    finding('CT224', `${place}: @${name} has no parentheses, so it does nothing. Write @${call}.`),
  );
}

/** The name of a member, or what a standard decorator is told of one. */
function isMember(member: unknown): boolean {
  if (typeof member === 'string' || typeof member === 'symbol') return true;
  return typeof member === 'object' && member !== null && 'kind' in member && 'addInitializer' in member;
}

function nameOf(member: unknown): string {
  const name: unknown = typeof member === 'object' && member !== null && 'name' in member ? member.name : member;
  return typeof name === 'string' || typeof name === 'symbol' ? String(name) : '';
}
