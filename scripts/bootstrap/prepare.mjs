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
/** What the types of the TypeScript client are made of. */
const API = 'docs/openapi.json';
const API_TYPES = 'clients/typescript/src/gen/schema.ts';
/** What reflection answers, as the compiler describes it: of each folder of `.proto` files the file that it is compiled into. */
const DESCRIPTIONS = { protos: 'protos/stechuhr.binpb', 'node_modules/grpc-health-check/proto': 'protos/health.binpb' };
/** The peers of the benchmarks: a separate package, so that nothing else has to install it. */
const PEERS = 'bench/peers';
const LOCK = join(ROOT, '.cache', 'bootstrap', 'lock');

const sources = () => hash(state.gen(), fingerprint(SOURCES, /\.(ts|json)$/), content('tsconfig.base.json'), content('tsconfig.json'));

/** What each step depends on. */
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

/** What has to exist in addition to the stamp, which does not notice deletions. */
const present = {
  install: () => existsSync(installedList('.')),
  gen: () =>
    [join('libs', 'contracts', 'src', 'gen'), API_TYPES, ...Object.values(DESCRIPTIONS)].every((path) => existsSync(join(ROOT, path))),
  dist: () => projects('dist').every((path) => existsSync(join(ROOT, path, 'dist'))),
  build: () => present.dist() && projects('build').every((path) => existsSync(join(ROOT, testOutput(path)))),
  peers: () => existsSync(installedList(PEERS)),
  bench: () => existsSync(join(ROOT, PEERS, 'dist')),
};

/** What npm notes of a folder that it has installed. @param {string} folder */
const installedList = (folder) => join(ROOT, folder, 'node_modules', '.package-lock.json');

/** @param {string} path */
const testOutput = (path) => (/test$/.test(path) ? path.replace(/test$/, 'dist-test') : `${path}/dist`);

/** `dist` is what runs, `build` also tests and benchmarks: one in the making stops no start. `bench` adds what benchmarks compare with. */
const STEPS = /** @type {const} */ (['install', 'gen', 'dist', 'build', 'peers', 'bench']);
/** @typedef {typeof STEPS[number]} Step */

/** @param {Step} step */
const isCurrent = (step) => present[step]() && isDone(step, state[step]());

/**
 * Brings the checkout up to a step. Costs a tenth of a second when it is.
 * @param {Step} upTo
 * @param {{ fetchServers?: boolean, fetchTools?: boolean }} [options] whether servers, and then tools of tests, should be fetched beside a
 *   build that takes its time
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
 * Servers that have to be built take longest: that starts before anything else. MongoDB's download needs an installed package.
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

/** Its complaints are repeated, with advice, by the start that then misses the server. @param {readonly string[]} parts */
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
 * As locked, but not by `npm ci`: it refuses a lockfile that lacks optional packages of other platforms, and not every registry serves
 * all of them. What else it refuses, a lockfile that does not fit the manifests, is refused here; that nothing else came is looked at
 * afterwards.
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

/** Whether node_modules already is what the lockfile says, as after an `npm install` by hand. @param {string} folder */
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
 * The projects of the root configuration: those that run, or those of tests and benchmarks only.
 * @param {'dist' | 'build'} step
 * @returns {string[]}
 */
function projects(step) {
  const { references } = JSON.parse(content('tsconfig.json'));
  const paths = references.map(/** @param {{ path: string }} reference */ ({ path }) => path);
  return paths.filter(/** @param {string} path */ (path) => /(^tests|^bench|\/test)$/.test(path) === (step === 'build'));
}
