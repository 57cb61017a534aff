import { readFileSync } from 'node:fs';

const PRODUCTION = /^(services\/[^/]+|cli)$/;

/**
 * Lists the third-party packages in our images: the packages that a service or the command line needs according to the lockfile, including
 * optional packages of every platform.
 * @returns {readonly { path: string, name: string, version: string, license: string | undefined }[]} sorted by path
 */
export function productionPackages() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const open = Object.keys(packages).filter((path) => PRODUCTION.test(path));
  const found = new Set(open);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const needed = resolve(packages, path, name);
      if (needed === undefined || found.has(needed)) continue;
      found.add(needed);
      open.push(needed);
    }
  }
  const foreign = [...found].filter((path) => path.includes('node_modules/')).sort();
  return foreign.map((path) => ({
    path,
    name: packages[path].name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: packages[path].version,
    license: packages[path].license,
  }));
}

/**
 * Resolves a package like Node: in the nearest `node_modules` of a parent folder. A link resolves to its workspace.
 * @param {Readonly<Record<string, { link?: boolean, resolved?: string }>>} packages @param {string} from @param {string} name
 * @returns {string | undefined} undefined for an optional package that is not in the lockfile
 */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    const entry = packages[path];
    if (entry !== undefined) return entry.link ? entry.resolved : path;
    if (folder === '') return undefined;
  }
}
