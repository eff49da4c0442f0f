import { isRecord, list, text, type JsonRecord } from './json.js';
import type { StateContent, StateInstance } from './instance.js';
import { listAt, malformed } from './errors.js';
import { cutPaths, type Secrets } from './sensitive.js';

/** Reads state format 4: Terraform since 0.12, and OpenTofu. */
export function readFormat4(state: JsonRecord, secrets: Secrets): StateContent {
  const instances: StateInstance[] = [];
  let dataInstances = 0;
  let deposedInstances = 0;
  for (const [index, resource] of listAt('resources', state.resources).entries()) {
    const site = `resources[${index}]`;
    if (!isRecord(resource)) throw malformed(site, 'is not an object');
    for (const instance of listAt(`${site}.instances`, resource.instances)) {
      if (!isRecord(instance)) throw malformed(`${site}.instances`, 'holds something that is not an object');
      // Read whatever it is: what it marks may stand elsewhere, too.
      const read = readInstance(site, resource, instance, secrets);
      if (instance.deposed !== undefined) deposedInstances++;
      else if (resource.mode === 'data') dataInstances++;
      else instances.push(read);
    }
  }
  return { instances, dataInstances, deposedInstances };
}

function readInstance(site: string, resource: JsonRecord, instance: JsonRecord, secrets: Secrets): StateInstance {
  const type = text(resource.type);
  const label = text(resource.name);
  if (type === undefined || label === undefined) throw malformed(site, 'has no type or no name');
  const module = text(resource.module);
  const key = instance.index_key;
  return {
    type,
    label,
    module,
    key: typeof key === 'string' || Number.isSafeInteger(key) ? (key as string | number) : undefined,
    provider: providerName(text(resource.provider), type),
    attributes: cutPaths(
      isRecord(instance.attributes) ? instance.attributes : {},
      instance.sensitive_attributes,
      secrets,
    ),
    dependencies: [
      ...list(instance.dependencies).filter((entry) => typeof entry === 'string'),
      // Terraform 0.12 wrote these, relative to the module that the resource is in.
      ...list(instance.depends_on)
        .filter((entry) => typeof entry === 'string')
        .map((entry) => (module === undefined ? entry : `${module}.${entry}`)),
    ],
  };
}

/** `aws` from `provider["registry.terraform.io/hashicorp/aws"].alias`, `provider.aws.alias` or, without either, `aws_vpc`. */
function providerName(reference: string | undefined, type: string): string {
  const source = /provider\["([^"]+)"\]/.exec(reference ?? '')?.[1];
  const short = source?.split('/').at(-1) ?? /(?:^|\.)provider\.([^.]+)/.exec(reference ?? '')?.[1];
  return short ?? providerOfType(type);
}

/** The provider by convention: the first word of the type. */
export function providerOfType(type: string): string {
  return type.split('_', 1)[0] ?? type;
}
