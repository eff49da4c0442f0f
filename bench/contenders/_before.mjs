// A contender of another checkout of this repository. Where none is named, it takes part in nothing.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const NOTHING = { memory: false, http: [], stdio: false };

export async function contenderBefore(name, label) {
  const folder = process.env.CARTOUCHE_BEFORE;
  if (folder === undefined) return { meta: { label, ...NOTHING }, start: undefined };
  const contender = await import(pathToFileURL(resolve(folder, `bench/contenders/${name}.mjs`)).href);
  return { meta: { ...contender.meta, label }, start: contender.start };
}
