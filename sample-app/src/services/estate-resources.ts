import { Complete, McpService, Resource, ResourceTemplate } from 'cartouche';
import { Workspace } from '../workspace.js';
import { AssetVariables, DatasetVariables } from './arguments.js';
import type { AssetDetail, DatasetView, WorkspaceStatus } from './results.js';
import { assetDetail, assetNeighbors, datasetSummary, workspaceStatus } from './views.js';

/** The estate as resources, to read and to subscribe to. */
@McpService({ category: 'inventory', tags: ['estate'], capabilities: ['read_state'] })
export class EstateResources {
  constructor(private readonly workspace: Workspace) {}

  /** Loaded datasets, the active one, and the directories that state files may be loaded from. */
  @Resource('estate://workspace', { title: 'Workspace', category: 'workspace', sensitivity: 'internal' })
  workspaceResource(): WorkspaceStatus {
    return workspaceStatus(this.workspace);
  }

  /** The loaded datasets, oldest first. */
  @Resource('estate://datasets', { title: 'Datasets', category: 'workspace', sensitivity: 'internal' })
  datasetsResource(): DatasetView[] {
    return workspaceStatus(this.workspace).datasets;
  }

  /** One asset of the active dataset; ref is an address, id, ARN or unique name, URL-encoded. */
  @ResourceTemplate('estate://assets/{+ref}', { title: 'Asset' })
  asset({ ref }: AssetVariables): AssetDetail {
    const dataset = this.workspace.dataset();
    return assetDetail(dataset, dataset.resolve(ref));
  }

  /** What one asset of the active dataset depends on, and what depends on it. */
  @ResourceTemplate('estate://assets/{+ref}/neighbors', { title: 'Neighbors of an asset' })
  neighbors({ ref }: AssetVariables): object {
    const dataset = this.workspace.dataset();
    return assetNeighbors(dataset, dataset.resolve(ref));
  }

  /** One dataset with its counts by provider, type, region and account. */
  @ResourceTemplate('estate://datasets/{dataset}/summary', { title: 'Dataset summary' })
  summary({ dataset }: DatasetVariables): object {
    return datasetSummary(this.workspace, this.workspace.dataset(dataset));
  }

  @Complete('asset', 'ref')
  @Complete('neighbors', 'ref')
  completeRef(partial: string): string[] {
    return this.workspace.referencesLike(partial);
  }

  @Complete('summary', 'dataset')
  completeDataset(partial: string): string[] {
    return this.workspace.datasetsLike(partial);
  }
}
