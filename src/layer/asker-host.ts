import type { AskerHost } from '../asking/call-asker.js';
import type { StateSealer } from '../asking/sealer.js';
import { ModernState } from '../asking/modern-state.js';
import type { ToolContext } from '../core/context.js';
import type { ErrorTeller } from '../core/error-form.js';
import type { CallKind } from '../core/middleware.js';
import type { Pipeline } from '../core/ports.js';
import type { ResolvedOptions } from './options.js';

/** What there is to know of a call that asks its client. */
interface Asking extends ErrorTeller {
  readonly runtime: { readonly options: ResolvedOptions; readonly sealer: StateSealer };
  readonly rules: { readonly mayAsk: boolean };
  readonly kind: CallKind;
  readonly name: string;
  readonly args: unknown;
  readonly context: ToolContext;
  readonly pipeline: Pipeline | undefined;
  hold(): () => void;
}

/** What the asker of a call goes by. */
export function askerHostOf(call: Asking): AskerHost {
  const { context, name, rules, runtime } = call;
  const { client } = context;
  const { askTimeoutMs, logger, policy, validationLimits } = runtime.options;
  return {
    site: name,
    client,
    mayAsk: rules.mayAsk,
    timeoutMs: askTimeoutMs,
    limits: validationLimits,
    state: client?.era === 'modern' ? stateOf(call, client.requestState) : undefined,
    logger,
    errors: call,
    get signal() {
      return context.signal;
    },
    get pipeline() {
      return call.pipeline;
    },
    policy: policy.name,
    hold: () => call.hold(),
  };
}

function stateOf({ args, context, kind, name, runtime }: Asking, token: unknown): ModernState {
  const { sealer } = runtime;
  const { logger } = runtime.options;
  const binding = { layer: runtime.options.name, principal: context.principal.key, kind, name, args };
  const isHttp = context.info?.transport === 'http' || context.info?.transport === 'sse';
  return new ModernState(sealer, token, binding, () => {
    if (isHttp) sealer.warnIfLocal(logger);
  });
}
