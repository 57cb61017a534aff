// All commands that check or change the sources, by name. `npm run check`, which CI runs too, executes the list at the end.

const node = (script, ...args) => ({ command: process.execPath, args: [script, ...args] });
const LARGE_HEAP = ['--initial-old-space-size=2048', '--max-old-space-size=6144'];
const tool = (name, ...args) => ({ command: `node_modules/.bin/${name}`, args });

/**
 * @typedef {object} Step
 * @property {'install' | 'gen' | 'dist' | 'build' | 'bench'} [after] the preparation step that has to be completed first; `build` by
 * default
 * @property {readonly { command: string, args: readonly string[] }[]} run
 */

/** @type {Readonly<Record<string, Step>>} */
export const steps = {
  // These steps consist of their preparation only.
  gen: { after: 'gen', run: [] },
  compile: { after: 'dist', run: [] },
  build: { after: 'build', run: [] },
  'build-bench': { after: 'bench', run: [] },

  format: { after: 'install', run: [tool('prettier', '--write', '--log-level', 'warn', '.')] },
  'format-check': { after: 'install', run: [tool('prettier', '--check', '--log-level', 'warn', '.')] },
  // The types of all projects are in memory at once, which needs more than Node's default limit. Most of them stay until the end, so a
  // collection before the heap is large only costs time.
  lint: { after: 'bench', run: [node(...LARGE_HEAP, 'node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.')] },
  deps: { after: 'bench', run: [node('scripts/check-boundaries.mjs'), node('scripts/check-references.mjs'), tool('knip')] },
  docs: {
    run: [
      node('scripts/events-doc.mjs'),
      node('scripts/chart-files.mjs'),
      node('scripts/dashboards.mjs'),
      node('scripts/record-docs.mjs'),
      node('scripts/asyncapi.mjs'),
      node('scripts/openapi.mjs'),
      node('scripts/adr-index.mjs'),
    ],
  },
  // Runs with small inputs: outputs are compared, but times are not evaluated.
  'bench-quick': { after: 'bench', run: [node('bench/dist/main.js', '--quick')] },
  'docs-check': {
    run: [
      node('scripts/events-doc.mjs', '--check'),
      node('scripts/chart-files.mjs', '--check'),
      node('scripts/dashboards.mjs', '--check'),
      node('scripts/record-docs.mjs', '--check'),
      node('scripts/asyncapi.mjs', '--check'),
      node('scripts/openapi.mjs', '--check'),
      node('scripts/check-openapi.mjs'),
      node('scripts/adr-index.mjs', '--check'),
      node('scripts/check-docs.mjs'),
      node('scripts/check-images.mjs', '--offline'),
      node('scripts/third-party.mjs', '--check'),
      node('scripts/sbom.mjs', '--check'),
    ],
  },
  // Validates reports as PDF/A with veraPDF, if Java is available.
  pdf: { run: [node('scripts/check-pdf.mjs')] },
  // Not part of `npm run check`, because it builds skaffold.
  skaffold: { run: [node('scripts/check-skaffold.mjs')] },
  // Not part of `npm run check`, because it sends requests to the registries.
  images: { run: [node('scripts/check-images.mjs')] },
  // Estimates replicas, memory and storage for a number of institutions.
  capacity: { run: [node('bench/dist/capacity/main.js')] },
  // Sets the version in manifests, chart and changelog.
  release: { after: 'install', run: [node('scripts/release.mjs')] },
  // Packs the command line as an npm package.
  'pack-cli': { run: [node('scripts/pack-cli.mjs')] },
  // List the packages in production: with their licences, and as a CycloneDX document.
  notice: { after: 'install', run: [node('scripts/third-party.mjs')] },
  sbom: { after: 'install', run: [node('scripts/sbom.mjs')] },
  // Tests the platform in a Kubernetes cluster, if one is available.
  cluster: { run: [node('tests/dist/cluster/main.js')] },
  // Runs the tests of stores on a second implementation of MongoDB, which takes many times as long as on the stand-in.
  mongodb: { run: [node('scripts/check-mongodb.mjs')] },
  // Of these, the contract that the stand-in has to fulfil.
  'mongodb-contract': { run: [node('scripts/check-mongodb.mjs', 'libs/local-infra/test/mongo-contract')] },
  // Tests npm start and Compose with a Docker engine, if one is available.
  docker: { run: [node('tests/dist/docker/main.js')] },
  // Injects faults while clients work, which takes minutes. A dozen of the faults are also part of the tests.
  faults: { run: [node('tests/dist/faults/main.js')] },
  // Runs the same clients and faults for an hour, and measures quantities that must not grow.
  soak: { run: [node('tests/dist/faults/soak/main.js')] },
  // Tests the API of a running platform against its OpenAPI document.
  api: { run: [node('tests/dist/api-check/main.js')] },
  // Checks that generated clients compile, and that they can call every operation of a running platform.
  clients: { run: [node('tests/dist/generated-clients/main.js')] },
};

/**
 * Checks that have to pass before the tests. Stages run sequentially, the lanes of a stage in parallel, and the steps of a lane
 * sequentially.
 */
export const checkStages = [
  [['gen', 'build', 'build-bench']],
  // Each lane takes minutes and leaves a core idle now and then. No step depends on the speed of the machine.
  [['lint'], ['format-check', 'docs-check', 'deps', 'pdf', 'api', 'clients'], ['bench-quick', 'mongodb-contract']],
];
