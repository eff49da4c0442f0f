import type { AnyClass, Class } from '../core/class.js';
import { docComment } from '../core/doc-comments.js';
import { lineage, read, readOwnClass } from '../core/metadata.js';
import { serviceProblems } from './option-checks.js';
import { type CommonOptions, PARAMETER, type ParameterRecord, SERVICE, type ServiceOptions } from '../core/records.js';

/** One service class as the builders of specs see it: its defaults, its doc comments, and how errors name it. */
export class ServiceReader {
  readonly #defaults: ServiceOptions;
  /** What is wrong with the options of `@McpService`. */
  readonly problems: readonly string[];

  constructor(readonly cls: Class) {
    this.problems = lineage(cls).flatMap((owner) =>
      readOwnClass(SERVICE, owner).flatMap((options) => serviceProblems(`${owner.name} (@McpService)`, options)),
    );
    this.#defaults = Object.assign(
      {},
      ...lineage(cls).flatMap((ancestor) => readOwnClass(SERVICE, ancestor).map(underOneName)),
    ) as ServiceOptions;
  }

  /** How errors name a member. */
  site(method: string): string {
    return `${this.cls.name}.${method}`;
  }

  /** A member's options with the class's defaults beneath them, and its doc comment where no description is given. */
  options<O extends CommonOptions>(options: O, method: string): O {
    const { category, sensitivity, capabilities, tags = [] } = this.#defaults;
    return {
      ...(category === undefined ? {} : { category }),
      ...(sensitivity === undefined ? {} : { sensitivity }),
      ...(capabilities === undefined ? {} : { capabilities }),
      ...options,
      tags: [...new Set([...tags, ...(options.tags ?? [])])],
      description: options.description ?? docComment(this.cls, method) ?? '',
    };
  }

  /** What decorators say of a method's parameters. An override that is decorated anew starts with none. */
  parameters(method: string, declaredBy: AnyClass): readonly ParameterRecord[] {
    const found = read(PARAMETER, this.cls).get(method);
    return found?.declaredBy === declaredBy ? found.records : [];
  }
}

/** A subclass says anew what its ancestors said, whichever of the two names each of them uses. */
function underOneName({ defaultCapabilities, ...options }: ServiceOptions): ServiceOptions {
  return defaultCapabilities === undefined ? options : { capabilities: defaultCapabilities, ...options };
}
