/** Deterministic random values and mutations, so that a failure can be run again from its seed. */
export class Fuzz {
  constructor(private state: number) {}

  /** A number below `n`. Source: mulberry32, public domain. */
  below(n: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Any JSON value, hostile ones included. */
  value(depth = 0): unknown {
    const kind = this.below(depth > 3 ? 6 : 9);
    if (kind < 2) return this.pick(TEXTS);
    if (kind < 4) return this.pick(NUMBERS);
    if (kind === 4) return this.pick([true, false]);
    if (kind === 5) return null;
    if (kind === 6) return Array.from({ length: this.below(4) }, () => this.value(depth + 1));
    const object: Record<string, unknown> = {};
    for (let n = this.below(4); n > 0; n--) put(object, this.pick(KEYS), this.value(depth + 1));
    return object;
  }

  /** A copy of a JSON value with something changed in it. */
  mutate(value: unknown): unknown {
    const copy = clone(value);
    const holder = { root: copy };
    for (let n = 1 + this.below(2); n > 0; n--) this.change(holder);
    return holder.root;
  }

  private change(holder: Record<string, unknown>): void {
    const places: [Record<string, unknown>, string][] = [];
    const visit = (parent: Record<string, unknown>, key: string): void => {
      places.push([parent, key]);
      const item = parent[key];
      if (typeof item === 'object' && item !== null) {
        for (const inner of Object.keys(item)) visit(item as Record<string, unknown>, inner);
      }
    };
    visit(holder, 'root');
    const [parent, key] = this.pick(places);
    const item = parent[key];
    switch (this.below(8)) {
      case 0:
        if (Array.isArray(parent)) (parent as unknown[]).splice(Number(key), 1);
        else if (key !== 'root') delete parent[key];
        return;
      case 1:
        if (Array.isArray(item)) item.push(item.length > 0 && this.below(2) ? clone(this.pick(item)) : this.value());
        else if (typeof item === 'object' && item !== null)
          put(item as Record<string, unknown>, this.pick(KEYS), this.value());
        else parent[key] = this.value();
        return;
      case 2:
        parent[key] =
          typeof item === 'number' ? String(item) : typeof item === 'string' ? this.text(item) : this.value();
        return;
      case 3:
        parent[key] = [item];
        return;
      case 4:
        parent[key] =
          typeof item === 'number' ? this.pick([item + 1, item - 1, -item, item + 0.5]) : JSON.stringify(item ?? null);
        return;
      case 5:
        parent[key] = null;
        return;
      default:
        parent[key] = this.value();
    }
  }

  private text(text: string): string {
    const at = this.below(text.length + 1);
    const piece = this.pick(TEXTS);
    return this.below(3) === 0 ? text.slice(0, at) : text.slice(0, at) + piece.slice(0, 8) + text.slice(at);
  }
}

/** A plain assignment to `__proto__` would change the prototype instead of adding a key. */
function put(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

function clone(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

const TEXTS = [
  '',
  ' ',
  'a',
  'b',
  'ab',
  'abc',
  'abz',
  'x',
  'xx',
  'true',
  'false',
  '0',
  '1',
  '5',
  '-1',
  '5.5',
  '1e3',
  '05',
  '0x10',
  'null',
  '1e400',
  '9007199254740993',
  '0.1',
  '2026-01-01T00:00:00Z',
  '2026-01-01',
  '2026-02-30T00:00:00Z',
  '2016-12-31T23:59:60Z',
  'a@b.co',
  'https://example.com/',
  '1.2.3.4',
  '::1',
  '123e4567-e89b-42d3-a456-426614174000',
  'circle',
  'sq',
  'yes',
  'No',
  '😀',
  '😀😀',
  '❤️',
  '\u0000',
  'é',
  'A',
  'ff',
  '#fff',
  'a'.repeat(24),
  'a.b(',
  '[1]',
  '{}',
  '__proto__',
  'toString',
];
const NUMBERS = [
  0, -0, 1, -1, 2, 3, 5, 10, 100, 101, 0.5, 1.5, 0.07, 1.234, 1e15, 1e21, 1e-7, -90, 90, 91, 180, 9007199254740991, 4,
];
const KEYS = [
  'v',
  'a',
  'b',
  'c',
  's',
  'n',
  'k',
  'kind',
  'id',
  'next',
  'x',
  'userName',
  'user_name',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'length',
  'then',
  '0',
  'hidden',
  'secret',
  'run',
];
