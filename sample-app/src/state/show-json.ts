import { listAt, malformed } from './errors.js';
import { providerOfType } from './format-4.js';
import type { StateContent, StateInstance } from './instance.js';
import { isRecord, list, text, type JsonRecord } from './json.js';
import { cutMarked, type Secrets } from './sensitive.js';

/** Deeper module trees than this are refused, not followed. */
const MAX_MODULE_DEPTH = 100;

interface Content {
  readonly instances: StateInstance[];
  dataInstances: number;
  deposedInstances: number;
}

/** Reads the output of `terraform show -json` (or `tofu show -json`) for a state. */
export function readShowJson(shown: JsonRecord, secrets: Secrets): StateContent {
  const content: Content = { instances: [], dataInstances: 0, deposedInstances: 0 };
  const { values } = shown;
  // An empty state is shown without `values`.
  if (values === undefined || values === null) return content;
  if (!isRecord(values)) throw malformed('values', 'is not an object');
  readModule(values.root_module ?? {}, content, secrets, 0);
  return content;
}

function readModule(module: unknown, content: Content, secrets: Secrets, depth: number): void {
  if (!isRecord(module)) throw malformed('values', 'holds a module that is not an object');
  if (depth > MAX_MODULE_DEPTH) throw malformed('values', `nests modules deeper than ${MAX_MODULE_DEPTH}`);
  const address = text(module.address);
  const site = address ?? 'root_module';
  for (const resource of listAt(`${site}.resources`, module.resources)) {
    if (!isRecord(resource)) throw malformed(site, 'holds a resource that is not an object');
    const instance = readResource(resource, address, secrets);
    if (resource.deposed_key !== undefined) content.deposedInstances++;
    else if (resource.mode === 'data') content.dataInstances++;
    else content.instances.push(instance);
  }
  for (const child of listAt(`${site}.child_modules`, module.child_modules))
    readModule(child, content, secrets, depth + 1);
}

function readResource(resource: JsonRecord, module: string | undefined, secrets: Secrets): StateInstance {
  const type = text(resource.type);
  const label = text(resource.name);
  if (type === undefined || label === undefined) {
    throw malformed(text(resource.address) ?? module ?? 'root_module', 'has no type or no name');
  }
  const { index } = resource;
  return {
    type,
    label,
    module,
    key: typeof index === 'string' || Number.isSafeInteger(index) ? (index as string | number) : undefined,
    provider: text(resource.provider_name)?.split('/').at(-1) ?? providerOfType(type),
    attributes: cutMarked(isRecord(resource.values) ? resource.values : {}, resource.sensitive_values, secrets),
    dependencies: list(resource.depends_on).filter((entry) => typeof entry === 'string'),
  };
}
