/**
 * Loads a package that only some users install, from where the program runs: bundlers leave it out. Each build has its
 * own, so that a program gets the copy in its own module format.
 */
export declare const loadOptional: (name: string) => Promise<unknown>;
