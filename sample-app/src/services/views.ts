import type { Asset } from '../asset.js';
import type { Dataset } from '../dataset.js';
import { countBy, GROUP_FIELDS } from '../query.js';
import type { Workspace } from '../workspace.js';
import type { AddressList, AssetDetail, AssetSummary, DatasetView, WorkspaceStatus } from './results.js';

const MAX_LISTED = 50;

/** The resource that shows an asset. Everything is encoded, so that no address can look like another path. */
export function assetUri(asset: Asset): string {
  return `estate://assets/${encodeURIComponent(asset.address)}`;
}

/** The resource that sums a dataset up. */
export function summaryUri(name: string): string {
  return `estate://datasets/${encodeURIComponent(name)}/summary`;
}

export function workspaceStatus(workspace: Workspace): WorkspaceStatus {
  return {
    active: workspace.active,
    datasets: workspace.datasets.map((dataset) => datasetView(workspace, dataset)),
    allowedRoots: [...workspace.roots.directories],
  };
}

export function datasetView(workspace: Workspace, { name, source, estate }: Dataset): DatasetView {
  return {
    name,
    active: name === workspace.active,
    source,
    format: estate.format,
    terraformVersion: estate.terraformVersion,
    assets: estate.assets.length,
    dataInstances: estate.dataInstances,
    deposedInstances: estate.deposedInstances,
    edges: estate.graph.counts,
    withheld: estate.withheld,
  };
}

/** A dataset with its counts by every field, and what its dependencies name and it does not hold. */
export function datasetSummary(workspace: Workspace, dataset: Dataset): object {
  const { assets, graph } = dataset.estate;
  return {
    dataset: datasetView(workspace, dataset),
    counts: Object.fromEntries(GROUP_FIELDS.map((field) => [field, countBy(assets, field)])),
    missing: [...new Set(assets.flatMap((asset) => graph.missingOf(asset)))].slice(0, MAX_LISTED),
  };
}

export function assetSummary({ address, provider, type, name, region, account }: Asset): AssetSummary {
  return { address, provider, type, name, region, account };
}

export function assetDetail({ estate: { graph } }: Dataset, asset: Asset): AssetDetail {
  return {
    ...asset,
    withheld: [...asset.withheld],
    dependsOn: addressList(graph.dependenciesOf(asset)),
    usedBy: addressList(graph.dependentsOf(asset)),
    missing: graph.missingOf(asset).slice(0, MAX_LISTED),
  };
}

/** What an asset depends on and what depends on it, each as a summary. */
export function assetNeighbors({ estate: { graph } }: Dataset, asset: Asset): object {
  return {
    asset: assetSummary(asset),
    dependsOn: graph.dependenciesOf(asset).slice(0, MAX_LISTED).map(assetSummary),
    usedBy: graph.dependentsOf(asset).slice(0, MAX_LISTED).map(assetSummary),
    missing: graph.missingOf(asset).slice(0, MAX_LISTED),
  };
}

function addressList(assets: readonly Asset[]): AddressList {
  return { total: assets.length, addresses: assets.slice(0, MAX_LISTED).map(({ address }) => address) };
}
