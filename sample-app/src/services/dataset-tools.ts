import { McpService, Tool, ToolContext, ToolError } from 'cartouche';
import { Workspace } from '../workspace.js';
import { ForgetForm, LoadDatasetArgs, UnloadDatasetArgs } from './arguments.js';
import { DatasetView, WorkspaceStatus } from './results.js';
import { datasetView, summaryUri, workspaceStatus } from './views.js';

/** What is loaded, and loading more. */
@McpService({ category: 'workspace', sensitivity: 'internal', capabilities: ['read_state'] })
export class DatasetTools {
  constructor(private readonly workspace: Workspace) {}

  /** Which datasets are loaded, which one is active, and where state files may be loaded from. */
  @Tool({ title: 'Workspace status', tags: ['start-here'], output: WorkspaceStatus })
  workspaceStatus(): WorkspaceStatus {
    return workspaceStatus(this.workspace);
  }

  /** The loaded datasets, oldest first. */
  @Tool({ title: 'List datasets', output: [DatasetView] })
  listDatasets(): DatasetView[] {
    return workspaceStatus(this.workspace).datasets;
  }

  /**
   * Loads a Terraform or OpenTofu state (format 4 or 3, or the output of `show -json`) as a dataset and makes it the
   * active one. Values that the state marks sensitive are not kept.
   */
  @Tool({ title: 'Load dataset', capabilities: ['read_fs', 'write_state'], output: DatasetView })
  async loadDataset({ path, name, replace }: LoadDatasetArgs, ctx: ToolContext): Promise<DatasetView> {
    const dataset = await this.workspace.loadAllowed(path, { name, replace });
    this.announce(dataset.name, ctx);
    ctx.link(summaryUri(dataset.name), dataset.name, { title: 'Summary', mimeType: 'application/json' });
    return datasetView(this.workspace, dataset);
  }

  /** Forgets a dataset. Its file stays as it is; when it was the active one, the one loaded last becomes active. */
  @Tool({ title: 'Unload dataset', capabilities: ['read_state', 'write_state'], output: WorkspaceStatus })
  unloadDataset({ name }: UnloadDatasetArgs, ctx: ToolContext): WorkspaceStatus {
    this.workspace.unload(name);
    this.announce(name, ctx);
    return workspaceStatus(this.workspace);
  }

  /** Forgets a dataset, but asks the person first. Everything else is as with unload_dataset. */
  @Tool({
    title: 'Forget dataset',
    capabilities: ['read_state', 'write_state'],
    destructive: true,
    output: WorkspaceStatus,
    asks: [ForgetForm],
  })
  async forgetDataset({ name }: UnloadDatasetArgs, ctx: ToolContext): Promise<WorkspaceStatus> {
    // What is not there need not be asked about.
    this.workspace.dataset(name);
    const answer = await ctx.elicit('forget', ForgetForm, { message: `Forget dataset "${name}"?` });
    if (answer.action !== 'accept' || !answer.content.forget) throw new ToolError(`Dataset "${name}" stays loaded.`);
    if (answer.content.reason) ctx.log('info', `Dataset "${name}" is forgotten: ${answer.content.reason}`);
    return this.unloadDataset({ name }, ctx);
  }

  private announce(name: string, ctx: ToolContext): void {
    ctx.notifyChange('resources');
    for (const uri of ['estate://workspace', 'estate://datasets', summaryUri(name)]) ctx.notifyChange('resource', uri);
  }
}
