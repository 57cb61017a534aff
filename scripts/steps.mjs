// All commands that check or change the sources, by name. `npm run check`, and therefore CI, is the list at the end.

const node = (script, ...args) => ({ command: process.execPath, args: [script, ...args] });
const tool = (name, ...args) => ({ command: `node_modules/.bin/${name}`, args });

/**
 * @typedef {object} Step
 * @property {'install' | 'gen' | 'dist' | 'build' | 'bench'} [after] what has to be done first; build by default
 * @property {readonly { command: string, args: readonly string[] }[]} run
 */

/** @type {Readonly<Record<string, Step>>} */
export const steps = {
  // Preparing is all that these do.
  gen: { after: 'gen', run: [] },
  compile: { after: 'dist', run: [] },
  build: { after: 'build', run: [] },
  'build-bench': { after: 'bench', run: [] },

  format: { after: 'install', run: [tool('prettier', '--write', '--log-level', 'warn', '.')] },
  'format-check': { after: 'install', run: [tool('prettier', '--check', '--log-level', 'warn', '.')] },
  // The types of all projects are in memory at once: more than Node uses by default.
  lint: { after: 'bench', run: [node('--max-old-space-size=6144', 'node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.')] },
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
  // Small sizes: outputs are compared, durations are not evaluated.
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
  // Reports have to be suitable for archives: checked with veraPDF, if Java is available.
  pdf: { run: [node('scripts/check-pdf.mjs')] },
  // Not part of the regular checks, because it builds skaffold.
  skaffold: { run: [node('scripts/check-skaffold.mjs')] },
  // Not part of them either, because it queries registries.
  images: { after: 'install', run: [node('scripts/check-images.mjs')] },
  // Replicas, memory and storage for a number of institutions.
  capacity: { run: [node('bench/dist/capacity/main.js')] },
  // The next version: manifests, chart, changelog.
  release: { after: 'install', run: [node('scripts/release.mjs')] },
  // The command line as an npm package.
  'pack-cli': { run: [node('scripts/pack-cli.mjs')] },
  // The licences of production packages, and their list as CycloneDX.
  notice: { after: 'install', run: [node('scripts/third-party.mjs')] },
  sbom: { after: 'install', run: [node('scripts/sbom.mjs')] },
  // The platform in a Kubernetes cluster, if one is available.
  cluster: { run: [node('tests/dist/cluster/main.js')] },
  // npm start and compose on a Docker engine, if one is available.
  docker: { run: [node('tests/dist/docker/main.js')] },
  // Fault tests take minutes; a dozen of them are part of the regular tests.
  faults: { run: [node('tests/dist/faults/main.js')] },
  // The same clients and faults for an hour, checking that certain measures do not grow.
  soak: { run: [node('tests/dist/faults/soak/main.js')] },
  // The API of a running platform against its OpenAPI document.
  api: { run: [node('tests/dist/api-check/main.js')] },
  // Generated clients are compiled, and call every operation of a running platform.
  clients: { run: [node('tests/dist/generated-clients/main.js')] },
};

/** What has to pass before the tests: stages run one after the other; the lanes of a stage in parallel, the steps of a lane one after the other. */
export const checked = [
  [['gen', 'build', 'build-bench']],
  [['lint'], ['format-check', 'docs-check', 'deps', 'pdf', 'api', 'clients']],
  [['bench-quick']],
];
