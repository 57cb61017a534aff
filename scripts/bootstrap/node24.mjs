import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { runQuietly } from './processes.mjs';
import { Advice, withProgress } from './say.mjs';

/** The oldest Node that everything here runs under: Jest loads ES modules from CommonJS ones since 24.9. */
const OLDEST = [24, 9];
const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** @returns {boolean} whether this very process is new enough */
export function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** @returns {string} where fetched things are kept; libs/local-infra uses the same folder */
function cacheFolder() {
  if (process.env.STECHUHR_CACHE) return process.env.STECHUHR_CACHE;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'stechuhr');
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'stechuhr');
}

/** The path of a Node 24, fetched as an npm package where the cache has none. */
export async function node24() {
  const place = join(cacheFolder(), `node-24-${PLATFORM}`);
  const program = join(place, 'node_modules', `node-${PLATFORM}`, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  await withLock(`${place}.lock`, async () => {
    if (!existsSync(program)) await withProgress(`fetching Node 24 (this is Node ${process.versions.node})`, () => fetchNode(place));
  });
  return program;
}

/** @param {string} place */
async function fetchNode(place) {
  mkdirSync(dirname(place), { recursive: true });
  const draft = mkdtempSync(`${place}.draft-`);
  try {
    const [command, ...args] = npm(process.execPath);
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
    await runQuietly(command, [...args, 'install', '--prefix', draft, ...options, `node-${PLATFORM}@24`], { cwd: draft });
    renameSync(draft, place);
  } catch (error) {
    throw new Advice(`There is no Node 24 for ${PLATFORM} to fetch: install it (https://nodejs.org) and try again.\n${error}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * npm, run by a given Node: the one that started this script, else the one on PATH.
 * @param {string} node
 * @returns {[string, ...string[]]}
 */
export function npm(node) {
  const running = process.env.npm_execpath;
  return running?.endsWith('.js') ? [node, running] : ['npm'];
}

/** The environment in which `node` is this Node, for everything that is started; compiled code is cached. */
export function environment() {
  const compiled = process.env.NODE_COMPILE_CACHE ?? join(cacheFolder(), 'compiled');
  return { ...process.env, NODE_COMPILE_CACHE: compiled, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
}
