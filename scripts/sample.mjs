// npm run sample -- [options]: builds what is missing, then runs the sample app in this process.
import { ensureBuilt } from './ensure-built.mjs';

ensureBuilt();
await import('../sample-app/dist/main.js');
