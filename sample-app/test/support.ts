import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The state that the sample ships. */
export const DEMO_STATE = resolve(__dirname, '../state/demo.tfstate.json');

/** The text of one of our own fixtures. */
export function fixture(name: string): string {
  return readFileSync(join(__dirname, 'fixtures', name), 'utf8');
}

const REAL_STATES = resolve(__dirname, '../../../shared/data/terraform');

/** The path of a real state, where the shared data are there; they are not part of this repository. */
export function realState(name: string): string | undefined {
  const path = join(REAL_STATES, `${name}.tfstate.json`);
  if (existsSync(path)) return path;
  console.info(`skipped: ${path} is not here`);
  return undefined;
}

/** Runs `work` with a directory of its own. */
export async function withDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'estate-'));
  try {
    await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Every string that a state of format 4 marks sensitive. */
export function sensitiveStrings(source: string): string[] {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value !== '') found.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  const { resources } = JSON.parse(source) as { resources: { instances: MarkedInstance[] }[] };
  for (const { attributes, sensitive_attributes: paths } of resources.flatMap(({ instances }) => instances)) {
    for (const path of paths ?? []) collect(path.reduce(follow, attributes));
  }
  return [...found];
}

interface Step {
  value: string | { value: string | number };
}

interface MarkedInstance {
  attributes: unknown;
  sensitive_attributes?: Step[][];
}

function follow(value: unknown, { value: step }: Step): unknown {
  return (value as Record<string, unknown> | null)?.[typeof step === 'string' ? step : step.value];
}
