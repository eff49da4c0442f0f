import { McpLayer } from 'cartouche';
import { AskingTools } from './fixtures/asking-tools.js';
import { BasicTools } from './fixtures/basic-tools.js';
import { Prompts } from './fixtures/prompts.js';
import { Resources } from './fixtures/resources.js';
import { SchemaTools } from './fixtures/schema-tools.js';

/** What the official suite asks a server for. More fixtures are more classes here. */
export const SERVICES = [BasicTools, SchemaTools, AskingTools, Resources, Prompts];

export function createConformanceLayer(): McpLayer {
  return new McpLayer({
    name: 'cartouche-conformance',
    version: '1.0.0',
    instructions: 'For the suite.',
    services: SERVICES,
    defaultCapabilities: ['read_state'],
    requestState: { keys: ['a key for this suite only, at least 32 bytes long'] },
  });
}
