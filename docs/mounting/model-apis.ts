import {
  exportDefinitions,
  Principal,
  toAiSdkTools,
  toAnthropicTools,
  toLangChainTools,
  toOpenAITools,
} from 'cartouche';
import { createEstateLayer } from '../../sample-app/src/layer.js';

const layer = await createEstateLayer();
const principal = new Principal({ id: 'agent-7', roles: ['analyst'] });
const only = ['count_assets'];

// Definitions and functions, for anything.
const { toolFunctions, tools } = exportDefinitions(layer, principal);
console.log(
  tools.length,
  'tools;',
  (await toolFunctions['count_assets']?.({ groupBy: 'provider' }))?.['structuredContent'],
);

// OpenAI: pass `tools`, then run what the model asks for.
const openai = toOpenAITools(layer, { principal, only });
console.log(openai.tools[0]?.function.name, '→ OpenAI');
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'count_assets', arguments: '{"groupBy":"provider"}' },
};
console.log(await openai.run(call));

// A mistake of the model is an answer that it can learn from.
const wrong = { id: 'call_2', type: 'function', function: { name: 'count_assets', arguments: '{"groupBy":"colour"}' } };
console.log(await openai.run(wrong));

// Anthropic.
const anthropic = toAnthropicTools(layer, { principal, only });
const use = { id: 'toolu_1', name: 'count_assets', input: { groupBy: 'provider' } };
console.log((await anthropic.run(use)).content);

// LangChain and the AI SDK make objects of their own: their packages are loaded when these are called.
const [langChain] = await toLangChainTools(layer, { principal, only });
console.log(langChain?.constructor.name, await langChain?.invoke({ groupBy: 'provider' }));
const aiSdk = await toAiSdkTools(layer, { principal, only });
console.log(Object.keys(aiSdk), (await aiSdk['count_assets']?.execute({ groupBy: 'provider' }))?.['isError']);
await layer.close();
