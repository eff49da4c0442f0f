import type AnthropicSdk from '@anthropic-ai/sdk';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { jsonSchema, type ToolSet } from 'ai';
import type OpenAI from 'openai';
import {
  ConfigurationError,
  exportDefinitions,
  ImageContent,
  McpLayer,
  Principal,
  Registry,
  toAiSdkTools,
  toAnthropicTools,
  toLangChainTools,
  toOpenAITools,
  ToolResult,
} from 'cartouche';
import { MemoryLogger, sampleLayer } from '../../support/mount/layer.js';

const ADMIN = new Principal({ id: 'root', roles: ['admin'] });
const GUEST = new Principal({ id: 'guest' });

describe('exportDefinitions', () => {
  test('gives what one caller sees, and functions that ask the layer every time', async () => {
    const { layer, probe } = sampleLayer();
    const guest = exportDefinitions(layer, GUEST);
    expect(guest.tools).toBe(layer.toolsWire(GUEST));
    expect(guest.resources).toBe(layer.resourcesWire(GUEST));
    expect(Object.keys(guest.toolFunctions)).not.toContain('secret');
    expect(Object.keys(exportDefinitions(layer, ADMIN).toolFunctions)).toContain('secret');
    const result = await guest.toolFunctions['echo']!({ text: 'x' });
    expect(result['content']).toEqual([{ type: 'text', text: 'layer:x' }]);
    expect(probe.principal).toBe(GUEST);
  });

  test('has a handler for every method of the protocol', async () => {
    const { handlers, prompts, tools } = exportDefinitions(sampleLayer().layer, GUEST);
    expect(await handlers['tools/list']!()).toEqual({ tools });
    expect(await handlers['prompts/list']!()).toEqual({ prompts });
    expect(await handlers['resources/list']!()).toHaveProperty('resources');
    expect(await handlers['resources/templates/list']!()).toHaveProperty('resourceTemplates');
    expect(await handlers['tools/call']!({ name: 'echo', arguments: { text: 'y' } })).toMatchObject({ isError: false });
    expect(await handlers['resources/read']!({ uri: 'est://one' })).toMatchObject({ contents: [{ uri: 'est://one' }] });
    expect(await handlers['prompts/get']!({ name: 'greet', arguments: { who: 'ada' } })).toHaveProperty('messages');
    const asked = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: 'a' } };
    expect(await handlers['completion/complete']!(asked)).toMatchObject({ completion: { values: ['ada', 'alan'] } });
    await expect(handlers['tools/call']!({})).rejects.toThrow(/"name" must be text/);
  });
});

describe('toOpenAITools', () => {
  const only = ['echo', 'boom'];

  test('is what the chat completions of the openai package take, and answers their calls', async () => {
    const { run, tools } = toOpenAITools(sampleLayer().layer, { only });
    const typed: OpenAI.Chat.ChatCompletionTool[] = tools;
    expect(typed).toEqual([
      { type: 'function', function: expect.objectContaining({ name: 'echo' }) },
      { type: 'function', function: expect.objectContaining({ name: 'boom' }) },
    ]);
    const call: OpenAI.Chat.ChatCompletionMessageToolCall = {
      id: 'call_1',
      type: 'function',
      function: { name: 'echo', arguments: '{"text":"hi"}' },
    };
    const answer: OpenAI.Chat.ChatCompletionToolMessageParam = await run(call);
    expect(answer).toEqual({ role: 'tool', tool_call_id: 'call_1', content: 'layer:hi' });
  });

  test('is what its responses take too', async () => {
    const { run, tools } = toOpenAITools(sampleLayer().layer, { api: 'responses', only });
    const typed: OpenAI.Responses.FunctionTool[] = tools;
    expect(typed[0]).toMatchObject({ type: 'function', name: 'echo', strict: false });
    const answer: OpenAI.Responses.ResponseInputItem = await run({
      call_id: 'c1',
      name: 'echo',
      arguments: '{"text":"hi"}',
    });
    expect(answer).toEqual({ type: 'function_call_output', call_id: 'c1', output: 'layer:hi' });
  });

  test('answers a mistake of the model in words: broken JSON, an unknown tool, a tool that fails', async () => {
    const { run } = toOpenAITools(sampleLayer().layer, { only: ['odd', 'boom'] });
    const say = async (name: string, args: string): Promise<string> =>
      (await run({ id: '1', type: 'function', function: { name, arguments: args } })).content;
    expect(await say('odd', '{"where":')).toMatch(/arguments must be an object/);
    expect(await say('nobody', '{}')).toBe('Unknown tool: nobody');
    expect(await say('boom', '')).toMatch(/^Tool boom failed/);
  });

  test('gives schemas that may be changed, and names that every API allows', () => {
    const registry = new Registry();
    registry.tool({ name: 'a.b' }, () => 1);
    const layer = new McpLayer({ name: 'x', version: '1', registry, logger: new MemoryLogger() });
    const { tools } = toOpenAITools(layer);
    expect(tools[0]!.function.name).toBe('a_b');
    tools[0]!.function.parameters['strict'] = true;
    registry.tool({ name: 'a_b' }, () => 2);
    expect(() => toOpenAITools(layer)).toThrow(ConfigurationError);
    expect(() => toOpenAITools(layer, { only: ['c'] })).toThrow(/there is no tool 'c' for this principal/);
  });
});

