// Runs the schema cases in a process that may not generate code, without jest: its contexts allow what the process
// forbids. Prints what is wrong, as JSON.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { transformSync } = require('@swc/core');

const root = join(__dirname, '../../..');
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, parent, ...rest) {
  if (/^#(reflect|require|load-optional)$/.test(request)) return join(root, `src/platform/${request.slice(1)}.cjs`);
  const isOurs =
    request.startsWith('.') && request.endsWith('.js') && parent && !parent.filename.includes('node_modules');
  return isOurs
    ? join(dirname(parent.filename), request.replace(/\.js$/, '.ts'))
    : resolve.call(this, request, parent, ...rest);
};
Module._extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    swcrc: false,
    configFile: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
};

const { canGenerateCode } = require(join(root, 'src/schema/base/codegen.ts'));
const { problemsOf } = require('./check-case.ts');
const { dtoCases } = require('./dto-cases.ts');
const { ownCases } = require('./own-cases.ts');

async function main() {
  const wrong = [];
  const cases = [...ownCases, ...dtoCases];
  for (const testCase of cases) {
    for (const problem of await problemsOf(testCase, true)) wrong.push(`${testCase.name}: ${problem}`);
  }
  process.stdout.write(JSON.stringify({ canGenerateCode: canGenerateCode(), cases: cases.length, wrong }));
}

void main();
