// A server for tests to start: node ./test/support/register.cjs ./test/support/failures-server.ts
import { failuresLayer } from './failures-fixture.js';

void failuresLayer().serve('stdio');
