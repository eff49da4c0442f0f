import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedWithIt, PackedApp } from '../support/package/packed.js';

const DTO = `class Dto {}
Field({ type: 'string' })(Dto.prototype, 'name');
PartialType(Dto);`;

/** What is not there, what is imported, what is done with it, and who says so. */
const CASES: readonly (readonly [string, string, string, string, string])[] = [
  ['reflect-metadata', 'cartouche', 'McpLayer', '', 'cartouche'],
  ['tsyringe', 'cartouche', 'TsyringeContainer', 'new TsyringeContainer();', 'cartouche'],
  ['class-transformer', 'cartouche', 'Field, PartialType', DTO, 'cartouche'],
  ['class-validator', 'cartouche', 'Field, PartialType', DTO, 'cartouche'],
  ['@nestjs/core', 'cartouche/nest', 'NestContainer', '', 'cartouche/nest'],
];

describe('where a package is not installed, the error gives the command that installs it', () => {
  const packed = new PackedApp();
  const apps = [packed];

  afterAll(() => {
    for (const app of apps) app.remove();
  });

  test.each(CASES)('%s, by %s: %s', (missing, door, names, program, site) => {
    const app = new PackedApp(packed);
    apps.push(app);
    app.install(installedWithIt().filter((name) => name !== missing));
    for (const [format, load] of [
      ['mjs', `import { ${names} } from '${door}';`],
      ['cjs', `const { ${names} } = require('${door}');`],
    ] as const) {
      const file = join(app.folder, `program.${format}`);
      writeFileSync(file, `${load}\n${program}\n`);
      const { stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
      expect(stderr).toContain(
        `ConfigurationError: ${site}: '${missing}' is not installed. Run npm install ${missing}. [CT702]`,
      );
    }
  });
});
