import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { withLock } from './lock.mjs';
import { environment, npm } from './node24.mjs';
import { lockfileDrift } from './lockfile.mjs';
import { endWithUs, runQuietly } from './processes.mjs';
import { Advice, withProgress } from './say.mjs';
import { content, fingerprint, hash, isDone, ROOT, setDone } from './stamps.mjs';

const SOURCES = ['libs', 'services', 'cli', 'clients', 'deploy', 'tests', 'bench'];
/** The document from which the types of the TypeScript client are generated. */
const API = 'docs/openapi.json';
const API_TYPES = 'clients/typescript/src/gen/schema.ts';
/** The compiled contracts for reflection: for each folder of `.proto` files, the output file. */
const DESCRIPTIONS = { protos: 'protos/stechuhr.binpb', 'node_modules/grpc-health-check/proto': 'protos/health.binpb' };
/** The competitors in benchmarks: a separate package, so that nothing else has to install it. */
const PEERS = 'bench/peers';
const LOCK = join(ROOT, '.cache', 'bootstrap', 'lock');

const sources = () => hash(state.gen(), fingerprint(SOURCES, /\.(ts|json)$/), content('tsconfig.base.json'), content('tsconfig.json'));

/** The state that each step depends on. */
const state = {
  install: () => locked('.'),
  gen: () => hash(state.install(), fingerprint(['protos'], /\.(proto|yaml)$/), content(API)),
  dist: sources,
  build: sources,
  peers: () => locked(PEERS),
  bench: () => hash(sources(), locked(PEERS)),
};

/** @param {string} folder */
const locked = (folder) => hash(content(join(folder, 'package-lock.json')), process.versions.modules);

/** Files that have to exist in addition to the stamp, which does not notice deletions. */
const present = {
  install: () => existsSync(installedList('.')),
  gen: () =>
    [join('libs', 'contracts', 'src', 'gen'), API_TYPES, ...Object.values(DESCRIPTIONS)].every((path) => existsSync(join(ROOT, path))),
  dist: () => projects('dist').every((path) => existsSync(join(ROOT, path, 'dist'))),
  build: () => present.dist() && projects('build').every((path) => existsSync(join(ROOT, testOutput(path)))),
  peers: () => existsSync(installedList(PEERS)),
  bench: () => existsSync(join(ROOT, PEERS, 'dist')),
};

/**
 * npm's record of what it has installed in a folder.
 * @param {string} folder
 */
const installedList = (folder) => join(ROOT, folder, 'node_modules', '.package-lock.json');

/** @param {string} path */
const testOutput = (path) => (/test$/.test(path) ? path.replace(/test$/, 'dist-test') : `${path}/dist`);

/**
 * `dist` is what runs, `build` also includes tests and benchmarks, so that a start does not depend on tests that do not compile. `bench` adds the
 * competitors of benchmarks.
 */
const STEPS = /** @type {const} */ (['install', 'gen', 'dist', 'build', 'peers', 'bench']);
/** @typedef {typeof STEPS[number]} Step */

/** @param {Step} step */
const isCurrent = (step) => present[step]() && isDone(step, state[step]());

/**
 * Completes all steps up to the given one. Takes a tenth of a second if nothing is to be done.
 * @param {Step} upTo
 * @param {{ fetchServers?: boolean, fetchTools?: boolean }} [options] whether servers, and then tools of tests, are downloaded in parallel with a
 * build
 */
export async function prepare(upTo, { fetchServers = false, fetchTools = false } = {}) {
  const wanted = STEPS.slice(0, STEPS.indexOf(upTo) + 1);
  if (wanted.every(isCurrent)) return;
  await withLock(LOCK, async () => {
    const missing = wanted.filter((step) => !isCurrent(step));
    if (fetchServers && missing.includes('dist')) await besideFetching(missing, fetchTools ? ['tools'] : []);
    else await installAndBuild(missing);
  });
}

/** @param {readonly Step[]} missing @param {() => void} [onInstalled] */
async function installAndBuild(missing, onInstalled = () => {}) {
  if (missing.includes('install')) await install('install', '.');
  onInstalled();
  if (missing.includes('gen')) await generate();
  if (missing.includes('build')) await build('build');
  else if (missing.includes('dist')) await build('dist');
  if (missing.includes('peers')) await install('peers', PEERS);
  if (missing.includes('bench')) await buildPeers();
}

/**
 * Servers that have to be built take longest, so they start before anything else. MongoDB's download requires an installed package.
 * @param {readonly Step[]} missing
 * @param {readonly string[]} tools
 */
