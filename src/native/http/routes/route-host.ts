import type { RequestInfo } from '../../../core/principal.js';
import type { Layer } from '../../../layer/layer.js';
import type { NativeMcpServer } from '../../native-server.js';
import type { AuthRefusal } from '../access/auth.js';
import type { HttpReply, HttpRequest } from '../wire/carrier.js';
import type { ResolvedHttpOptions } from '../options.js';
import type { Answering } from '../answers/post-exchange.js';

/** One request that passed the guard and the authentication. */
export interface Admitted {
  readonly request: HttpRequest;
  readonly reply: HttpReply;
  readonly info: RequestInfo;
}

/** What the routes of one endpoint share. */
export interface RouteHost extends Answering {
  readonly layer: Layer;
  readonly server: NativeMcpServer;
  readonly options: ResolvedHttpOptions;
  /** Reads the body as a JSON value. `next` is not called when it is refused, which is answered then. */
  readBody(request: HttpRequest, reply: HttpReply, next: (value: unknown) => void): void;
  /** Tells a caller why it may not do this. */
  refuse(request: HttpRequest, reply: HttpReply, refusal: AuthRefusal): void;
  notAllowed(request: HttpRequest, reply: HttpReply): void;
}
