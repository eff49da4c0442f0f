import { LayerCore } from './layer/layer-core.js';

/** The centre of a server: services and functions in, tools, resources, templates and prompts out, over any transport. */
export class McpLayer extends LayerCore {}
