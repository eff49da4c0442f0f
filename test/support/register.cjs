// Compiles TypeScript when it is required, for servers that tests start as processes.
const { existsSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  if (request.startsWith('.') && request.endsWith('.js') && parent?.filename?.endsWith('.ts')) {
    const source = path.resolve(path.dirname(parent.filename), request.slice(0, -3) + '.ts');
    if (existsSync(source)) return source;
  }
  if (/^#(reflect|require-nest|require|load-optional|decorators)$/.test(request)) {
    return path.resolve(__dirname, `../../src/platform/${request.slice(1)}.cjs`);
  }
  return resolve.call(this, request, parent, ...rest);
};

Module._extensions['.ts'] = function (module, filename) {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    configFile: false,
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      preserveAllComments: true,
    },
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
};

// As a main program: node ./test/support/register.cjs file.ts [arguments of it]
if (require.main === module) require(path.resolve(process.argv.splice(2, 1)[0]));
