export {
  createTestClient,
  type TestClient,
  type TestClientOptions,
  type TestLog,
  type TestProgress,
  type TestPrompt,
  type TestRequestOptions,
} from './testing/test-client.js';
export { ProtocolFailure, ToolFailure } from './testing/test-failures.js';
export { type FixedClock, fixedClock, sequentialIds } from './testing/deterministic.js';
export type { Answerer } from './testing/conversation.js';
export {
  type ClientTransport,
  clientTransport,
  connectInMemory,
  type MemoryConnection,
  type MemoryOptions,
} from './native/memory.js';
export type { Era } from './native/era.js';