async function besideFetching(missing, tools) {
  const fetching = [fetchNow('s3', 'nats', 'redis', ...tools)];
  try {
    await installAndBuild(missing, () => fetching.push(fetchNow('mongodb')));
    await Promise.all(fetching.map(({ done }) => done));
  } finally {
    for (const { child } of fetching) child.kill();
  }
}

/**
 * Errors are ignored here: the start that then misses the server reports them with advice.
 * @param {readonly string[]} parts
 */
function fetchNow(...parts) {
  const sources = ['--disable-warning=ExperimentalWarning', '--import', new URL('run-sources.mjs', import.meta.url).href];
  const child = spawn(process.execPath, [...sources, join(ROOT, 'libs/local-infra/src/prefetch-main.ts'), ...parts], {
    stdio: ['ignore', 2, 2],
    env: environment(),
  });
  endWithUs(child);
  const done = new Promise((resolve) => {
    child.once('error', resolve);
    child.once('close', resolve);
  });
  return { child, done };
}

/**
 * Installs the locked versions, but not with `npm ci`, which rejects a lockfile that lacks optional packages of other platforms, and not every
 * registry has all of them. The other check of `npm ci`, that lockfile and manifests match, is made here; what was installed is verified afterwards.
 * @param {'install' | 'peers'} step
 * @param {string} folder
 */
async function install(step, folder) {
  const drift = lockfileDrift(join(ROOT, folder));
  if (drift.length > 0) throw new Advice(`${drift.join('\n')}\nRun \`npm install\` in ${join(ROOT, folder)} and commit the lockfile.`);
  if (!matchesLockfile(folder)) {
    const [command, ...args] = npm(process.execPath);
    const what = step === 'install' ? 'installing packages' : 'installing the packages that the benchmarks compare with';
    await withProgress(what, () =>
      runQuietly(command, [...args, 'install', '--no-save', '--loglevel=error'], { cwd: join(ROOT, folder), env: environment() }),
    );
    if (!matchesLockfile(folder))
      throw new Advice(
        `npm installed other packages than ${join(folder, 'package-lock.json')} lists: the lockfile no longer matches package.json.`,
      );
  }
  setDone(step, state[step]());
}

/**
 * Whether node_modules already matches the lockfile, for example after a manual `npm install`.
 * @param {string} folder
 */
function matchesLockfile(folder) {
  if (!existsSync(installedList(folder))) return false;
  const installed = JSON.parse(readFileSync(installedList(folder), 'utf8')).packages;
  return Object.entries(JSON.parse(content(join(folder, 'package-lock.json'))).packages).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true;
    return (
      existsSync(join(ROOT, folder, path)) &&
      found.version === wanted.version &&
      found.integrity === wanted.integrity &&
      found.resolved === (wanted.link ? wanted.resolved : found.resolved)
    );
  });
}

async function generate() {
  const buf = join(ROOT, 'node_modules', '.bin', 'buf');
  const options = {
    cwd: join(ROOT, 'protos'),
    env: { ...environment(), PATH: `${join(ROOT, 'node_modules', '.bin')}:${environment().PATH}` },
  };
  await withProgress('generating code from protos and the OpenAPI document', async () => {
    await runQuietly(buf, ['lint'], options);
    await runQuietly(buf, ['generate'], options);
    for (const [folder, file] of Object.entries(DESCRIPTIONS)) {
      await runQuietly(buf, ['build', folder, '--output', file], { ...options, cwd: ROOT });
    }
    await runQuietly(join(ROOT, 'node_modules', '.bin', 'openapi-typescript'), [API, '--output', API_TYPES], { ...options, cwd: ROOT });
  });
  setDone('gen', state.gen());
}

/** @param {'dist' | 'build'} step */
async function build(step) {
  const built = state[step]();
  await withProgress('building', () => tsc(...(step === 'dist' ? projects('dist') : ['.'])));
  if (!present[step]()) throw new Advice('The build left out a project. Run `npm run clean` and try again.');
  setDone('dist', built);
  if (step === 'build') setDone('build', built);
}

async function buildPeers() {
  const built = state.bench();
  await withProgress('building the benchmarks', () => tsc(PEERS));
  setDone('bench', built);
}

/** @param {readonly string[]} paths */
const tsc = (...paths) => runQuietly(process.execPath, [join(ROOT, 'node_modules/typescript-7/bin/tsc'), '-b', ...paths], { cwd: ROOT });

/**
 * The projects in the root configuration: those that run, or those of tests and benchmarks only.
 * @param {'dist' | 'build'} step
 * @returns {string[]}
 */
function projects(step) {
  const { references } = JSON.parse(content('tsconfig.json'));
  const paths = references.map(/** @param {{ path: string }} reference */ ({ path }) => path);
  return paths.filter(/** @param {string} path */ (path) => /(^tests|^bench|\/test)$/.test(path) === (step === 'build'));
}
