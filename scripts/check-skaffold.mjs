// Checks skaffold.yaml with skaffold itself, without a cluster or a Docker engine: the configuration has the current version, every profile
// is valid and builds an image of each service, and what it deploys equals what Helm renders from the same values. Skaffold is built once,
// which takes some minutes, so this is not part of CI.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { topology } from '../deploy/local/dist/index.js';
import { kubernetesVersion, provideTool } from '../libs/local-infra/dist/index.js';

const REGISTRY = 'registry.example.com';
const VALUES = { dev: 'helm/stechuhr/ci/development.yaml', ci: 'helm/stechuhr/ci/development.yaml', prod: 'values.prod.yaml' };
const IMAGES = [...topology.map(({ name }) => name), 'cli'].sort();

const log = (line) => console.error(line);
const [skaffold, helm] = [await provideTool('skaffold', log), await provideTool('helm', log)];
const folder = mkdtempSync(join(tmpdir(), 'stechuhr-skaffold-'));
const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`, SKAFFOLD_UPDATE_CHECK: 'false' };
const run = (command, ...args) =>
  execFileSync(command, args, { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'pipe'] });

/** A wrapper for Helm that passes the version of Kubernetes, which Helm cannot ask for without a cluster. */
const HELM_WITHOUT_CLUSTER = `#!/bin/sh
for argument in "$@"; do
  [ "$argument" = template ] && exec '${helm}' "$@" --kube-version ${kubernetesVersion}
done
exec '${helm}' "$@"
`;

/** @param {boolean} holds @param {string} problem */
function assert(holds, problem) {
  if (!holds) throw new Error(problem);
}

/**
 * Returns the kind and name of each object, and the image of each container. Complete objects cannot be compared, because certificates and
 * passwords differ between renderings.
 */
function outlineOf(rendered) {
  const objects = rendered.split(/^---$/m).flatMap((text) => {
    const [, kind] = /^kind: (\w+)/m.exec(text) ?? [];
    const [, name] = /^metadata:\n(?: .*\n)*? {2}name: (\S+)/m.exec(text) ?? [];
    return kind === undefined ? [] : [`${kind} ${name}`];
  });
  const images = [...rendered.matchAll(/^\s+(?:- )?image: "?([^\s"]+)/gm)].map(([, image]) => `image ${image}`);
  return [...objects, ...images].sort();
}

/** @param {keyof typeof VALUES} profile */
function check(profile) {
  const read = run(skaffold, 'diagnose', '--yaml-only', '--profile', profile);
  const built = [...new Set(read.match(/(?<=image: stechuhr\/)[a-z-]+/g))].sort();
  assert(built.join() === IMAGES.join(), `profile ${profile} builds ${built}, and the services are ${IMAGES}`);
  const made = profile === 'dev' ? /buildCommand: node deploy\/image\/dev.mjs build / : /target: production$/;
  const makers = read.match(/(target|buildCommand): .+/g) ?? [];
  assert(makers.length === IMAGES.length && makers.every((each) => made.test(each)), `profile ${profile} builds by ${makers}`);

  const tagged = IMAGES.map((name) => [name, `${REGISTRY}/stechuhr/${name}:checked`]);
  const builds = tagged.map(([name, tag]) => ({ imageName: `stechuhr/${name}`, tag }));
  writeFileSync(join(folder, 'builds.json'), JSON.stringify({ builds }));
  const offline = ['--profile', profile, '--build-artifacts', 'builds.json', '--digest-source', 'none', '--offline=true'];
  run(skaffold, 'render', ...offline, '--output', 'rendered.yaml');
  const deployed = outlineOf(run('cat', 'rendered.yaml'));

  const settings = tagged.flatMap(([name, tag]) => ['--set', `image.references.${name}=${tag}`]);
  const writable = profile === 'dev' ? ['--set', 'writableContainers=true'] : [];
  const wanted = ['template', 'stechuhr', 'helm/stechuhr', '--namespace', 'stechuhr', '--values', VALUES[profile]];
  const rendered = outlineOf(run(join(folder, 'bin/helm'), ...wanted, ...settings, ...writable));
  const differing = [...rendered.filter((line) => !deployed.includes(line)), ...deployed.filter((line) => !rendered.includes(line))];
  assert(differing.length === 0, `profile ${profile} does not deploy what Helm renders: ${differing.join('; ')}`);
  const ours = deployed.filter((line) => line.startsWith(`image ${REGISTRY}/`));
  assert(new Set(ours).size >= topology.length, `profile ${profile} deploys only ${ours}`);
  console.log(
    `${profile}: ${built.length} images built, ${deployed.filter((line) => !line.startsWith('image ')).length} objects as Helm renders them`,
  );
}

try {
  for (const path of ['skaffold.yaml', 'helm', 'deploy']) cpSync(path, join(folder, path), { recursive: true });
  // The production profile needs a values file that its users write themselves.
  cpSync('helm/stechuhr/ci/external.yaml', join(folder, 'values.prod.yaml'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/helm'), HELM_WITHOUT_CLUSTER, { mode: 0o755 });
  run(helm, 'dependency', 'build', 'helm/stechuhr');
  assert(run(skaffold, 'fix').startsWith('config is already version'), 'skaffold fix knows a newer version of skaffold.yaml');
  for (const profile of Object.keys(VALUES)) check(profile);
} catch (error) {
  // If a command failed, its complete output is printed instead of Node's error.
  console.error(error.stderr ? `${error.message}\n${error.stdout}` : error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
