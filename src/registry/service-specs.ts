import type { Class } from '../core/class.js';
import { type ConfigurationError, isLayerError } from '../core/errors.js';
import { finding } from '../core/finding.js';
import { type MetadataKey, read, reflectWasReplaced } from '../core/metadata.js';
import { PROMPT, RESOURCE, RESOURCE_TEMPLATE, TOOL } from '../core/records.js';
import type { PrimitiveKind } from '../core/ports.js';
import { Completions } from './completions.js';
import { makePrompt, makeResource, makeTemplate, makeTool, type Member } from './make-specs.js';
import { decoratorProblems } from './option-checks.js';
import type { AnySpec } from './registry.js';
import { ServiceReader } from './service-reader.js';

/** What one service class offers, and everything that is wrong with how it is decorated. */
export interface ServiceSpecs {
  readonly specs: readonly AnySpec[];
  readonly findings: readonly string[];
}

/** Reads what the decorators of `cls` and its ancestors recorded and makes specs of it. Nothing is constructed. */
export function specsOfService(cls: Class): ServiceSpecs {
  const reader = new ServiceReader(cls);
  const completions = new Completions(reader);
  const specs: AnySpec[] = [];
  const findings: string[] = [];

  findings.push(...reader.problems);

  function each<R extends { readonly isStatic: boolean; readonly options: object }>(
    kind: PrimitiveKind,
    decorator: string,
    key: MetadataKey<R>,
    make: (member: Member, record: R) => AnySpec,
  ): void {
    for (const [member, { records, declaredBy }] of read(key, cls)) {
      const method = String(member);
      const misuse = misuseOf(reader, decorator, method, records);
      const [record] = records;
      const problems = record === undefined ? [] : decoratorProblems(kind, reader.site(method), record.options);
      if (misuse !== undefined) findings.push(misuse);
      else if (problems.length > 0) findings.push(...problems);
      else if (record !== undefined) {
        collect(findings, () => specs.push(make({ reader, method, declaredBy }, record)));
      }
    }
  }
  each('tool', 'Tool', TOOL, makeTool);
  each('resource', 'Resource', RESOURCE, makeResource);
  each('template', 'ResourceTemplate', RESOURCE_TEMPLATE, (member, record) =>
    makeTemplate(member, record, completions),
  );
  each('prompt', 'Prompt', PROMPT, (member, record) => makePrompt(member, record, completions));
  // A primitive with a finding of its own has not taken its completions: they are not another mistake.
  if (findings.length === 0) completions.reportLeftOver();
  findings.push(...completions.findings);
  if (specs.length === 0 && findings.length === 0) findings.push(nothingFound(cls));
  return { specs, findings };
}

/** Runs `work` and keeps what it finds wrong, so that all findings come in one message. */
export function collect(findings: string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isLayerError(error)) throw error;
    findings.push(...((error as Partial<ConfigurationError>).findings ?? [error.message]));
  }
}

function misuseOf(
  reader: ServiceReader,
  decorator: string,
  method: string,
  records: readonly { readonly isStatic: boolean }[],
): string | undefined {
  const site = reader.site(method);
  if (records.some(({ isStatic }) => isStatic)) {
    return finding(
      'CT201',
      `${site}: @${decorator} on a static member, which no instance has. Make it an instance method.`,
    );
  }
  if (records.length > 1)
    return finding('CT202', `${site}: @${decorator} is applied ${records.length} times. Keep one.`);
  if (typeof (reader.cls.prototype as Record<string, unknown>)[method] === 'function') return undefined;
  return finding('CT203', `${site}: @${decorator} on something that is not a method. Write a method.`);
}

function nothingFound(cls: Class): string {
  if (reflectWasReplaced()) {
    return finding(
      'CT204',
      `${cls.name}: its decorators wrote to another copy of reflect-metadata. ` +
        `Keep one copy (npm ls reflect-metadata), and import cartouche before anything that replaces Reflect.`,
    );
  }
  return finding(
    'CT205',
    `${cls.name}: no member carries @Tool, @Resource, @ResourceTemplate or @Prompt. Decorate one, or leave it out of services.`,
  );
}
