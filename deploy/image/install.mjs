#!/usr/bin/env node
// `node deploy/image/install.mjs [npm options]` installs the packages of the current folder exactly as its lockfile says, or fails.
// `npm ci` would reject a lockfile that lacks optional packages of other platforms, and not every registry serves all of them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OPTIONS = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/**
 * Installs the dependencies of the manifests in a folder, in the versions and with the checksums of the lockfile in the same folder.
 * @param {string} folder
 * @param {readonly string[]} [options] for npm
 */
export function install(folder, options = []) {
  execFileSync('npm', ['install', ...OPTIONS, ...options], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  const [locked, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) => packagesOf(`${folder}/${file}`));
  const others = Object.keys(installed).filter((path) => path.includes('node_modules/') && !isSame(installed[path], locked[path]));
  if (others.length > 0)
    throw new Error(`installed versions differ from package-lock.json: ${others.join(', ')}. Update package-lock.json with npm install.`);
}

/** @typedef {{ version?: string, integrity?: string, link?: boolean, resolved?: string }} Package */

/** @param {string} file @returns {Record<string, Package>} */
const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** @param {Package} installed @param {Package | undefined} locked */
function isSame(installed, locked) {
  if (installed.link) return installed.resolved === locked?.resolved;
  return installed.version === locked?.version && installed.integrity === locked?.integrity;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install(process.cwd(), process.argv.slice(2));
