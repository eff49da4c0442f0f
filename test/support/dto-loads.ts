// Builds a server whose only DTO class comes from the light door, and prints what that loaded.
import { IsEmail, IsInt, IsString } from '../../src/dto.js';
import { McpLayer } from '../../src/mcp-layer.js';
import { Registry } from '../../src/registry/registry.js';

class Say {
  @IsString()
  @IsEmail()
  to!: string;

  @IsInt()
  times!: number;
}

const registry = new Registry();
registry.tool({ name: 'say', description: 'Says something.', capabilities: [], input: Say }, () => 'said');
const layer = new McpLayer({ name: 'loads', version: '1.0.0', registry });
const tools = layer.toolsWire().map(({ name }) => name);
const loaded = Object.keys(require.cache);
const validators = loaded.flatMap((file) => /\/node_modules\/validator\/lib\/(is\w+)\.js$/.exec(file)?.[1] ?? []);
console.log(
  JSON.stringify({
    tools,
    whole: loaded.filter((file) => /\/class-(validator|transformer)\/cjs\/index\.js$/.test(file)),
    phoneNumbers: loaded.some((file) => file.includes('/libphonenumber-js/')),
    validators,
  }),
);
