import { describeThrown as describe } from '../../../core/describe-thrown.js';
import { isPromise } from '../../../core/guards.js';
import { ErrorCode } from '../../../core/errors.js';
import type { Principal, RequestInfo } from '../../../core/principal.js';
import { type JsonRpcRequest, kindOf, type MessageKind, parseFailure } from '../../messages.js';
import type { NativeMcpServer } from '../../native-server.js';
import { type Authenticated, type AuthRefusal, isRefusal, outcomeProblem, refusalProblem } from '../access/auth.js';
import type { ResolvedHttpOptions } from '../options.js';
import type { BodyError, HttpReply, HttpRequest } from '../wire/carrier.js';
import { isJsonBody } from '../wire/media-types.js';
import { sendFailure, sendFault } from '../wire/replies.js';
import { nameOf, versionIn } from '../wire/request-headers.js';

/** What is said where something in front read the body, and left it nowhere. */
const CONSUMED =
  'The body was read before it reached the MCP handler. Leave it at request.body, or pass it on: it is the third ' +
  'argument of a node handler, and parsedBody in the second one of a fetch handler.';

/** Only this file can write it, so that nothing but the gate makes what routes are handed. */
declare const ADMITTED: unique symbol;

/** One HTTP request that was let in: its caller is known, once for everything that it brings. */
class Caller {
  declare readonly [ADMITTED]: true;

  constructor(
    readonly request: HttpRequest,
    readonly reply: HttpReply,
    readonly info: RequestInfo,
    readonly principal: Principal,
  ) {}
}

/** What an HTTP request brought, each message of which its caller may send. It counts as running until it is answered. */
class Passed extends Caller {
  /** The revision that its header names, if it has one. */
  readonly version: string | undefined;

  constructor(
    { request, reply, info, principal }: Caller,
    readonly message: unknown,
    readonly kind: MessageKind,
  ) {
    super(request, reply, info, principal);
    this.version = versionIn(request.headers);
  }
}

export type { Caller, Passed };

/** Answers what passed; resolves when that is answered, and gives nothing when it was answered at once. */
export type Route = (passed: Passed) => Promise<unknown> | undefined;

/** What the gate asks of its endpoint. */
interface GateInit {
  readonly options: Pick<ResolvedHttpOptions, 'auth' | 'maxBatchMessages' | 'maxBodyBytes'>;
  readonly server: NativeMcpServer;
}

/**
 * The one way in. Whatever the route, each request says who calls before anything else of it is looked at, and each
 * message, alone or in a batch, is read within the limits, authorised, and counted while it runs. Routes take what only
 * the gate makes.
 */
export class Gate {
  readonly #options: GateInit['options'];
  readonly #server: NativeMcpServer;
  #running = 0;
  #closing = false;
  #whenIdle: (() => void) | undefined;

  constructor({ options, server }: GateInit) {
    this.#options = options;
    this.#server = server;
  }

  /** Whether nothing more is let in. */
  get closing(): boolean {
    return this.#closing;
  }

  /** The same; a request that comes then is told so. */
  refusesAll(request: HttpRequest, reply: HttpReply): boolean {
    if (this.#closing) {
      sendFault(request, reply, {
        status: 503,
        message: 'The server is closing.',
        headers: { 'retry-after': 1, connection: 'close' },
      });
    }
    return this.#closing;
  }

