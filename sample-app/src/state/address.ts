/** A resource address taken apart. Without `type` it names a whole module. */
export interface Target {
  readonly isData: boolean;
  /** Whether it is a variable or the like, which has no instance: `var.region`, `module.a.local.name`. */
  readonly isValue: boolean;
  /** Address without any key: `module.a.aws_instance.web`. Instances of one block share it. */
  readonly block: string;
  /** Module path without any key, empty for the root module. */
  readonly module: string;
  readonly type?: string;
  /** The keys as written (`"x"`, `0`), one per step of `block`; `undefined` where the address gives none. */
  readonly keys: readonly (string | undefined)[];
}

/** What Terraform calls its own, and no resource type is: they all have an underscore. Source: "References to Named Values". */
const VALUES: ReadonlySet<string | undefined> = new Set([
  'var',
  'local',
  'each',
  'count',
  'self',
  'path',
  'terraform',
  'output',
  'provider',
]);

/** A name, then perhaps a key in brackets, whose quoted form may hold dots, brackets and escaped quotes. */
const STEP = /([^.[\]]+)(?:\[("(?:[^"\\]|\\.)*"|[^\]"]*)\])?(?:\.|$)/y;

/** Takes an address apart; `undefined` when it is none. `.0` and `.*` at the end (format 3) are a key and "all". */
export function parseTarget(address: string): Target | undefined {
  const steps: { name: string; key?: string }[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < address.length) {
    const match = STEP.exec(address);
    if (match?.[1] === undefined) return undefined;
    steps.push({ name: match[1], key: match[2] });
  }

  let at = 0;
  while (steps[at]?.name === 'module' && steps[at + 1] !== undefined) at += 2;
  const modules = steps.slice(0, at);
  const isData = steps[at]?.name === 'data';
  const [type, label, suffix, ...rest] = steps.slice(isData ? at + 1 : at);
  const isValue = !isData && VALUES.has(type?.name);
  // A variable may be followed into: var.network.subnets.
  if (isValue) return { isData, isValue, block: address, module: '', keys: [] };
  if (rest.length > 0 || (type !== undefined && label === undefined)) return undefined;
  if (type === undefined && (isData || at === 0)) return undefined;

  const last = type === undefined || label === undefined ? [] : [type, withSuffix(label, suffix?.name)];
  const path = [...modules, ...last];
  return {
    isData,
    isValue,
    block: path.map(({ name }) => name).join('.'),
    module: modules.map(({ name }) => name).join('.'),
    type: type?.name,
    keys: path.map(({ key }) => key),
  };
}

/** Whether an instance with the keys `actual` is meant by an address that gives `wanted` (and may leave any out). */
export function keysAgree(wanted: Target['keys'], actual: Target['keys']): boolean {
  return wanted.every((key, index) => key === undefined || key === actual[index]);
}

/** The address of one instance, in Terraform's own spelling. */
export function formatAddress(parts: { module?: string; type: string; label: string; key?: string | number }): string {
  const prefix = parts.module === undefined ? '' : `${parts.module}.`;
  const key = parts.key === undefined ? '' : `[${JSON.stringify(parts.key)}]`;
  return `${prefix}${parts.type}.${parts.label}${key}`;
}

function withSuffix(step: { name: string; key?: string }, suffix: string | undefined): { name: string; key?: string } {
  return suffix === undefined || suffix === '*' ? step : { ...step, key: suffix };
}
