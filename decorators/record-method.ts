import type { AnyClass } from '../src/core/class.js';
import { ConfigurationError } from '../src/core/errors.js';
import { finding } from '../src/core/finding.js';
import { define, type MetadataKey } from '../src/core/metadata.js';

/** A method decorator of the kind that `experimentalDecorators` compiles. */
export type MethodRecorder = (target: object, method: string | symbol, descriptor?: PropertyDescriptor) => void;

/** Records `body` for the decorated method, and whether it is static; nothing else happens until a layer is built. */
export function recordMethod<R extends { readonly isStatic: boolean }>(
  decorator: string,
  key: MetadataKey<R>,
  body: Omit<R, 'isStatic'>,
): MethodRecorder {
  return (target, method) => {
    refuseStandardDecorators(decorator, method);
    const isStatic = typeof target === 'function';
    const cls = (isStatic ? target : target.constructor) as AnyClass;
    define(key, cls, method, { ...body, isStatic } as R);
  };
}

/** The decorators of the ECMAScript proposal pass a context object, and emit no types to reflect on. */
export function refuseStandardDecorators(decorator: string, member: unknown): void {
  if (typeof member !== 'object' || member === null) return;
  throw new ConfigurationError(
    finding(
      'CT206',
      `@${decorator}: compiled as a standard decorator. Set "experimentalDecorators" and "emitDecoratorMetadata" in tsconfig.json.`,
    ),
  );
}
