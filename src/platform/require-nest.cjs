// Apart from the others: a bundler follows every call of a file, and only this door's users have Nest. Not the entry point,
// which imports packages that need not be installed, and no bundler can leave them out.
exports.requireNest = () => require('@nestjs/core/helpers/context-id-factory.js');
