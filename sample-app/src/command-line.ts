import { parseArgs } from 'node:util';
import { DATASET_NAME_RULE, isDatasetName } from './dataset-name.js';
import type { EstateOptions } from './layer.js';

/** What the command line asks for. */
export interface Command {
  readonly mode: 'help' | 'stdio' | 'http' | 'show';
  readonly host: string;
  /** Where it was left out, 3000 for whoever stays, and any free one for a moment's show. */
  readonly port: number | undefined;
  readonly estate: EstateOptions;
}

/** What `--help` prints. */
export const USAGE = `Usage: npm run sample -- [options]

Answers questions about a cloud estate from Terraform or OpenTofu state.
Without --stdio or --http it serves on HTTP, shows what an agent sees there, and goes
on serving while a terminal is attached.

  --stdio               serve on standard input and output
  --http                serve on HTTP at /mcp until it is stopped
  --host HOST           address to listen on (default 127.0.0.1)
  --port PORT           port to listen on (default 3000; 0: any free one)
  --state [NAME=]FILE   load a state file as dataset NAME; may be repeated, the last
                        one is active (default: an invented estate, as "demo")
  --roots DIR           let agents load state files from DIR; may be repeated
  --help                print this
`;

const OPTIONS = {
  stdio: { type: 'boolean', default: false },
  http: { type: 'boolean', default: false },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string' },
  state: { type: 'string', multiple: true },
  roots: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads the command line.
 * @throws {Error} When an option is not known or not well formed; the message is one line.
 */
export function readCommand(args: readonly string[]): Command {
  const values = parse(args);
  if (values.stdio && values.http) throw new Error('--stdio and --http exclude each other.');
  const { port } = values;
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
    throw new Error('--port must be a number from 0 to 65535.');
  }
  // An empty one would be the directory that the server was started in.
  if (values.roots?.includes('')) throw new Error('--roots names no directory.');
  return {
    mode: values.help ? 'help' : values.stdio ? 'stdio' : values.http ? 'http' : 'show',
    host: values.host,
    port: port === undefined ? undefined : Number(port),
    estate: { states: values.state?.map(readState), roots: values.roots },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    // Some of Node's messages go on for lines.
    throw new Error((error as Error).message.split('\n', 1)[0]);
  }
}

function readState(option: string): { name?: string; path: string } {
  // A name has no slash: ./a=b and /tmp/a=b are files.
  const [, name, path = option] = /^([^/\\=]*)=(.*)$/s.exec(option) ?? [];
  if (path === '') throw new Error(`--state ${option}: names no file.`);
  if (name !== undefined && !isDatasetName(name)) {
    throw new Error(
      `--state ${option}: the name ${DATASET_NAME_RULE}. For a file that is called so, write ./${option}`,
    );
  }
  return name === undefined ? { path } : { name, path };
}
