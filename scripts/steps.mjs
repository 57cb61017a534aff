// Every command that looks at or changes the sources, by name. `npm run check`, and so CI, is the list at the end.

const node = (script, ...args) => ({ command: process.execPath, args: [script, ...args] });
const tool = (name, ...args) => ({ command: `node_modules/.bin/${name}`, args });

/**
 * @typedef {object} Step
 * @property {'install' | 'gen' | 'dist' | 'build' | 'bench'} [after] what has to be done first; build by default
 * @property {readonly { command: string, args: readonly string[] }[]} run
 */

/** @type {Readonly<Record<string, Step>>} */
export const steps = {
  // Preparing is what these do.
  gen: { after: 'gen', run: [] },
  compile: { after: 'dist', run: [] },
  build: { after: 'build', run: [] },
  'build-bench': { after: 'bench', run: [] },

  format: { after: 'install', run: [tool('prettier', '--write', '--log-level', 'warn', '.')] },
  'format-check': { after: 'install', run: [tool('prettier', '--check', '--log-level', 'warn', '.')] },
  // All projects' types are in memory at once: more than Node takes by default.
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
  // Smoke sizes: outputs are compared, times are not evaluated.
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
  // Reports are for archives: judged by veraPDF, where Java is there.
  pdf: { run: [node('scripts/check-pdf.mjs')] },
  // Not among those that are checked always: it builds skaffold.
  skaffold: { run: [node('scripts/check-skaffold.mjs')] },
  // Not among them either: it asks the registries.
  images: { after: 'install', run: [node('scripts/check-images.mjs')] },
  // Replicas, memory and storage for a number of institutions.
  capacity: { run: [node('bench/dist/capacity/main.js')] },
  // The next version: manifests, chart, changelog.
  release: { after: 'install', run: [node('scripts/release.mjs')] },
  // The command line as an npm package.
  'pack-cli': { run: [node('scripts/pack-cli.mjs')] },
  // What production is made of: the licences, and as CycloneDX.
  notice: { after: 'install', run: [node('scripts/third-party.mjs')] },
  sbom: { after: 'install', run: [node('scripts/sbom.mjs')] },
  // The platform in a Kubernetes cluster, where one can be had.
  cluster: { run: [node('tests/dist/cluster/main.js')] },
  // npm start and compose on a Docker engine, where one can be had.
  docker: { run: [node('tests/dist/docker/main.js')] },
  // Faults while clients work: minutes; a dozen of them are among the tests.
  faults: { run: [node('tests/dist/faults/main.js')] },
  // The same clients and faults for an hour, while it is measured what has to be flat.
  soak: { run: [node('tests/dist/faults/soak/main.js')] },
  // The API of a running platform against its own description.
  api: { run: [node('tests/dist/api-check/main.js')] },
  // Generated clients compile, and call every operation of a running platform.
  clients: { run: [node('tests/dist/generated-clients/main.js')] },
};

/**
 * What has to be green before the tests: stages run one after the other; the lanes of a stage in parallel, the steps of a lane one after
 * the other.
 */
export const checked = [
  [['gen', 'build', 'build-bench']],
  [['lint'], ['format-check', 'docs-check', 'deps', 'pdf', 'api', 'clients']],
  [['bench-quick']],
];
