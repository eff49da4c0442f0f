import { fileURLToPath } from 'node:url';
import { McpLayer, TsyringeContainer } from 'cartouche';
import { AssetTools } from './services/asset-tools.js';
import { DatasetTools } from './services/dataset-tools.js';
import { EstatePrompts } from './services/estate-prompts.js';
import { EstateResources } from './services/estate-resources.js';
import { Workspace, type WorkspaceOptions } from './workspace.js';

/** The invented estate that is loaded when no state is named. */
export const DEMO_STATE = fileURLToPath(new URL('../state/demo.tfstate.json', import.meta.url));

/** How the sample is started. */
export interface EstateOptions extends WorkspaceOptions {
  /** State files to load; the last one becomes active. Default: {@link DEMO_STATE} as `demo`. */
  readonly states?: readonly { readonly name?: string; readonly path: string }[];
}

/**
 * Loads the states and builds the layer that answers questions about them.
 * @throws {ToolError} When a state cannot be loaded, or a root is not a directory.
 */
export async function createEstateLayer(options: EstateOptions = {}): Promise<McpLayer> {
  const workspace = new Workspace(options);
  await workspace.roots.check();
  for (const { name, path } of options.states ?? [{ name: 'demo', path: DEMO_STATE }]) {
    await workspace.load(path, { name });
  }
  return new McpLayer({
    name: 'estate',
    version: '1.0.0',
    instructions:
      'Answers questions about a cloud estate from Terraform or OpenTofu state. Start with workspace_status; count with ' +
      'count_assets, search with find_assets, look closer with get_asset.',
    services: [AssetTools, DatasetTools, EstateResources, EstatePrompts],
    container: new TsyringeContainer({ provide: [{ token: Workspace, useValue: workspace }] }),
  });
}
