// Another state of cartouche, built, for a comparison in one run: CARTOUCHE_BEFORE is the folder of its checkout.
import { contenderBefore } from './_before.mjs';

export const { meta, start } = await contenderBefore('cartouche', 'cartouche before (functions, raw schema)');
