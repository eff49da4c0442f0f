import { createRequire } from 'node:module';

export const requireModule = createRequire(import.meta.url);
