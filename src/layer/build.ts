import { PlainContainer } from '../../providers/plain.js';
import { TsyringeContainer } from '../../providers/tsyringe.js';
import type { Container } from '../core/container.js';
import { ConfigurationError } from '../core/errors.js';
import { Registry, type RegistryChange } from '../registry/registry.js';
import { collect, specsOfService } from '../registry/service-specs.js';
import { portabilityWarnings } from '../schema/hosts/lint.js';
import { Catalog } from './catalog.js';
import type { ResolvedOptions } from './options.js';

/** What a layer is made of once its services were read. */
export interface BuiltCatalog {
  readonly catalog: Catalog;
  readonly container: Container;
  /** Stops following the registry that the options gave. */
  readonly unlink: () => void;
}

/**
 * Fills `registry` from the services and the registry that the options name, and shows it in a catalog.
 *
 * @param onListChange Called when a list changes later, while the layer serves.
 * @throws {ConfigurationError} With everything that is wrong with the services.
 */
export function buildCatalog(
  registry: Registry,
  options: ResolvedOptions,
  onListChange: (list: RegistryChange['list']) => void,
): BuiltCatalog {
  const findings: string[] = [];
  const services = [...new Set(options.services)];
  const container = options.container ?? (services.length === 0 ? new PlainContainer() : new TsyringeContainer());
  findings.push(...container.check(services));
  for (const cls of services) {
    const { specs, findings: found } = specsOfService(cls);
    findings.push(...found);
    for (const spec of specs) collect(findings, () => registry.add(spec));
  }
  const { registry: shared } = options;
  if (shared !== undefined) collect(findings, () => registry.merge(shared));

  const catalog = new Catalog(
    registry,
    options,
    ({ service }) => service !== undefined && container.lifetimeOf(service) !== 'shared',
  );
  for (const spec of registry) collect(findings, () => catalog.check(spec));
  if (findings.length > 0) throw new ConfigurationError(findings);
  warn(registry, options);

  registry.guard(({ added }) => added && catalog.check(added));
  registry.onChange((change) => {
    if (catalog.apply(change)) onListChange(change.list);
  });
  return { catalog, container, unlink: shared === undefined ? () => undefined : follow(registry, shared) };
}

/** Serves what is added to a registry that several layers may share, as long as each of them can. */
function follow(registry: Registry, shared: Registry): () => void {
  const unguard = shared.guard(
    ({ removed, added }) => added && registry.vet(added, { replace: removed !== undefined }),
  );
  const unlisten = shared.onChange(({ removed, added }) => {
    if (added !== undefined) registry.add(added, { replace: removed !== undefined });
    else if (removed !== undefined) registry.remove(removed.kind, removed.id);
  });
  return () => {
    unguard();
    unlisten();
  };
}

/** What works, but not with every client, and filters that name nothing. */
function warn(registry: Registry, options: ResolvedOptions): void {
  for (const spec of registry.tools.values()) {
    const { inputSchema, outputSchema, site } = spec;
    const exposedName = options.prefix + spec.name;
    const portability = portabilityWarnings({ site, exposedName, inputSchema, outputSchema });
    for (const warning of [...spec.input.warnings, ...(spec.output?.warnings ?? []), ...portability])
      options.logger.warn(warning);
  }
  for (const { asks } of registry) {
    for (const warning of asks.flatMap((form) => form.warnings)) options.logger.warn(warning);
  }
  for (const name of [...(options.includeTools ?? []), ...(options.excludeTools ?? [])]) {
    if (!registry.tools.has(name))
      options.logger.warn(`McpLayer: a filter names the tool '${name}', which is not there yet.`);
  }
}
