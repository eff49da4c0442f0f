/**
 * Loads a module at the moment it is first needed, in either module format. Keeps what only some servers use
 * (class-validator, ajv, acorn) out of everyone's start-up time. Only what is listed there can be loaded.
 */
export declare const requireModule: (id: string) => unknown;
