import { finding } from './finding.js';
import { isFilled, isFunction, isList, isText, type OptionCheck, findOptionProblems } from './check-options.js';
import type { Extension, ExtensionMethod } from './extension.js';

const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';

/** Source: MCP, "Extensions": the grammar of `_meta` keys, whose prefix is mandatory here. */
const ID_PATTERN = new RegExp(`^${LABEL}(?:\\.${LABEL})*/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`);

const ERAS: readonly unknown[] = ['handshake', 'modern'];

const isEras: OptionCheck = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((era) => ERAS.includes(era))
    ? undefined
    : "must be a list of eras. Pass 'handshake', 'modern' or both";

const isFunctions: OptionCheck = (value) =>
  typeof value === 'object' && value !== null && Object.values(value).every((entry) => typeof entry === 'function')
    ? undefined
    : 'must be an object of functions. Pass one, by name';

const METHOD_CHECKS: Readonly<Record<keyof ExtensionMethod, OptionCheck>> = {
  name: isFilled,
  eras: isEras,
  nameParam: isFilled,
  run: isFunction,
};

/** Written down so that a member that is missing here does not compile; classes may have more. */
const CHECKS: Readonly<Record<keyof Extension, OptionCheck>> = {
  id: isText,
  eras: isEras,
  settings: isFunction,
  methods: isList,
  around: isFunctions,
  listen: isFunctions,
  start: isFunction,
  close: isFunction,
};

/** Everything that is wrong with a layer's extensions, each as "site: problem. remedy.". */
export function extensionProblems(extensions: unknown): string[] {
  if (!Array.isArray(extensions)) return [];
  const claimed = new Map<string, string>();
  return extensions.flatMap((extension: unknown, index) => {
    const site = `McpLayer: extensions[${index}]`;
    if (typeof extension !== 'object' || extension === null)
      return [finding('CT108', `${site} must be an object. Pass an Extension.`)];
    const problems = shapeProblems(site, extension as Record<string, unknown>);
    return problems.length > 0 ? problems : claims(site, extension as Extension, claimed);
  });
}

function shapeProblems(site: string, extension: Readonly<Record<string, unknown>>): string[] {
  const { id, methods } = extension;
  if (typeof id !== 'string' || !ID_PATTERN.test(id))
    return [
      finding(
        'CT108',
        `${site}: id '${String(id)}' is not a valid id. Use a domain of your own in reverse and a name: 'com.example/tasks'.`,
      ),
    ];
  const members = Object.fromEntries(Object.keys(CHECKS).map((key) => [key, extension[key]]));
  const problems = findOptionProblems(`${site} '${id}'`, members, CHECKS);
  if (!Array.isArray(methods)) return problems;
  for (const [at, method] of (methods as unknown[]).entries()) {
    const place = `${site} '${id}': methods[${at}]`;
    const given = typeof method === 'object' && method !== null ? (method as Record<string, unknown>) : {};
    const missing = (['name', 'run'] as const).filter((key) => given[key] === undefined);
    problems.push(...missing.map((key) => finding('CT108', `${place}: no ${key}. Pass one.`)));
    const known = Object.fromEntries(Object.keys(METHOD_CHECKS).map((key) => [key, given[key]]));
    problems.push(...findOptionProblems(place, known, METHOD_CHECKS));
  }
  return problems;
}

/** An id, a method or a filter key belongs to one extension. What several wrap is wrapped several times. */
function claims(site: string, extension: Extension, claimed: Map<string, string>): string[] {
  const { id, methods = [], listen = {} } = extension;
  const wanted = [
    `id '${id}'`,
    ...methods.map(({ name }) => `method '${name}'`),
    ...Object.keys(listen).map((key) => `listen key '${key}'`),
  ];
  return wanted.flatMap((what) => {
    const owner = claimed.get(what);
    claimed.set(what, id);
    return owner === undefined
      ? []
      : [finding('CT109', `${site}: the ${what} is taken by '${owner}'. Leave one of them out.`)];
  });
}
