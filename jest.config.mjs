// One configuration for every package and service. Tests import the TypeScript sources, not the build.
//
// Three projects, told apart by where a test lies: `pnpm jest --selectProjects unit`. Only the last two are offered
// PostgreSQL and RabbitMQ, which are started when a test first asks for them (packages/testkit).
const shared = {
  testEnvironment: 'node',
  roots: ['<rootDir>/packages', '<rootDir>/services', '<rootDir>/e2e', '<rootDir>/bench', '<rootDir>/tools'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/assembly/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  setupFiles: [
    '<rootDir>/packages/testkit/jest/property-seed.mjs',
    '<rootDir>/packages/testkit/jest/real-signals.mjs',
    '<rootDir>/packages/testkit/jest/end-with-parent.mjs',
  ],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@tally/(jobs|results)/testing$': '<rootDir>/services/$1/testing/start.ts',
    '^@tally/merge/readings$': '<rootDir>/packages/merge/src/readings/index.ts',
    '^@tally/([a-z-]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^@tally/(client|launcher|service-kit|simulators)/([a-z/-]+)$': '<rootDir>/packages/$1/src/$2.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' }, experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

const withInfrastructure = {
  ...shared,
  globalSetup: '<rootDir>/packages/testkit/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/testkit/jest/global-teardown.mjs',
};

/** With the messages of the previous release, where tools/check-previous.mjs asks for it. */
const previousContracts =
  process.env.TEST_PREVIOUS_CONTRACTS === undefined
    ? {}
    : { setupFiles: [...shared.setupFiles, '<rootDir>/packages/testkit/jest/previous-contracts.mjs'] };

export default {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.test.{ts,mjs}', '!**/*.contract.test.ts', '!**/*.e2e.test.ts'],
    },
    { ...withInfrastructure, ...previousContracts, displayName: 'contract', testMatch: ['**/*.contract.test.ts'] },
    { ...withInfrastructure, displayName: 'e2e', testMatch: ['**/*.e2e.test.ts'] },
  ],
  // hooks start servers and services, and tests wait for several conditions (a minute each): a machine may be busy
  testTimeout: 240_000,
  workerIdleMemoryLimit: '768MB',
  maxWorkers: 2,
};
