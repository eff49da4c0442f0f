// A server that asks, for tests to start: node test/support/register.cjs test/support/asking-server.ts '{"keys":["…"]}'
// Prints its URL as the first line.
import 'reflect-metadata';
import { IsBoolean } from 'class-validator';
import { Tool } from '../../decorators/tool.js';
import { ToolContext } from '../../src/core/context.js';
import { McpLayer } from '../../src/mcp-layer.js';

class Consent {
  @IsBoolean()
  ok!: boolean;
}

class Desk {
  /** Books in the process that is asked first, and ends in the one that gets the answer. */
  @Tool({ name: 'book' })
  async book(ctx: ToolContext): Promise<{ booked: number; answered: number; action: string }> {
    const booked = await ctx.step('book', () => process.pid);
    const { action } = await ctx.elicit('consent', Consent, { message: 'Book?' });
    return { booked, answered: process.pid, action };
  }
}

const { keys } = JSON.parse(process.argv[2] ?? '{}') as { keys?: string[] };
const layer = new McpLayer({ name: 'desk', version: '1', services: [Desk], requestState: { keys } });
void layer.serve('http', { port: 0 }).then(({ url }) => process.stdout.write(`${url}\n`));
