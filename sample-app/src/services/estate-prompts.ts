import {
  Complete,
  EmbeddedResource,
  McpService,
  Prompt,
  PromptMessage,
  PromptResult,
  TextResourceContents,
} from 'cartouche';
import { Workspace } from '../workspace.js';
import { GapArguments, InvestigateArguments } from './arguments.js';
import { assetDetail, assetUri, datasetSummary, summaryUri } from './views.js';

const FRAMEWORKS = ['CIS-AWS', 'CIS-Azure', 'CIS-GCP', 'ISO-27001', 'NIST-800-53', 'PCI-DSS', 'SOC-2'];

/** Ways to work with the estate that people start from. */
@McpService({ category: 'prompts', tags: ['workflow'], sensitivity: 'internal', capabilities: ['read_state'] })
export class EstatePrompts {
  constructor(private readonly workspace: Workspace) {}

  /** Failing controls, responsible assets and a remediation backlog for one framework. */
  @Prompt({ title: 'Compliance gap analysis' })
  complianceGapAnalysis({ framework, dataset }: GapArguments): PromptResult {
    const source = this.workspace.dataset(dataset);
    return new PromptResult(
      [
        PromptMessage.user(
          `Check the cloud estate "${source.name}" against ${framework}.\n` +
            '1. Choose the controls that can be judged from infrastructure state: encryption, exposure, backup, logging, ' +
            'key rotation, transport security.\n' +
            '2. For each, look for assets with find_assets and read their settings with get_asset. Do not guess what the ' +
            'state does not say; list it as not assessable.\n' +
            '3. Answer with a table of control, verdict, assets by address and evidence, then a backlog: what to change ' +
            'first, and which other assets depend on it (estate://assets/{ref}/neighbors).',
        ),
        PromptMessage.user(embed(summaryUri(source.name), datasetSummary(this.workspace, source))),
      ],
      { description: `${framework} gap analysis of ${source.name}` },
    );
  }

  /** One asset: what it is, what it touches, and what is unusual about it. */
  @Prompt({ title: 'Investigate an asset' })
  investigateAsset({ ref, dataset, question }: InvestigateArguments): PromptResult {
    const source = this.workspace.dataset(dataset);
    const asset = source.resolve(ref);
    return new PromptResult([
      PromptMessage.user(
        `Investigate ${asset.address} in the cloud estate "${source.name}". ` +
          `${question || 'Say what is unusual or risky about it.'} ` +
          'Follow its dependencies in both directions with get_asset, and name the assets that a change would affect.',
      ),
      PromptMessage.user(embed(assetUri(asset), assetDetail(source, asset))),
    ]);
  }

  @Complete('complianceGapAnalysis', 'framework')
  completeFramework(partial: string): string[] {
    return FRAMEWORKS.filter((name) => name.toLowerCase().startsWith(partial.toLowerCase()));
  }

  @Complete('investigateAsset', 'ref')
  completeRef(partial: string): string[] {
    return this.workspace.referencesLike(partial);
  }

  @Complete('complianceGapAnalysis', 'dataset')
  @Complete('investigateAsset', 'dataset')
  completeDataset(partial: string): string[] {
    return this.workspace.datasetsLike(partial);
  }
}

function embed(uri: string, value: object): EmbeddedResource {
  return new EmbeddedResource(new TextResourceContents(uri, JSON.stringify(value), { mimeType: 'application/json' }));
}
