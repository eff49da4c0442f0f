import { fileURLToPath } from 'node:url';
import {
  Arg,
  Complete,
  DocumentPolicy,
  McpLayer,
  McpService,
  Principal,
  Prompt,
  ResourceTemplate,
  Tool,
} from 'cartouche';
import { createTestClient, type TestClient } from 'cartouche/testing';

@McpService({ capabilities: ['read_state'] })
class Estate {
  /** How many assets there are. */
  @Tool({ sensitivity: 'public' })
  count_assets(): number {
    return 3;
  }

  /** Who answers for the assets. */
  @Tool({ sensitivity: 'internal' })
  asset_owner(): string {
    return 'the platform team';
  }

  /** Takes the assets out of service. */
  @Tool({ sensitivity: 'internal', capabilities: ['write_state'] })
  retire_assets(): string {
    return 'retired';
  }

  /** Takes everything out of service. */
  @Tool({ sensitivity: 'public', capabilities: [] })
  retire_everything(): string {
    return 'retired';
  }

  /** One asset. */
  @ResourceTemplate('estate://assets/{id}', { sensitivity: 'confidential' })
  asset(@Arg('id') id: string): string {
    return `asset ${id}`;
  }

  @Complete('asset', 'id')
  ids(): string[] {
    return ['7', '8'];
  }

  /** Asks for a review. */
  @Prompt({ sensitivity: 'internal' })
  review(): string {
    return 'Review the assets.';
  }
}

const policy = DocumentPolicy.load(fileURLToPath(new URL('house.yaml', import.meta.url)));
const layer = new McpLayer({ name: 'estate', version: '1.0.0', services: [Estate], policy });

const uri = 'estate://assets/7';
const ref = { type: 'ref/resource', uri: 'estate://assets/{id}' } as const;
const OPERATIONS: Readonly<Record<string, (client: TestClient) => Promise<unknown>>> = {
  asset_owner: (client) => client.call('asset_owner'),
  retire_assets: (client) => client.call('retire_assets'),
  retire_everything: (client) => client.call('retire_everything'),
  read: (client) => client.read(uri),
  prompt: (client) => client.prompt('review'),
  subscribe: (client) => client.subscribe(uri),
};

const table: Record<string, Record<string, boolean | number>> = {};
for (const role of ['anonymous', 'analyst', 'lead', 'admin']) {
  const client = createTestClient(layer, { principal: new Principal({ id: role, roles: [role] }) });
  const { values } = await client.complete(ref, { name: 'id', value: '' });
  const row: Record<string, boolean | number> = {
    'tools listed': (await client.listTools()).length,
    'values completed': values.length,
  };
  for (const [operation, run] of Object.entries(OPERATIONS)) {
    row[operation] = await run(client).then(
      () => true,
      () => false,
    );
  }
  table[role] = row;
  client.close();
}
console.table(table);

const analyst = createTestClient(layer, { principal: new Principal({ id: 'ann', roles: ['analyst'] }) });
for (let times = 0; times < 3; times++) {
  await analyst
    .call('asset_owner')
    .catch((error: unknown) => console.log((error as Error).message.replace(/\d+ s/, '… s')));
}

const lead = new Principal({ id: 'lead', roles: ['lead'] });
const retire = layer.registry.tools.get('retire_assets');
if (retire !== undefined)
  for (const { asked, found } of policy.explain(retire, lead).steps) console.log(`${asked}: ${found}`);
for (const { name, outcome, principal } of policy.decisions.slice(-2))
  console.log(`kept: ${principal}, ${name}, ${outcome}`);
await layer.close();
