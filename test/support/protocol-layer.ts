import { setTimeout as sleep } from 'node:timers/promises';
import { AudioContent, ImageContent, TextContent } from '../../src/core/content.js';
import { McpLayerError, NotFoundError, ToolError } from '../../src/core/errors.js';
import { PromptMessage } from '../../src/core/prompt-result.js';
import { ToolResult } from '../../src/core/tool-result.js';
import type { McpLayerOptions } from '../../src/layer/options.js';
import { McpLayer } from '../../src/mcp-layer.js';

/** Says nothing. */
export const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

const TEXT = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const MS = { type: 'object', properties: { ms: { type: 'number' } } };
const BYTES = { type: 'object', properties: { bytes: { type: 'integer' } }, required: ['bytes'] };

/** A layer with a little of everything that the protocol knows, made of functions. */
export function protocolLayer(options: Partial<McpLayerOptions> = {}): McpLayer {
  const layer = new McpLayer({
    name: 'protocol',
    version: '1.2.3',
    title: 'Protocol',
    instructions: 'Ask.',
    logger: QUIET,
    ...options,
  });
  const { registry } = layer;
  registry.tool({ name: 'echo', description: 'Says it back.', input: TEXT }, ({ text }: any) => text);
  registry.tool({ name: 'no_arguments' }, () => 'nothing needed');
  registry.tool({ name: 'wait', input: MS }, async ({ ms = 60_000 }: any, context) => {
    await sleep(ms, undefined, { signal: context.signal });
    return 'waited';
  });
  registry.tool({ name: 'deaf' }, () => new Promise(() => {}));
  registry.tool({ name: 'progress' }, (_args, context) => {
    for (const step of [1, 1, 3, 2]) context.reportProgress(step, 3, `step ${step}`);
    setTimeout(() => context.reportProgress(9, 9), 1);
    return 'done';
  });
  registry.tool({ name: 'log' }, (_args, context) => {
    context.log('debug', { about: 'details' }, 'tests');
    context.log('error', 'it broke');
    return 'logged';
  });
  registry.tool({ name: 'chatty' }, () => {
    console.log('from console.log');
    process.stdout.write('from process.stdout.write\n');
    return 'said it';
  });
  registry.tool(
    { name: 'big', input: BYTES },
    ({ bytes }: any) => new ToolResult({ content: [new TextContent('x'.repeat(bytes))] }),
  );
  registry.tool({ name: 'media' }, () =>
    ToolResult.structured({ n: 1 })
      .append(new ImageContent('aGk=', 'image/png'), new AudioContent('aGk=', 'audio/wav'))
      .link('docs://guide', 'guide', { title: 'Guide', description: 'how to' }),
  );
  registry.tool({ name: 'list', title: 'List' }, () => new ToolResult({ structuredContent: ['a', 'b'] }));
  registry.tool({ name: 'fails' }, () => {
    throw new ToolError('the disk is full', { free: 0 });
  });
  registry.tool({ name: 'breaks' }, () => {
    throw new Error('postgres://user:secret@host');
  });
  registry.tool({ name: 'bigint_meta' }, () => new ToolResult({ meta: { n: 1n } }));
  registry.tool({ name: 'needs_input' }, () => {
    throw branded('InputRequiredError', {
      inputRequests: { name: { method: 'elicitation/create', params: {} } },
      requestState: 's',
    });
  });
  registry.tool({ name: 'needs_sampling' }, () => {
    throw branded('MissingCapabilityError', { requiredCapabilities: { sampling: {} } });
  });
  registry.tool({ name: 'change_tools' }, (_args, context) => {
    context.notifyChange('tools');
    return 'changed';
  });
  registry.resource({ uri: 'docs://guide', title: 'Guide', mimeType: 'text/plain' }, () => 'Read me.');
  registry.resource({ uri: 'docs://broken' }, () => {
    throw new Error('secret');
  });
  registry.resourceTemplate(
    {
      uriTemplate: 'docs://pages/{page}',
      completions: { page: (partial) => ['one', 'two', 'three'].filter((p) => p.startsWith(partial)) },
    },
    ({ page }: any) => {
      if (page === 'none') throw new NotFoundError('No such page.', { nearest: ['one'] });
      return { page };
    },
  );
  registry.prompt(
    {
      name: 'greet',
      arguments: [{ name: 'who', title: 'Who', required: true }],
      completions: { who: () => Array.from({ length: 250 }, (_, i) => `name ${i}`) },
    },
    ({ who }: any) => [
      PromptMessage.user(`Hello ${who}`),
      PromptMessage.assistant(new AudioContent('aGk=', 'audio/wav')),
    ],
  );
  return layer;
}

/** An error of a kind that a later part of the package makes. */
export function branded(kind: string, data: unknown): McpLayerError {
  return Object.assign(new McpLayerError(`a ${kind}`, data), { [Symbol.for('cartouche.error')]: kind });
}
