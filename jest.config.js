export default {
  testEnvironment: 'node',
  // Both cores of a small machine: the default leaves one to a watcher that does not run.
  maxWorkers: '100%',
  roots: ['<rootDir>/test', '<rootDir>/sample-app'],
  testMatch: ['**/*.test.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
          preserveAllComments: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  moduleNameMapper: {
    '^#(reflect|require|require-nest|load-optional|decorators)$': '<rootDir>/src/platform/$1.cjs',
    '^cartouche$': '<rootDir>/src/index.ts',
    '^cartouche/([a-z-]+)$': '<rootDir>/src/$1.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // Long enough for a busy machine: what hangs is still found, and nothing fails for being slow.
  testTimeout: 60_000,
  modulePathIgnorePatterns: ['<rootDir>/dist'],
};