  /** Finds out who calls. `next` is not called for a caller that is turned away, who is told why. */
  enter(request: HttpRequest, reply: HttpReply, info: RequestInfo, next: (caller: Caller) => void): void {
    const { auth } = this.#options;
    if (auth === undefined) {
      next(new Caller(request, reply, info, this.#server.principalOf(info)));
      return;
    }
    const proceed = (known: Authenticated | AuthRefusal): void => {
      const problem = outcomeProblem(known);
      if (problem !== undefined) this.failed(request, reply, new TypeError(`auth: authenticate ${problem}.`));
      else if (isRefusal(known)) this.#refuse(request, reply, known);
      else {
        const { principal, accessToken } = known;
        const own = info.with({ principal, accessToken });
        next(new Caller(request, reply, own, this.#server.principalOf(own)));
      }
    };
    const outcome = auth.authenticate({ info, method: request.method, path: request.path });
    if (isPromise(outcome))
      Promise.resolve(outcome)
        .then(proceed)
        .catch((error: unknown) => this.failed(request, reply, error));
    else proceed(outcome);
  }

  /** Reads what a POST brought, judges it, and hands it to a route, which is counted until it has answered. */
  pass(caller: Caller, route: Route): void {
    const { request, reply } = caller;
    this.#readBody(request, reply, (message) => {
      if (this.refusesAll(request, reply)) return;
      const kind = kindOf(message);
      const { maxBatchMessages: max } = this.#options;
      if (kind === 'batch' && (message as readonly unknown[]).length > max) {
        sendFault(request, reply, { status: 400, message: `A batch may have ${max} messages.` });
        return;
      }
      const refusal = this.#judge(caller, kind, message);
      if (refusal !== undefined) this.#refuse(request, reply, refusal);
      else this.#run(new Passed(caller, message, kind), route);
    });
  }

  /** Logs what nobody expected, and says no more than that to the client. */
  failed(request: HttpRequest, reply: HttpReply, error: unknown): void {
    this.#server.layer.logger.error('an HTTP request failed', describe(error));
    sendFault(request, reply, { status: 500, code: ErrorCode.InternalError, message: 'Internal error.' });
  }

  /** Lets nothing more in. */
  close(): void {
    this.#closing = true;
  }

  /** Waits for what runs, at most `graceMs`. */
  idle(graceMs: number): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #run(passed: Passed, route: Route): void {
    let work: Promise<unknown> | undefined;
    this.#running++;
    try {
      work = route(passed);
    } finally {
      if (work === undefined) this.#ended();
    }
    work?.then(
      () => this.#ended(),
      (error: unknown) => {
        this.#ended();
        this.failed(passed.request, passed.reply, error);
      },
    );
  }

  #ended(): void {
    if (--this.#running === 0) this.#whenIdle?.();
  }

  /** Why a caller may not send one of these messages. What has no method is an answer, or refused by every route. */
  #judge({ info }: Caller, kind: MessageKind, message: unknown): AuthRefusal | undefined {
    const { auth } = this.#options;
    if (auth?.authorize === undefined) return undefined;
    const members = kind === 'batch' ? (message as readonly unknown[]) : [message];
    for (const member of members) {
      const own = kindOf(member);
      if (own !== 'request' && own !== 'notification') continue;
      const { method } = member as JsonRpcRequest;
      const name = nameOf(this.#server.methodOf(method), member as JsonRpcRequest);
      const refusal = auth.authorize(info, method, name);
      if (refusal === undefined) continue;
      const problem = refusalProblem(refusal);
      if (problem !== undefined) throw new TypeError(`auth: authorize ${problem}.`);
      return refusal;
    }
    return undefined;
  }

  #refuse(request: HttpRequest, reply: HttpReply, refusal: AuthRefusal): void {
    const { status, message, challenge, cause } = refusal;
    if (cause !== undefined) this.#server.layer.logger.warn('a token could not be verified', describe(cause));
    const headers: Readonly<Record<string, string | number>> =
      challenge === undefined ? { 'retry-after': 5 } : { 'www-authenticate': challenge };
    sendFault(request, reply, { status, message, headers });
  }

  #readBody(request: HttpRequest, reply: HttpReply, next: (value: unknown) => void): void {
    const { headers } = request;
    const encoding = headers['content-encoding'];
    if (!isJsonBody(headers['content-type'])) {
      sendFault(request, reply, { status: 415, message: 'A body must be application/json, in UTF-8.' });
    } else if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
      const plain = { 'accept-encoding': 'identity' };
      sendFault(request, reply, { status: 415, message: 'A body must not be compressed.', headers: plain });
    } else {
      request.readBody(this.#options.maxBodyBytes, (value, error) => {
        try {
          if (error === undefined) next(value);
          else this.#refuseBody(request, reply, error);
        } catch (thrown) {
          this.failed(request, reply, thrown);
        }
      });
    }
  }

  #refuseBody(request: HttpRequest, reply: HttpReply, { reason }: BodyError): void {
    if (reason === 'not-json') sendFailure(request, reply, 400, parseFailure());
    else if (reason === 'consumed') {
      this.#server.layer.logger.error(`an HTTP request failed: ${CONSUMED}`);
      sendFault(request, reply, { status: 500, code: ErrorCode.InternalError, message: CONSUMED });
    } else if (reason === 'incomplete') sendFault(request, reply, { status: 400, message: 'The body ended early.' });
    else sendFault(request, reply, { status: 413, message: `A body may have ${this.#options.maxBodyBytes} bytes.` });
  }
}
