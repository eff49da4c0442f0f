import { CHECKS } from '../support/mount/checks.js';
import { sdkV2Cases } from '../support/mount/sdk-v2.js';

const load = (specifier: string): Promise<unknown> => import(specifier);

describe.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('a server of SDK 2.x', (index) => {
  test.each(CHECKS.map((check) => [check.name, check] as const))('%s', async (_name, check) => {
    const host = (await sdkV2Cases(load, 'cjs'))[index]!;
    await check.run(host);
  });
});
