/** Loads one decorator of class-validator or class-transformer, and of the package only what that one needs. */
export declare const loadDecorator: (name: string) => unknown;
