export { NativeMcpServer } from './native/native-server.js';
export type { NativeSession, SessionInit } from './native/native-session.js';
export type { Layer } from './layer/layer.js';
export type { Feature } from './native/capabilities.js';
export type { Cacheable, SessionState } from './native/method.js';
export type { CacheableMethod, CacheHint, NativeServerOptions } from './native/options.js';
export { ClientRequestError, type ClientRequestOptions } from './native/client-requests.js';
export { classify } from './native/classify.js';
export {
  type Era,
  envelopeFault,
  HANDSHAKE_VERSIONS,
  type HandshakeVersion,
  MODERN_VERSIONS,
  versionFault,
} from './native/era.js';
export type { Cancellable, Carrier, Exchange, Peer, PeerRequestOptions } from './native/request.js';
export type { Revision } from './native/revisions.js';
export type {
  JsonRpcErrorBody,
  JsonRpcFailure,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonRpcSuccess,
  Params,
  Reply,
  RequestId,
} from './native/messages.js';
export { serialise } from './native/prepared.js';
