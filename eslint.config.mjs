import tseslint from 'typescript-eslint';

/** Names of generated packages may not be imported from the contracts; see docs/adr/0026-where-wire-types-may-be-used.md. */
const noWireTypes = (allowed) => ({
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        {
          group: ['@stechuhr/contracts'],
          importNamePattern: `^(?!(${allowed})$)[a-z][A-Za-z]*V[0-9]+$`,
          message: 'Generated types are mapped in grpc/ and in the clients of other services (ADR 26).',
        },
      ],
    },
  ],
});

/** Sizes that fail (CONTRIBUTING.md, Budgets). */
const budgets = (fileLines, functionLines) => ({
  'max-lines': ['error', { max: fileLines, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: functionLines, skipBlankLines: true, skipComments: true }],
});

/** Tests and hooks whose last argument is a limit of their own, which goes by the clock (CONTRIBUTING.md, Tests). */
const OWN_LIMITS = [
  'CallExpression[callee.name=/^it([A-Z]|$)/][arguments.length>2]',
  'CallExpression[callee.callee.property.name="each"][arguments.length>2]',
  'CallExpression[callee.name=/^(before|after)(All|Each)$/][arguments.length>1]',
  'CallExpression[callee.object.name="jest"][callee.property.name="setTimeout"]',
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/dist-test/**', '**/node_modules/**', '.cache/**', '**/src/gen/**', 'scripts/boundaries-fixture/**'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.base],
    languageOptions: { parserOptions: { project: 'tsconfig.lint.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      eqeqeq: 'error',
      'max-params': ['error', 4],
      complexity: ['error', 15],
      'no-console': 'error',
      // The environment is read in one place of a process, so that every setting is validated and documented there.
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Read settings in config.ts.' }],
      ...budgets(350, 60),
    },
  },
  // The client has other types than the rest, because it is written for browsers too; the peers of the bench have packages of their own.
  ...['clients/typescript', 'bench/peers'].map((folder) => ({
    files: [`${folder}/**/*.ts`],
    languageOptions: { parserOptions: { project: `${folder}/tsconfig.json` } },
  })),
  { files: ['libs/**/src/**/*.ts'], ignores: ['**/*.test.ts'], rules: { '@typescript-eslint/explicit-module-boundary-types': 'error' } },
  { files: ['services/**/*.ts'], rules: budgets(300, 60) },
  {
    files: ['services/*/src/{domain,store}/**/*.ts'],
    // What records reads in bulk goes from stored bytes to encoded messages (ADR 20).
    ignores: ['services/records/src/store/wire/**', 'services/records/src/store/find-owned.ts'],
    rules: noWireTypes('none'),
  },
  {
    files: ['services/*/src/operations/**/*.ts'],
    // The service exports passes the tasks of the service tasks on as they are.
    ignores: ['services/exports/src/operations/ports.ts'],
    rules: noWireTypes('commonV1'),
  },
  {
    files: ['**/*.test.ts', '**/test/**/*.ts', 'tests/**/*.ts', 'libs/testing/**/*.ts'],
    rules: {
      ...budgets(600, 200),
      'no-restricted-properties': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: `:matches(${OWN_LIMITS.join(', ')})`,
          message: 'A busy machine exceeds it. Limits of waitFor and machineTimeout follow the load.',
        },
      ],
    },
  },
  {
    files: ['**/config.ts', 'libs/service/src/telemetry*.ts', 'libs/local-infra/**/*.ts', 'deploy/local/**/*.ts', 'cli/**/*.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  { files: ['cli/**/*.ts', 'deploy/local/**/*.ts', 'libs/local-infra/**/*.ts', 'bench/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: ['bench/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
);
