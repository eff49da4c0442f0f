import { McpLayer } from 'cartouche';
import { BasicTools } from './fixtures/basic-tools.js';
import { Prompts } from './fixtures/prompts.js';
import { Resources } from './fixtures/resources.js';
import { SchemaTools } from './fixtures/schema-tools.js';

/** What the official suite asks a server for. More fixtures are more classes here. */
export const SERVICES = [BasicTools, SchemaTools, Resources, Prompts];

export function createConformanceLayer(): McpLayer {
  return new McpLayer({
    name: 'cartouche-conformance',
    version: '1.0.0',
    instructions: 'For the suite.',
    services: SERVICES,
  });
}
