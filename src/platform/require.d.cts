/**
 * Loads a module at the moment it is first needed, in either module format. Keeps what only some servers use
 * (class-validator, ajv, acorn) out of everyone's start-up time. Only what is listed there can be loaded.
 */
export declare const requireModule: (id: string) => unknown;

/** Whether the program may have loaded a package by its name: false only where Node.js itself has not done so yet. */
export declare const isLoaded: (id: string) => boolean;
