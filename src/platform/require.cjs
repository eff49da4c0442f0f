exports.requireModule = require;
