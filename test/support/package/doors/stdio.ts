import 'cartouche/stdio';
import { writeSync } from 'node:fs';

// A banner, as programs print it while they load: it must not be the first thing that a client reads.
console.log('Welcome!');
writeSync(1, `${JSON.stringify({ guarded: true })}\n`);
