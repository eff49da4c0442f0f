import { BOTH, running } from '../method.js';
import { text } from './params.js';

/** Renders a prompt. */
export const promptsGet = running({
  name: 'prompts/get',
  eras: BOTH,
  feature: 'prompts',
  nameParam: 'name',
  mayAsk: true,
  run: ({ layer }, { params, context }) => layer.getPrompt(text(params, 'name'), params['arguments'], { context }),
  result: (host, { revision }, result) => host.finish(revision, revision.promptResult(result.toWire())),
});
