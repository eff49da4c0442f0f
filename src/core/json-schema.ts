/** A JSON Schema object. Boolean schemas occur only inside one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the Standard Schema specification asks of a validator. Source: standardschema.dev, version 1. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
    readonly jsonSchema?: {
      readonly input: (options: { target: string }) => Record<string, unknown>;
      readonly output: (options: { target: string }) => Record<string, unknown>;
    };
  };
}

/** The outcome of a Standard Schema validation. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** Whether `value` speaks Standard Schema (some libraries make theirs callable). */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as Partial<StandardSchema>)['~standard'] === 'object'
  );
}
