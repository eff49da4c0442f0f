/**
 * What an emitted type that says nothing was in the source, in brackets to stand behind its name; empty for a type that
 * says something. tsc leaves `Function` of a class that is imported as a type only, swc and Bun leave `Object`, which
 * is also what interfaces and unions become.
 */
export function causeOfLostType(type: unknown): string {
  if (type === Function) return ' (what "import type" leaves of a class)';
  if (type === Object) return ' (an interface, a union, or a class that is imported with "import type")';
  return '';
}

/** What to do about it, as the beginning of a remedy. */
export const IMPORT_THE_CLASS = 'Import the class without "type"';
