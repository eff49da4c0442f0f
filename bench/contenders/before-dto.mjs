// The same as `before`, with classes and DTOs.
import { contenderBefore } from './_before.mjs';

export const { meta, start } = await contenderBefore('cartouche-dto', 'cartouche before (classes, DTOs)');
