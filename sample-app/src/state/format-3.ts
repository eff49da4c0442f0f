import { listAt, malformed } from './errors.js';
import { providerOfType } from './format-4.js';
import type { StateContent, StateInstance } from './instance.js';
import { isRecord, list, text, type JsonRecord } from './json.js';

/** Reads state format 3 (Terraform before 0.12): flattened attributes, module-relative dependencies, nothing marked sensitive. */
export function readFormat3(state: JsonRecord): StateContent {
  const instances: StateInstance[] = [];
  let dataInstances = 0;
  let deposedInstances = 0;
  for (const [index, module] of listAt('modules', state.modules).entries()) {
    const site = `modules[${index}]`;
    if (!isRecord(module)) throw malformed(site, 'is not an object');
    const path = list(module.path).slice(1);
    const address = path.length === 0 ? undefined : path.map((name) => `module.${String(name)}`).join('.');
    const resources = module.resources ?? {};
    if (!isRecord(resources)) throw malformed(`${site}.resources`, 'is not an object');
    for (const [key, resource] of Object.entries(resources)) {
      if (!isRecord(resource)) throw malformed(`${site}.resources`, 'holds something that is not an object');
      deposedInstances += listAt(`${site}.resources`, resource.deposed).length;
      if (!isRecord(resource.primary)) continue;
      if (key.startsWith('data.')) dataInstances++;
      else instances.push(readInstance(site, key, resource, resource.primary, address));
    }
  }
  return { instances, dataInstances, deposedInstances };
}

function readInstance(
  site: string,
  key: string,
  resource: JsonRecord,
  primary: JsonRecord,
  module: string | undefined,
): StateInstance {
  const [type, label, count] = key.split('.');
  if (!type || !label || !/^\d{0,9}$/.test(count ?? '')) {
    throw malformed(`${site}.resources`, 'holds a key that is not "type.name" or "type.name.0"');
  }
  const id = text(primary.id);
  return {
    type,
    label,
    module,
    key: count === undefined ? undefined : Number(count),
    provider: providerOfType(type),
    attributes: { ...(isRecord(primary.attributes) ? primary.attributes : {}), ...(id === undefined ? {} : { id }) },
    dependencies: list(resource.depends_on)
      .filter((entry) => typeof entry === 'string')
      .map((entry) => (module === undefined ? entry : `${module}.${entry}`)),
  };
}
