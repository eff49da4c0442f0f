import type { ResourceContents, Wire } from '../core/content.js';
import { InvalidArgumentsError } from '../core/errors.js';
import type { CompletionResult } from '../core/middleware.js';
import type { PromptResult } from '../core/prompt-result.js';
import type { ToolResult } from '../core/tool-result.js';
import type { CompletionReference } from '../layer/layer-core.js';
import { STATELESS_VERSIONS } from './era.js';
import { type Method, method } from './engine.js';
import { LIST_SHAPES, type ListShape } from './lists.js';
import { isRecord, type Params } from './messages.js';

function list(shape: ListShape, feature: 'tools' | 'resources' | 'prompts'): Method {
  return method<readonly Wire[]>({
    feature,
    run: ({ layer }, { context }) => layer.list(shape.list, { context }),
    result: ({ lists }, { params, revision }, wires) => lists.page(shape, wires, params['cursor'], revision),
  });
}

const callTool = method<ToolResult>({
  feature: 'tools',
  run: ({ layer }, { params, context }) => layer.callTool(text(params, 'name'), params['arguments'], { context }),
  result: (engine, { revision }, result) => engine.finish(revision, revision.toolResult(result.toWire())),
});

const readResource = method<readonly ResourceContents[]>({
  feature: 'resources',
  run: ({ layer }, { params, context }) => layer.readResource(text(params, 'uri'), { context }),
  result: (engine, { revision }, contents) =>
    engine.cacheable(revision, 'resources/read', {
      contents: contents.map((entry) => revision.contents(entry.toWire())),
    }),
});

const getPrompt = method<PromptResult>({
  feature: 'prompts',
  run: ({ layer }, { params, context }) => layer.getPrompt(text(params, 'name'), params['arguments'], { context }),
  result: (engine, { revision }, result) => engine.finish(revision, revision.promptResult(result.toWire())),
});

const complete = method<CompletionResult>({
  feature: 'completions',
  run: ({ layer }, { params, context }) => {
    const argument = record(params, 'argument');
    const known = params['context'] === undefined ? {} : record(params, 'context');
    const given = known['arguments'] === undefined ? {} : record(known, 'arguments');
    return layer.complete(
      reference(record(params, 'ref')),
      { name: text(argument, 'name'), value: text(argument, 'value') },
      { context, arguments: strings(given) },
    );
  },
  result: (engine, { revision }, completion) => engine.finish(revision, { completion }),
});

const discover = method({
  run: () => undefined,
  result: (engine, { revision }) => {
    const { instructions } = engine.options;
    return engine.cacheable(revision, 'server/discover', {
      supportedVersions: STATELESS_VERSIONS,
      capabilities: engine.capabilities.toWire(),
      ...(instructions === undefined ? {} : { instructions }),
    });
  },
});

const SHARED: readonly (readonly [string, Method])[] = [
  ['tools/list', list(LIST_SHAPES.tools, 'tools')],
  ['tools/call', callTool],
  ['resources/list', list(LIST_SHAPES.resources, 'resources')],
  ['resources/templates/list', list(LIST_SHAPES.templates, 'resources')],
  ['resources/read', readResource],
  ['prompts/list', list(LIST_SHAPES.prompts, 'prompts')],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
];

/** What a handshake session can be asked, besides what concerns the session itself. */
export const HANDSHAKE_METHODS: ReadonlyMap<string, Method> = new Map(SHARED);

/** What can be asked statelessly, besides `subscriptions/listen`. */
export const STATELESS_METHODS: ReadonlyMap<string, Method> = new Map([...SHARED, ['server/discover', discover]]);

/** @throws {InvalidArgumentsError} When the parameter is not text. */
export function text(params: Params, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw new InvalidArgumentsError(`Invalid params: "${name}" must be text.`);
}

/** @throws {InvalidArgumentsError} When the parameter is not an object. */
export function record(params: Params, name: string): Params {
  const value = params[name];
  if (isRecord(value)) return value;
  throw new InvalidArgumentsError(`Invalid params: "${name}" must be an object.`);
}

function reference(ref: Params): CompletionReference {
  switch (ref['type']) {
    case 'ref/prompt':
      return { type: 'ref/prompt', name: text(ref, 'name') };
    case 'ref/resource':
      return { type: 'ref/resource', uri: text(ref, 'uri') };
    default:
      throw new InvalidArgumentsError('Invalid params: "ref.type" must be "ref/prompt" or "ref/resource".');
  }
}

function strings(values: Params): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
