import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { withLock } from './lock.mjs';
import { environment, npm } from './node24.mjs';
import { endWithUs, runQuietly } from './processes.mjs';
import { Advice, withProgress } from './say.mjs';
import { content, fingerprint, hash, isDone, ROOT, setDone } from './stamps.mjs';

const SOURCES = ['libs', 'services', 'cli', 'deploy', 'tests'];
const LOCK = join(ROOT, '.cache', 'bootstrap', 'lock');

const state = {
  install: () => hash(content('package-lock.json'), process.versions.modules),
  gen: () => hash(state.install(), fingerprint(['protos'], /\.(proto|yaml)$/)),
  build: () => hash(state.gen(), fingerprint(SOURCES, /\.(ts|json)$/), content('tsconfig.base.json'), content('tsconfig.json')),
};

/** What has to be there beside the stamp: it says nothing about what was deleted since. */
const present = {
  install: () => existsSync(join(ROOT, 'node_modules', '.package-lock.json')),
  gen: () => existsSync(join(ROOT, 'libs', 'contracts', 'src', 'gen')),
  build: () => projects().every((path) => existsSync(join(ROOT, path))),
};

/** @typedef {'install' | 'gen' | 'build'} Step */

/** @param {Step} step */
const isCurrent = (step) => present[step]() && isDone(step, state[step]());

/**
 * Brings the checkout up to a step: installed, generated, built. Costs a tenth of a second when it is.
 * @param {Step} upTo
 * @param {{ fetchServers?: boolean }} [options] whether servers should be fetched beside a build that takes its time
 */
export async function prepare(upTo, { fetchServers = false } = {}) {
  const steps = /** @type {Step[]} */ (['install', 'gen', 'build']);
  const wanted = steps.slice(0, steps.indexOf(upTo) + 1);
  if (wanted.every(isCurrent)) return;
  await withLock(LOCK, async () => {
    if (!isCurrent('install')) await install();
    if (wanted.includes('build') && fetchServers && !isCurrent('build')) return buildBesideFetching();
    if (wanted.includes('gen') && !isCurrent('gen')) await generate();
    if (wanted.includes('build') && !isCurrent('build')) await build();
  });
}

/** Servers that have to be fetched or built take longest: that starts as soon as the one library that does it is there. */
async function buildBesideFetching() {
  await withProgress('building what fetches servers', () => tsc('libs/local-infra'));
  const fetching = fetchServersNow();
  if (!isCurrent('gen')) await generate();
  await build();
  await fetching;
}

/** Its complaints are repeated, with advice, by the start that then misses the server. */
function fetchServersNow() {
  const child = spawn(process.execPath, [join(ROOT, 'libs/local-infra/dist/prefetch-main.js')], {
    stdio: ['ignore', 2, 2],
    env: environment(),
  });
  endWithUs(child);
  return new Promise((resolve) => {
    child.once('error', resolve);
    child.once('close', resolve);
  });
}

/**
 * As locked, but not by `npm ci`: it refuses a lockfile that lacks optional packages of other platforms, and not every registry serves
 * all of them.
 */
async function install() {
  if (!matchesLockfile()) {
    const [command, ...args] = npm(process.execPath);
    await withProgress('installing packages', () =>
      runQuietly(command, [...args, 'install', '--no-save', '--loglevel=error'], { cwd: ROOT, env: environment() }),
    );
  }
  setDone('install', state.install());
}

/** Whether node_modules already is what the lockfile says, as after an `npm install` by hand. */
function matchesLockfile() {
  const installedFile = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  return Object.entries(JSON.parse(content('package-lock.json')).packages).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true;
    return (
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
  await withProgress('generating code from protos', async () => {
    await runQuietly(buf, ['lint'], options);
    await runQuietly(buf, ['generate'], options);
  });
  setDone('gen', state.gen());
}

async function build() {
  const built = state.build();
  await withProgress('building', () => tsc('.'));
  if (!present.build()) throw new Advice('The build left out a project. Run `npm run clean` and try again.');
  setDone('build', built);
}

/** @param {string} project */
const tsc = (project) => runQuietly(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', project], { cwd: ROOT });

/** The build information of each project that the root configuration names: gone with its output. */
function projects() {
  const { references } = JSON.parse(content('tsconfig.json'));
  return references.map(
    /** @param {{ path: string }} reference */ ({ path }) => (path.endsWith('/test') ? `${path.slice(0, -5)}/dist-test` : `${path}/dist`),
  );
}
