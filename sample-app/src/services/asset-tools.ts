import { McpService, Tool, ToolContext } from 'cartouche';
import { countBy, Cursor, NONE, select } from '../query.js';
import { Workspace } from '../workspace.js';
import { CountAssetsArgs, DatasetArgs, FindAssetsArgs, GetAssetArgs } from './arguments.js';
import { AssetCounts, AssetDetail, AssetPage, RegionList } from './results.js';
import { assetDetail, assetSummary, assetUri } from './views.js';

/** Questions about the assets of one dataset. */
@McpService({ category: 'inventory', tags: ['estate'], capabilities: ['read_state'] })
export class AssetTools {
  constructor(private readonly workspace: Workspace) {}

  /** How many assets there are, by cloud provider, resource type, region or account. */
  @Tool({ title: 'Count assets', output: AssetCounts })
  countAssets({ dataset, groupBy }: CountAssetsArgs): AssetCounts {
    const { name, assets } = this.workspace.dataset(dataset);
    return { dataset: name, groupBy, total: assets.length, groups: countBy(assets, groupBy) };
  }

  /** Finds assets by words and filters, a page at a time. */
  @Tool({ title: 'Find assets', output: AssetPage })
  findAssets({ dataset, sortBy, descending, limit, cursor, ...filter }: FindAssetsArgs): AssetPage {
    const { name, assets, estate } = this.workspace.dataset(dataset);
    const listing = new Cursor(name, estate.digest, filter, sortBy, descending);
    const start = cursor === undefined ? 0 : listing.read(cursor);
    const found = select(assets, filter, sortBy, descending);
    const end = start + limit;
    return {
      dataset: name,
      total: found.length,
      items: found.slice(start, end).map(assetSummary),
      nextCursor: end < found.length ? listing.write(end) : undefined,
    };
  }

  /** Everything that is known of one asset: tags, settings, what it depends on and what depends on it. */
  @Tool({ title: 'Get asset', output: AssetDetail })
  getAsset({ dataset, ref }: GetAssetArgs, ctx: ToolContext): AssetDetail {
    const source = this.workspace.dataset(dataset);
    const asset = source.resolve(ref);
    // The resource shows the active dataset; a link to another one's asset would lead astray.
    if (source.name === this.workspace.active) {
      ctx.link(`${assetUri(asset)}/neighbors`, asset.address, { title: 'Neighbors', mimeType: 'application/json' });
    }
    return assetDetail(source, asset);
  }

  /** The regions that have assets, the fullest first, with the clouds that are in them. */
  @Tool({ title: 'List regions', output: RegionList })
  listRegions({ dataset }: DatasetArgs): RegionList {
    const { name, assets } = this.workspace.dataset(dataset);
    const { [NONE]: withoutRegion = 0, ...regions } = countBy(assets, 'region');
    return {
      dataset: name,
      regions: Object.entries(regions).map(([region, total]) => ({
        region,
        total,
        providers: countBy(
          assets.filter((asset) => asset.region === region),
          'provider',
        ),
      })),
      withoutRegion,
    };
  }
}
