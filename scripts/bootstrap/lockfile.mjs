import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIELDS = ['name', 'version', 'dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'engines', 'bin'];

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Finds manifests that do not match the lockfile; npm would then choose versions itself. `npm ci` checks this too, but it would also reject
 * our lockfile, which lacks optional packages of other platforms.
 * @param {string} root
 * @returns {string[]} a sentence for each manifest that differs
 */
export function lockfileDrift(root) {
  const { packages } = read(join(root, 'package-lock.json'));
  const locked = Object.keys(packages).filter((path) => !path.includes('node_modules/'));
  const added = workspaces(root).filter((path) => !locked.includes(path));
  const differing = locked.flatMap((path) => {
    const file = join(root, path, 'package.json');
    if (!existsSync(file)) return [`package-lock.json lists ${join(path, 'package.json')}, which does not exist`];
    const manifest = read(file);
    const fields = FIELDS.filter((field) => sorted(manifest[field]) !== sorted(packages[path][field]) && !isImplied(path, field));
    return fields.length === 0 ? [] : [`package-lock.json has other ${fields.join(', ')} than ${join(path, 'package.json')}`];
  });
  return [...differing, ...added.map((path) => `package-lock.json does not list ${path}/package.json`)];
}

/** Returns the folders of the workspaces. Their patterns end in `/*` or name one folder; Node 20 has no `globSync`. @param {string} root */
export function workspaces(root) {
  /** @type {{ workspaces?: readonly string[] }} */
  const { workspaces: patterns = [] } = read(join(root, 'package.json'));
  const folders = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return folders.filter((path) => existsSync(join(root, path, 'package.json')));
}

/** Npm omits the name of a workspace if it equals the name of its folder. @param {string} path @param {string} field */
const isImplied = (path, field) => field === 'name' && path !== '';

/** @param {unknown} value */
function sorted(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
