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
  'class-validator': () => require('class-validator'),
  'lru-cache': () => require('lru-cache'),
  'reflect-metadata': () => require('reflect-metadata'),
  tsyringe: () => require('tsyringe'),
};

exports.requireModule = (id) => LOADERS[id]();
