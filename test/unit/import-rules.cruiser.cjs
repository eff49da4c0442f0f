/**
 * Which way imports run. Each room may import itself and what its row names; the test beside this file also plants a
 * forbidden import to see that the rules bite.
 */
const rooms = {
  '^src/platform': [],
  '^src/core': ['^src/platform'],
  '^decorators': ['^src/core'],
  '^providers': ['^src/core', '^src/platform'],
  '^src/schema': ['^src/core', '^src/platform'],
  '^src/transforms': ['^src/core'],
  '^src/policy': ['^src/core', '^src/transforms'],
  '^src/middleware': ['^src/core', '^src/platform'],
  '^src/asking': ['^src/core', '^src/schema', '^src/registry'],
  '^src/registry': ['^src/core', '^src/schema'],
  '^src/layer': [
    '^src/core',
    '^src/schema',
    '^src/registry',
    '^src/asking',
    '^src/middleware',
    '^src/policy',
    '^src/transforms',
    '^providers',
  ],
  '^src/native': ['^src/core', '^src/schema', '^src/registry', '^src/asking', '^src/layer'],
  '^src/adapters': [
    '^src/core',
    '^src/schema',
    '^src/registry',
    '^src/asking',
    '^src/layer',
    '^src/native',
    '^src/platform',
  ],
};

const roomRules = Object.entries(rooms).map(([room, allowed]) => ({
  name: `imports of ${room.slice(1)}`,
  severity: 'error',
  from: { path: `${room}/` },
  to: {
    path: '^(src|decorators|providers|sample-app|test|bench)/',
    pathNot: [room, ...allowed].map((path) => (path.endsWith('$') ? path : `${path}/`)),
  },
}));

/** Packages that only the one file named here may use; `src/platform` is where loading them is written out for bundlers. */
const onlyIn = (packages, path) => ({
  name: `${packages} outside ${path}`,
  severity: 'error',
  from: {
    path: '^(src|decorators|providers)/',
    pathNot: [path, '^src/platform/(reflect|require(-nest)?|decorators)\\.(cjs|d\\.cts)$'],
  },
  to: { path: `node_modules/(${packages})/` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...roomRules,
    { name: 'no cycles, of types too', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nobody inside imports the door',
      severity: 'error',
      from: { path: '^(src|decorators|providers)/' },
      to: { path: '^src/index\\.ts$' },
    },
    {
      name: 'the sample imports the package by its name only',
      severity: 'error',
      from: { path: '^sample-app/src/' },
      to: { path: '^(src|decorators|providers|test|bench)/', dependencyTypesNot: ['aliased-tsconfig-paths'] },
    },
    onlyIn('reflect-metadata', '^src/core/metadata\\.ts$'),
    onlyIn('tsyringe', '^providers/tsyringe(-dependencies|-parent)?\\.ts$'),
    onlyIn('class-validator|class-transformer', '^src/(schema/read/(validator|transformer)-metadata|dto)\\.ts$'),
    onlyIn('@nestjs', '^(providers|src)/nest\\.ts$'),
    onlyIn('fastmcp', '^src/fastmcp\\.ts$'),
    {
      name: 'the door never loads an optional peer',
      severity: 'error',
      from: {
        path: '^(src|decorators|providers)/',
        pathNot: '^(src/fastmcp|src/nest|providers/nest|src/adapters/|src/platform/require-nest)',
      },
      to: { path: 'node_modules/(@modelcontextprotocol|fastmcp|@nestjs|express|ioredis|zod)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
