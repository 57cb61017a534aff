#!/usr/bin/env node
// Builds the images of `skaffold dev`, which calls this script:
//   node deploy/image/dev.mjs build SERVICE=records [ARGUMENT=value]   builds $IMAGE from code compiled on this machine; pushes it if $PUSH_IMAGE
//   node deploy/image/dev.mjs files records                            prints the files that the image depends on: a JSON array of paths
// If Docker built these images for skaffold directly, skaffold would watch everything that the Dockerfile may copy, which is the whole
// checkout, and rebuild the images of all services for every changed source.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { closure, ROOT, shippedFolders, UNNEEDED } from './workspaces.mjs';

const ALWAYS = ['package-lock.json', 'protos/**/*', 'deploy/Dockerfile', 'deploy/image/*'];
const COMMANDS = { build, files };

const [command, ...given] = process.argv.slice(2);
if (!(command in COMMANDS) || given.length === 0) {
  console.error('usage: node deploy/image/dev.mjs build SERVICE=<service> [ARGUMENT=value] | files <service>');
  process.exit(2);
}
COMMANDS[command](...given);

/** @param {readonly string[]} buildArguments build arguments of deploy/Dockerfile */
function build(...buildArguments) {
  const { IMAGE, PUSH_IMAGE } = process.env;
  const docker = (...args) => execFileSync('docker', args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, DOCKER_BUILDKIT: '1' } });
  const args = buildArguments.flatMap((each) => ['--build-arg', each]);
  docker('build', '--file', 'deploy/Dockerfile', '--target', 'dev', '--tag', IMAGE, ...args, '.');
  if (PUSH_IMAGE === 'true') docker('push', IMAGE);
}

/** @param {string} service */
function files(service) {
  const patterns = closure(service).flatMap((path) => {
    if (!existsSync(join(ROOT, path, 'dist'))) throw new Error(`${path} is not built: run npm run build first`);
    return ['package.json', ...shippedFolders(path).map((folder) => `${folder}/**/*`)].map((pattern) => `${path}/${pattern}`);
  });
  const found = [...ALWAYS, ...patterns].flatMap((pattern) => globSync(pattern, { cwd: ROOT, withFileTypes: true }));
  const paths = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length));
  console.log(JSON.stringify(paths.filter((path) => !UNNEEDED.test(path)).sort()));
}
