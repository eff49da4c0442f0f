import { CHECKS } from '../support/mount/checks.js';
import { sdkV2Cases } from '../support/mount/sdk-v2.js';

const load = (specifier: string): Promise<unknown> => import(specifier);

const WAYS = ['connect 2025', 'createMcpHandler 2026', 'createMcpHandler 2025', 'serveStdio 2026', 'serveStdio 2025'];
const NAMES = ['McpServer', 'Server'].flatMap((kind) => WAYS.map((way) => `sdk 2 ${kind} ${way} cjs`));

describe.each(NAMES)('%s', (name) => {
  test.each(CHECKS.map((check) => [check.name, check.summary, check] as const))(
    '%s: %s',
    async (_name, _summary, check) => {
      const host = (await sdkV2Cases(load, 'cjs')).find((candidate) => candidate.name === name);
      await check.run(host!);
    },
  );
});
