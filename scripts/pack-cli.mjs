// Packs the command line as an npm package, `stechuhr-cli-<version>.tgz` in a folder: `npm run pack:cli [-- <folder>]`. Our own libraries
// are not published, so they are bundled in it; third-party packages are its dependencies, with the versions of our manifests.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Matches files that only compilers, debuggers and tests use. */
const UNNEEDED = /\.test\.|\.d\.ts|\.map$|\.tsbuildinfo$/;
const OLDEST_NODE = '>=24';

const out = path.resolve(process.argv[2] ?? '.');

/** @param {string} folder */
const read = (folder) => JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'));
const folders = new Map(
  read('.').workspaces.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).map((folder) => [read(folder).name, folder])),
);

/** Names of our own packages that the command line needs. */
const bundled = new Set();
/** Versions of third-party packages by name. @type {Record<string, string>} */
const foreign = {};
collect('cli');

/** @param {string} folder */
function collect(folder) {
  for (const [name, version] of Object.entries(read(folder).dependencies ?? {})) {
    const own = folders.get(name);
    if (own === undefined) foreign[name] = version;
    else if (!bundled.has(name)) {
      bundled.add(name);
      collect(own);
    }
  }
}

/** @param {string} folder @param {string} to @param {object} manifest */
function write(folder, to, manifest) {
  mkdirSync(to, { recursive: true });
  writeFileSync(path.join(to, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const part of read(folder).files ?? ['dist']) {
    cpSync(path.join(ROOT, folder, part), path.join(to, part), { recursive: true, filter: (file) => !UNNEEDED.test(file) });
  }
}

const stage = mkdtempSync(path.join(tmpdir(), 'stechuhr-pack-'));
try {
  const { private: _private, devDependencies: _dev, scripts: _scripts, dependencies: _own, ...manifest } = read('cli');
  const versions = Object.fromEntries([...bundled].map((name) => [name, read(folders.get(name)).version]));
  const dependencies = Object.fromEntries(Object.entries({ ...foreign, ...versions }).sort(([a], [b]) => (a < b ? -1 : 1)));
  write('cli', stage, {
    ...manifest,
    license: read('.').license,
    engines: { node: OLDEST_NODE },
    dependencies,
    bundleDependencies: [...bundled].sort(),
  });
  cpSync(path.join(ROOT, 'cli/README.md'), path.join(stage, 'README.md'));
  for (const name of bundled) {
    const folder = folders.get(name);
    // The dependencies of our libraries are listed as dependencies of the command line.
    const { private: _p, devDependencies: _d, dependencies: _deps, ...own } = read(folder);
    write(folder, path.join(stage, 'node_modules', name), own);
  }
  mkdirSync(out, { recursive: true });
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], {
    cwd: stage,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
} finally {
  rmSync(stage, { recursive: true });
}
