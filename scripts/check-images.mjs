// Checks whether the registries have all images that files of this repository pull.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { runCommandLine } from '../libs/local-infra/dist/index.js';

const TIMEOUT_MS = 20_000;
/** Replaces the file name for images that are given as arguments. */
const GIVEN = 'given';
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

const usage = `npm run check:images -- [image…] [options]

Asks the registries whether they have these images, or all that files of this repository pull.

  --strict    fails for an image that cannot be checked, instead of listing it
  --offline   asks no registry, but checks that every image has a tag and a digest, the same in all files
  --pin       adds the current digest to each image in the files that has none`;
const options = { offline: { type: 'boolean' }, pin: { type: 'boolean' }, strict: { type: 'boolean' } };

/** @typedef {{ image: string, file: string }} Use */

/** @returns {Use[]} the images that the files pull, without images that are built here */
function usesInFiles() {
  const text = (file) => readFileSync(file, 'utf8');
  const yaml = (file) => parseDocument(text(file), { merge: true }).toJS();
  const found = (file, images) => images.map((image) => ({ image, file }));
  const compose = Object.values(yaml('deploy/compose.yaml').services).filter(({ build }) => build === undefined);
  const sources = globSync('libs/local-infra/src/**/*.ts', { exclude: ['**/*.test.ts'] });
  return [
    ...found(
      'deploy/Dockerfile',
      [...text('deploy/Dockerfile').matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)].map(([, image]) => image),
    ),
    ...found(
      'deploy/compose.yaml',
      compose.map(({ image }) => image),
    ),
    ...found('helm/stechuhr/values.yaml', Object.values(yaml('helm/stechuhr/values.yaml').infrastructure.images)),
    ...sources.flatMap((file) =>
      found(
        file,
        [...text(file).matchAll(/\bimage: '([^']+)'/g)].map(([, image]) => image),
      ),
    ),
  ];
}

/**
 * Parses an image reference like Docker: registry, repository, tag and digest.
 * @param {string} image
 */
function parseReference(image) {
  const [name = '', digest] = image.split('@');
  const [, path = '', tag] = /^(.+?)(?::([^:/]+))?$/.exec(name) ?? [];
  const [first = '', ...rest] = path.split('/');
  const named = rest.length > 0 && /[.:]|^localhost$/.test(first);
  const hub = !named || first === 'docker.io';
  const repository = named ? rest.join('/') : path;
  return {
    registry: hub ? 'registry-1.docker.io' : first,
    repository: hub && !repository.includes('/') ? `library/${repository}` : repository,
    tag,
    digest,
  };
}

/** @param {readonly Use[]} uses @returns {string[]} */
function problemsOffline(uses) {
  const loose = uses.filter(({ image }) => parseReference(image).tag === undefined || /:latest(@|$)/.test(image));
  const unpinned = uses.filter(({ image, file }) => file !== GIVEN && parseReference(image).digest === undefined);
  const byRepository = Map.groupBy(uses, ({ image }) => parseReference(image).repository);
  const split = [...byRepository].filter(([, same]) => new Set(same.map(({ image }) => image)).size > 1);
  return [
    ...loose.map(({ image, file }) => `${file}: ${image} has no fixed tag`),
    ...unpinned.map(({ image, file }) => `${file}: ${image} has no digest (npm run check:images -- --pin)`),
    ...split.map(([name, same]) => `${name} differs: ${same.map(({ image, file }) => `${image} in ${file}`).join(', ')}`),
  ];
}

/** Sends a HEAD request. If the registry demands a bearer token, the token is requested as its answer describes. @param {string} url */
async function ask(url) {
  const headers = { accept: MANIFESTS.join(', ') };
  const request = (more = {}) => fetch(url, { method: 'HEAD', headers: { ...headers, ...more }, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const answer = await request();
  const challenge = answer.headers.get('www-authenticate') ?? '';
  if (answer.status !== 401 || !/^bearer /i.test(challenge)) return answer;
  const { realm = '', ...query } = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  const granted = await fetch(`${realm}?${new URLSearchParams(query)}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!granted.ok) return answer;
  const { token, access_token: accessToken } = await granted.json();
  return request({ authorization: `Bearer ${token ?? accessToken}` });
}

/**
 * Looks up an image in its registry. Status 401, 403 or 404 means that the image does not exist or is not public; other failures say
 * nothing about the image.
 * @param {string} image
 * @returns {Promise<{ state: 'there' | 'missing' | 'unreachable', note: string }>}
 */
async function lookUp(image) {
  const { registry, repository, tag, digest } = parseReference(image);
  const scheme = /^(localhost|127\.\d+\.\d+\.\d+)(:|$)/.test(registry) ? 'http' : 'https';
  try {
    const answer = await ask(`${scheme}://${registry}/v2/${repository}/manifests/${digest ?? tag ?? 'latest'}`);
    if (answer.ok) return { state: 'there', note: answer.headers.get('docker-content-digest') ?? '' };
    if ([401, 403, 404].includes(answer.status)) return { state: 'missing', note: `${registry} answers ${answer.status}` };
    return { state: 'unreachable', note: `${registry} answers ${answer.status}` };
  } catch (error) {
    return { state: 'unreachable', note: `${registry}: ${error.cause?.code ?? error.cause?.message ?? error.message}` };
  }
}

/** @param {readonly Use[]} uses @param {ReadonlyMap<string, string>} digests */
function pin(uses, digests) {
  for (const { image, file } of uses) {
    const digest = digests.get(image);
    if (digest && !image.includes('@')) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(image, `${image}@${digest}`));
  }
}

/** @param {{ offline?: boolean, pin?: boolean, strict?: boolean }} options @param {readonly string[]} names @returns {Promise<number>} */
async function main({ offline, pin: pins, strict }, names) {
  const uses = names.length > 0 ? names.map((image) => ({ image, file: GIVEN })) : usesInFiles();
  const problems = pins ? [] : problemsOffline(uses);
  for (const problem of problems) console.error(problem);
  if (offline) return problems.length > 0 ? 1 : 0;
  const images = [...new Set(uses.map(({ image }) => image))].sort();
  const found = await Promise.all(images.map(async (image) => ({ image, ...(await lookUp(image)) })));
  for (const { image, state, note } of found) console.log(`${state.padEnd(11)} ${image}  ${note}`);
  const count = (state) => found.filter((each) => each.state === state).length;
  console.log(`${count('there')} there, ${count('missing')} missing, ${count('unreachable')} unreachable`);
  if (pins) pin(uses, new Map(found.filter(({ state }) => state === 'there').map(({ image, note }) => [image, note])));
  return problems.length > 0 || count('missing') > 0 || (strict === true && count('unreachable') > 0) ? 1 : 0;
}

await runCommandLine({ usage, options, words: true }, main);
