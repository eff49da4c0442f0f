// CommonJS in both builds of the package: from here a package can be loaded at the moment it is needed, and bundlers
// follow calls that are written out like these, whichever format they bundle from and into.
const LOADERS = {
  '@cfworker/json-schema': () => require('@cfworker/json-schema'),
  acorn: () => require('acorn'),
  ajv: () => require('ajv'),
  'ajv-formats': () => require('ajv-formats'),
  'ajv/dist/2020': () => require('ajv/dist/2020'),
  'class-transformer': () => require('class-transformer'),
  'class-transformer/cjs/storage': () => require('class-transformer/cjs/storage'),
  // A bundler may have taken either of these for the package; Node.js itself never does.
  'class-transformer/esm5/storage': () => require('class-transformer/esm5/storage'),
  'class-transformer/esm2015/storage': () => require('class-transformer/esm2015/storage'),
  'class-validator/cjs/decorator/common/IsOptional': () => require('class-validator/cjs/decorator/common/IsOptional'),
  'lru-cache': () => require('lru-cache'),
  'redos-detector': () => require('redos-detector'),
  tsyringe: () => require('tsyringe'),
  yaml: () => require('yaml'),
};

exports.requireModule = (id) => LOADERS[id]();

let require_;

exports.isLoaded = (id) => {
  // What bundlers and test runners make of this file is not a module of Node.js: nobody can tell there what has run.
  const Module = typeof process === 'object' ? process.getBuiltinModule?.('node:module') : undefined;
  if (Module === undefined || typeof module !== 'object' || !(module instanceof Module)) return true;
  try {
    require_ ??= Module.createRequire(module.filename);
    return require_.cache[require_.resolve(id)] !== undefined;
  } catch {
    return true;
  }
};
