#!/usr/bin/env node
// What an image of one service contains: `node deploy/image/prune-service.mjs <service> <folder>` fills the folder with the compiled service
// (or `cli`), the compiled libraries that it uses with what their package.json lists beside (`files`), the production packages of these, as
// locked, and a `main.js` that starts it. Needs a build. The Dockerfile runs it, and a test.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const [service, target] = process.argv.slice(2);
if (service === undefined || target === undefined) {
  console.error('usage: node deploy/image/prune-service.mjs <service> <folder>');
  process.exit(2);
}
prune(service, target);

/** @param {string} name @param {string} out */
function prune(name, out) {
  const kept = closure(`@stechuhr/${name}`);
  const [start] = kept;
  mkdirSync(out, { recursive: true });
  for (const path of kept) copyWorkspace(path, out);
  // For gRPC reflection.
  cpSync(join(ROOT, 'protos'), join(out, 'protos'), { recursive: true });
  const { version, overrides } = read('.');
  write(join(out, 'package.json'), { name: 'stechuhr', version, private: true, type: 'module', workspaces: kept, overrides });
  writeFileSync(join(out, 'main.js'), `import './${start}/dist/main.js';\n`);
  cpSync(join(ROOT, 'package-lock.json'), join(out, 'package-lock.json'));
  cpSync(join(ROOT, '.npmrc'), join(out, '.npmrc'));
  // The lockfile decides every version; npm leaves out what no kept workspace asks for.
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', ['install', ...options], { cwd: out, stdio: ['ignore', 'inherit', 'inherit'] });
}

/**
 * The folders of a workspace and of all that it depends on; its own is the first.
 * @param {string} name
 * @returns {string[]}
 */
function closure(name) {
  const folders = new Map(
    read('.').workspaces.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).map((path) => [read(path).name, path])),
  );
  const found = new Set([name]);
  for (const each of found) {
    const path = folders.get(each);
    if (path === undefined) throw new Error(`there is no workspace ${each}`);
    for (const dependency of Object.keys(read(path).dependencies ?? {})) if (folders.has(dependency)) found.add(dependency);
  }
  return [...found].map((each) => folders.get(each));
}

/** @param {string} path @param {string} out */
function copyWorkspace(path, out) {
  const { devDependencies: _unused, ...manifest } = read(path);
  const dist = join(ROOT, path, 'dist');
  if (!existsSync(dist)) throw new Error(`${path} is not built: run npm run build first`);
  write(join(out, path, 'package.json'), manifest);
  for (const folder of manifest.files ?? ['dist']) {
    cpSync(join(ROOT, path, folder), join(out, path, folder), { recursive: true, filter: (file) => !/\.test\.|\.d\.ts|\.map$/.test(file) });
  }
}

/** @param {string} path */
function read(path) {
  return JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
}

/** @param {string} file @param {object} content */
function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}
