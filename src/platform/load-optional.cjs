// The CommonJS copy of a package, as the rest of a CommonJS program has it. Named by a variable, and not by `require`
// itself, so that no bundler looks for a package that need not be there.
exports.loadOptional = async (name) => {
  if (typeof __filename !== 'string') return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  const { createRequire } = require('node:module');
  return createRequire(__filename)(name);
};
