import { McpLayer, McpService, Tool } from 'cartouche';
import { createTestClient } from 'cartouche/testing';
import { IsInt } from 'class-validator';

class Sum {
  @IsInt()
  a!: number;
}

@McpService()
class Calculator {
  @Tool({ capabilities: ['read_state'] })
  double({ a }: Sum): number {
    return a * 2;
  }
}

async function main(): Promise<void> {
  const layer = new McpLayer({ name: 'bundled', version: '1.0.0', services: [Calculator] });
  const client = createTestClient(layer);
  const refusal = await client.call('double', { a: 'two' }).catch((error: unknown) => (error as Error).name);
  console.log(JSON.stringify({ double: await client.call('double', { a: 2 }), refusal }));
  client.close();
}

void main();
