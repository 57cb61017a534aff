import { availableParallelism } from 'node:os';

/** Settings shared by both projects: TypeScript through swc, ESM, packages resolved to their sources. */
const shared = {
  // In the realm of the worker, where packages are loaded once instead of once for each file.
  testEnvironment: '<rootDir>/tests/jest/environment.mjs',
  runtime: '<rootDir>/tests/jest/runtime.mjs',
  injectGlobals: false,
  // Streams of Node wait for the next tick of the process, which is the tests' own there.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  testEnvironmentOptions: { customExportConditions: ['source', 'node'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript', explicitResourceManagement: true }, target: 'es2023' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  modulePathIgnorePatterns: ['/dist/', '/dist-test/'],
};

/** The campaign's quick scenarios and a restore: two minutes and a half, which `npm test` leaves to CI (`CI=true npm test`). */
const onlyInCi = process.env.CI === 'true' ? [] : ['<rootDir>/tests/src/faults/quick', '<rootDir>/tests/src/restore'];

export default {
  // For what hangs, in tests and hooks alike. It goes by the clock, so it has to be far beyond all limits that follow the load of the machine
  // (libs/local-infra/src/process/machine-timeout.ts); no test sets one of its own.
  testTimeout: 1_200_000,
  testSequencer: '<rootDir>/tests/sequencer.mjs',
  // What a failed start left open must not hold up CI.
  forceExit: process.env.CI === 'true',
  // Much of the time is spent waiting for servers, and some tests wait for deadlines: more than one file a core.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/cli', '<rootDir>/deploy', '<rootDir>/bench'],
      testMatch: ['**/src/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'integration',
      // One MongoDB for the run, one platform for most end-to-end suites; on compiled code, because Jest loads these two files outside its
      // own module system.
      globalSetup: '<rootDir>/tests/global-setup.mjs',
      globalTeardown: '<rootDir>/libs/testing/dist/global-teardown.js',
      roots: ['<rootDir>/libs', '<rootDir>/services', '<rootDir>/cli', '<rootDir>/deploy', '<rootDir>/tests'],
      testMatch: ['**/test/**/*.test.ts', '<rootDir>/tests/src/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...onlyInCi],
    },
  ],
};
