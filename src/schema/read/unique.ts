/** Whether two elements are equal as JSON Schema's `uniqueItems` means it, in one pass. */
export function hasEqualItems(list: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    // A text cannot be mistaken for an object's, which starts with a control character.
    const key = typeof item === 'object' && item !== null ? `\u0000${canonical(item)}` : item;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
