import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { withLock } from './lock.mjs';
import { runQuietly } from './processes.mjs';
import { Advice, withProgress } from './say.mjs';

/** The oldest supported version of Node. The tests need 24.9: since then Jest can load ES modules from CommonJS modules. */
const OLDEST = [24, 9];
/** The npm package of Node for each platform: its version, and the checksum of its archive, which npm verifies. */
const PINNED = /** @type {const} */ ({
  'linux-x64': ['24.21.0', 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=='],
  'linux-arm64': ['24.21.0', 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g=='],
  'darwin-x64': ['24.18.1', 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ=='],
  'win-x64': ['24.21.0', 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA=='],
});
const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** @returns {boolean} whether the Node of this process is new enough */
export function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** @returns {string} the folder for downloads; libs/local-infra uses the same folder @throws {Advice} if there is no home folder */
function cacheFolder() {
  if (process.env.STECHUHR_CACHE) return process.env.STECHUHR_CACHE;
  if (process.platform === 'darwin') return join(home(), 'Library', 'Caches', 'stechuhr');
  // An empty or relative folder counts as not set (XDG Base Directory Specification).
  const folder = process.env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(folder) ? folder : join(home(), '.cache'), 'stechuhr');
}

function home() {
  try {
    return homedir();
  } catch {
    throw new Advice('This user has no home folder. Choose a folder for downloads by STECHUHR_CACHE.');
  }
}

/**
 * Returns the path of Node 24. If it is not cached, it is fetched as an npm package with a known checksum.
 * @throws {Advice} if that fails
 */
export async function node24() {
  const [version, integrity] = PINNED[/** @type {keyof typeof PINNED} */ (PLATFORM)] ?? [];
  if (version === undefined)
    throw new Advice(`Node 24 cannot be downloaded for ${PLATFORM}: install it (https://nodejs.org) and try again.`);
  const place = join(cacheFolder(), `node-${version}-${PLATFORM}`);
  const program = join(place, 'node_modules', `node-${PLATFORM}`, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  try {
    mkdirSync(dirname(place), { recursive: true });
  } catch (error) {
    throw new Advice(`${dirname(place)} cannot hold downloads, choose another folder by STECHUHR_CACHE: ${error}`);
  }
  await withLock(`${place}.lock`, async () => {
    if (!existsSync(program))
      await withProgress(`fetching Node ${version} (this is Node ${process.versions.node})`, () => fetchNode(place, version, integrity));
  });
  return program;
}

/** @param {string} place @param {string} version @param {string} integrity */
async function fetchNode(place, version, integrity) {
  const draft = mkdtempSync(`${place}.draft-`);
  try {
    const [command, ...args] = npm(process.execPath);
    const dependencies = { [`node-${PLATFORM}`]: version };
    const packages = { '': { dependencies }, [`node_modules/node-${PLATFORM}`]: { version, integrity } };
    writeFileSync(join(draft, 'package.json'), JSON.stringify({ dependencies }));
    writeFileSync(join(draft, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await runQuietly(command, [...args, 'ci', '--prefix', draft, ...options], { cwd: draft });
    renameSync(draft, place);
  } catch (error) {
    throw new Advice(`Node ${version} could not be fetched: install Node 24 (https://nodejs.org) and try again.\n${error}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Returns the command for npm: the npm that started this script, run by the given Node, otherwise the one on PATH.
 * @param {string} node
 * @returns {[string, ...string[]]}
 */
export function npm(node) {
  const running = process.env.npm_execpath;
  return running?.endsWith('.js') ? [node, running] : ['npm'];
}

/** Returns the environment for child processes, in which `node` is the Node of this process and compiled code is cached. */
export function environment() {
  const compiled = process.env.NODE_COMPILE_CACHE ?? join(cacheFolder(), 'compiled');
  return { ...process.env, NODE_COMPILE_CACHE: compiled, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
}
