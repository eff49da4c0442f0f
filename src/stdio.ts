import { guardStdout } from './native/stdio/stdout-guard.js';

/**
 * `import 'cartouche/stdio'` as the first line of a program: from there on, what anything writes to standard output goes
 * to standard error, so that the first line a client reads is the protocol's.
 */
guardStdout();
