import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { withLock } from './lock.mjs';
import { environment, npm } from './node24.mjs';
import { lockfileDrift, workspaces } from './lockfile.mjs';
import { stopWithScript, runQuietly } from './processes.mjs';
import { Advice, withProgress } from './say.mjs';
import { content, fingerprint, hash, isDone, ROOT, setDone } from './stamps.mjs';

const SOURCES = ['libs', 'services', 'cli', 'clients', 'deploy', 'tests', 'bench'];
/** The types of the TypeScript client are generated from this document. */
const API = 'docs/openapi.json';
const API_TYPES = 'clients/typescript/src/gen/schema.ts';
/** Compiled descriptors that gRPC reflection serves: the output file for each folder of `.proto` files. */
const DESCRIPTIONS = { protos: 'protos/stechuhr.binpb', 'node_modules/grpc-health-check/proto': 'protos/health.binpb' };
/** Libraries that the benchmarks compare with. They are a separate package, so that only benchmarks have to install them. */
const PEERS = 'bench/peers';
const LOCK = join(ROOT, '.cache', 'bootstrap', 'lock');

const sources = () => hash(state.gen(), fingerprint(SOURCES, /\.(ts|json)$/), content('tsconfig.base.json'), content('tsconfig.json'));

/** Computes a hash of everything that each step depends on. */
const state = {
  install: () => locked('.'),
  gen: () => hash(state.install(), fingerprint(['protos'], /\.(proto|yaml)$/), content(API)),
  dist: sources,
  build: sources,
  peers: () => locked(PEERS),
  bench: () => hash(sources(), locked(PEERS)),
};

/** Includes the manifests, so that one which the lockfile does not match is reported before the compiler misses a package. @param {string} folder */
function locked(folder) {
  const manifests = ['', ...workspaces(join(ROOT, folder))].map((path) => content(join(folder, path, 'package.json')));
  return hash(content(join(folder, 'package-lock.json')), ...manifests, process.versions.modules);
}

/** Checks that the output of each step exists: a stamp does not reveal that output was deleted. */
const present = {
  install: () => existsSync(installedList('.')),
  gen: () =>
    [join('libs', 'contracts', 'src', 'gen'), API_TYPES, ...Object.values(DESCRIPTIONS)].every((path) => existsSync(join(ROOT, path))),
  dist: () => projects('dist').every((path) => existsSync(join(ROOT, path, 'dist'))),
  build: () => present.dist() && projects('build').every((path) => existsSync(join(ROOT, testOutput(path)))),
  peers: () => existsSync(installedList(PEERS)),
  bench: () => existsSync(join(ROOT, PEERS, 'dist')),
};

/** The file in which npm records the packages that it has installed. @param {string} folder */
const installedList = (folder) => join(ROOT, folder, 'node_modules', '.package-lock.json');

/** @param {string} path */
const testOutput = (path) => (/test$/.test(path) ? path.replace(/test$/, 'dist-test') : `${path}/dist`);

/**
 * `dist` builds what runs; `build` also builds tests and benchmarks, so that an unfinished test does not prevent a start. `bench` adds the
 * libraries that benchmarks compare with.
 */
const STEPS = /** @type {const} */ (['install', 'gen', 'dist', 'build', 'peers', 'bench']);
/** @typedef {typeof STEPS[number]} Step */

/** @param {Step} step */
const isCurrent = (step) => present[step]() && isDone(step, state[step]());

/**
 * Runs all outdated steps up to the given one. Takes a tenth of a second if none is outdated.
 * @param {Step} upTo
 * @param {{ fetchServers?: boolean, fetchTools?: boolean }} [options] whether servers, and with them tools of the tests, are fetched while
 *   the packages are installed and the code is built
 */
export async function prepare(upTo, { fetchServers = false, fetchTools = false } = {}) {
  const wanted = STEPS.slice(0, STEPS.indexOf(upTo) + 1);
  if (wanted.every(isCurrent)) return;
  await withLock(LOCK, async () => {
    const missing = wanted.filter((step) => !isCurrent(step));
    if (fetchServers && missing.includes('dist')) await installWhileFetching(missing, fetchTools ? ['tools'] : []);
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
 * Installs and builds while servers are fetched. Fetching starts first, because servers that have to be built take longest; only MongoDB's
 * download needs an installed package and starts later.
 * @param {readonly Step[]} missing
 * @param {readonly string[]} tools
 */
async function installWhileFetching(missing, tools) {
  const fetching = [startFetching('s3', 'nats', 'redis', ...tools)];
  try {
    await installAndBuild(missing, () => fetching.push(startFetching('mongodb')));
    await Promise.all(fetching.map(({ done }) => done));
  } finally {
    for (const { child } of fetching) child.kill();
  }
}

/**
 * Starts fetching. A failure is ignored here: the command that needs the server reports it, with advice.
 * @param {readonly string[]} parts
 */
function startFetching(...parts) {
  const sources = ['--disable-warning=ExperimentalWarning', '--import', new URL('run-sources.mjs', import.meta.url).href];
  const child = spawn(process.execPath, [...sources, join(ROOT, 'libs/local-infra/src/prefetch-main.ts'), ...parts], {
    stdio: ['ignore', 2, 2],
    env: environment(),
  });
  stopWithScript(child);
  const done = new Promise((resolve) => {
    child.once('error', resolve);
    child.once('close', resolve);
  });
  return { child, done };
}

/**
 * Installs the locked packages. `npm ci` cannot be used: it rejects a lockfile that lacks optional packages of other platforms, and not
 * every registry serves all of them. Its other checks are made here: that the lockfile matches the manifests before, and the installed
 * packages match the lockfile afterwards.
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

/** Whether node_modules already matches the lockfile, for example after a manual `npm install`. @param {string} folder */
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
 * Returns the projects of the root tsconfig.json: for `dist` those that run, for `build` only those of tests and benchmarks.
 * @param {'dist' | 'build'} step
 * @returns {string[]}
 */
function projects(step) {
  const { references } = JSON.parse(content('tsconfig.json'));
  const paths = references.map(/** @param {{ path: string }} reference */ ({ path }) => path);
  return paths.filter(/** @param {string} path */ (path) => /(^tests|^bench|\/test)$/.test(path) === (step === 'build'));
}
