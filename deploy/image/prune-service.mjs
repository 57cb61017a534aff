#!/usr/bin/env node
// Assembles the files of one service's image. `node deploy/image/prune-service.mjs [packages | code] <service> <folder>` fills the folder
// with
//   packages  the manifests of the service (or `cli`) and of the libraries that it uses, and their production packages as locked
//   code      their compiled code, other folders in `files` of their package.json, and a `main.js` that starts the service; needs a build
// or, without the first argument, with both. They are separate layers of the image, because packages change rarely. The Dockerfile and a
// test run this script.
import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { install } from './install.mjs';
import { closure, manifestOf, ROOT, shippedFolders, UNNEEDED } from './workspaces.mjs';

const PARTS = { packages, code };

const given = process.argv.slice(2);
const wanted = given.length === 3 ? [given.shift()] : Object.keys(PARTS);
const [service, target] = given;
if (service === undefined || target === undefined || !wanted.every((part) => part in PARTS)) {
  console.error('usage: node deploy/image/prune-service.mjs [packages | code] <service> <folder>');
  process.exit(2);
}
const kept = closure(service);
for (const part of wanted) PARTS[part](target);

/** @param {string} out */
function packages(out) {
  for (const path of kept) {
    const { devDependencies: _unused, ...manifest } = manifestOf(path);
    write(join(out, path, 'package.json'), manifest);
  }
  const { version, overrides } = manifestOf('.');
  write(join(out, 'package.json'), { name: 'stechuhr', version, private: true, type: 'module', workspaces: kept, overrides });
  for (const file of ['package-lock.json', '.npmrc']) cpSync(join(ROOT, file), join(out, file));
  // npm omits packages of the lockfile on which no workspace in this folder depends.
  install(out, ['--omit=dev']);
  // Two fifths of the installed files serve only compilers and debuggers.
  for (const file of globSync('node_modules/**/*.{d.ts,d.mts,d.cts,js.map,mjs.map,cjs.map,ts.map,mts.map,cts.map}', { cwd: out })) {
    rmSync(join(out, file));
  }
}

/** @param {string} out */
function code(out) {
  for (const path of kept) {
    if (!existsSync(join(ROOT, path, 'dist'))) throw new Error(`${path} is not built: run npm run build first`);
    for (const folder of shippedFolders(path)) {
      cpSync(join(ROOT, path, folder), join(out, path, folder), { recursive: true, filter: (file) => !UNNEEDED.test(file) });
    }
  }
  // gRPC reflection reads the protos.
  cpSync(join(ROOT, 'protos'), join(out, 'protos'), { recursive: true });
  writeFileSync(join(out, 'main.js'), `import './${kept[0]}/dist/main.js';\n`);
}

/** @param {string} file @param {object} content */
function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}