test('toAnthropicTools is what the messages of @anthropic-ai/sdk take, pictures included', async () => {
  const registry = new Registry();
  registry.tool({ name: 'picture' }, () =>
    new ToolResult({ content: [new ImageContent('aGk=', 'image/png')] }).link('docs://a', 'A'),
  );
  const layer = new McpLayer({ name: 'x', version: '1', registry, logger: new MemoryLogger() });
  const { run, tools } = toAnthropicTools(layer);
  const typed: AnthropicSdk.Tool[] = tools;
  expect(typed[0]).toMatchObject({ name: 'picture', input_schema: { type: 'object' } });
  const block: AnthropicSdk.ToolResultBlockParam = await run({ id: 't1', name: 'picture', input: {} });
  expect(block).toEqual({
    type: 'tool_result',
    tool_use_id: 't1',
    content: [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      { type: 'text', text: '[A: docs://a]' },
    ],
  });
  await expect(run({ id: 't2', name: 'other', input: {} })).resolves.toMatchObject({ is_error: true });
});

test('toLangChainTools are LangChain’s own tools: text for the model, the result as artifact', async () => {
  const [echo] = await toLangChainTools(sampleLayer().layer, {
    only: ['echo'],
    toolClass: DynamicStructuredTool,
  });
  expect(echo).toBeInstanceOf(DynamicStructuredTool);
  const message = (await (echo as unknown as DynamicStructuredTool).invoke({
    type: 'tool_call',
    id: 'c1',
    name: 'echo',
    args: { text: 'hi' },
  } as never)) as { content: string; artifact: Record<string, unknown>; tool_call_id: string };
  expect(message).toMatchObject({ content: 'layer:hi', tool_call_id: 'c1', artifact: { isError: false } });
  const loaded = await toLangChainTools(sampleLayer().layer, { only: ['echo'] });
  expect(await loaded[0]!.invoke({ text: 'yo' })).toBe('layer:yo');
});

test('toAiSdkTools are a tool set of the AI SDK, with its own schemas', async () => {
  const tools = await toAiSdkTools(sampleLayer().layer, { only: ['echo', 'refuse'], jsonSchema });
  const typed: ToolSet = tools;
  expect(Object.keys(typed)).toEqual(['echo', 'refuse']);
  const echo = tools['echo']!;
  expect(await echo.inputSchema.jsonSchema).toMatchObject({ type: 'object', properties: { text: { type: 'string' } } });
  const output = await echo.execute({ text: 'hi' });
  expect(echo.toModelOutput({ output })).toEqual({ type: 'text', value: 'layer:hi' });
  const refused = await tools['refuse']!.execute({});
  expect(tools['refuse']!.toModelOutput({ output: refused })).toEqual({ type: 'error-text', value: 'not today' });
  expect(Object.keys(await toAiSdkTools(sampleLayer().layer, { only: ['echo'] }))).toEqual(['echo']);
});
