import { CHECKS } from '../support/mount/checks.js';
import { sdkV1Cases } from '../support/mount/sdk-v1.js';

const load = (specifier: string): Promise<unknown> => import(specifier);

describe.each([0, 1])('a server of SDK 1.x', (index) => {
  test.each(CHECKS.map((check) => [check.name, check] as const))('%s', async (_name, check) => {
    const host = (await sdkV1Cases(load, 'cjs'))[index]!;
    await check.run(host);
  });
});
