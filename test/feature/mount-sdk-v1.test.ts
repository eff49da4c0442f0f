import { CHECKS } from '../support/mount/checks.js';
import { sdkV1Cases } from '../support/mount/sdk-v1.js';

const load = (specifier: string): Promise<unknown> => import(specifier);

describe.each(['sdk 1 McpServer cjs', 'sdk 1 Server cjs'])('%s', (name) => {
  test.each(CHECKS.map((check) => [check.name, check.summary, check] as const))(
    '%s: %s',
    async (_name, _summary, check) => {
      const host = (await sdkV1Cases(load, 'cjs')).find((candidate) => candidate.name === name);
      await check.run(host!);
    },
  );
});
