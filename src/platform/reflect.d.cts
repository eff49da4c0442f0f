/** Why reflect-metadata could not be loaded; `undefined` when it was. */
export declare const failure: unknown;
