import type { Layer } from '../../../layer/layer.js';
import type { NativeMcpServer } from '../../native-server.js';
import type { HttpReply, HttpRequest } from '../wire/carrier.js';
import type { ResolvedHttpOptions } from '../options.js';
import type { Answering } from '../answers/post-exchange.js';

/** What the routes of one endpoint share. */
export interface RouteHost extends Answering {
  readonly layer: Layer;
  readonly server: NativeMcpServer;
  readonly options: ResolvedHttpOptions;
  notAllowed(request: HttpRequest, reply: HttpReply): void;
}
