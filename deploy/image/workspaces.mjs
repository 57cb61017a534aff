// Which folders of the checkout a service is made of, for all that make images.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What compilers, debuggers and tests use. */
export const UNNEEDED = /\.test\.|\.d\.ts|\.map$|\.tsbuildinfo$/;

/**
 * The manifest of a workspace.
 * @param {string} path
 */
export function manifestOf(path) {
  return JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
}

/**
 * The folders of a service (or `cli`) and of all the libraries that it depends on; its own is the first.
 * @param {string} service
 * @returns {string[]}
 */
export function closure(service) {
  const folders = new Map(
    manifestOf('.').workspaces.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).map((path) => [manifestOf(path).name, path])),
  );
  const found = new Set([`@stechuhr/${service}`]);
  for (const each of found) {
    const path = folders.get(each);
    if (path === undefined) throw new Error(`there is no workspace ${each}`);
    for (const dependency of Object.keys(manifestOf(path).dependencies ?? {})) if (folders.has(dependency)) found.add(dependency);
  }
  return [...found].map((each) => folders.get(each));
}

/**
 * The folders of a workspace that belong into an image.
 * @param {string} path
 * @returns {string[]}
 */
export function shippedFolders(path) {
  return manifestOf(path).files ?? ['dist'];
}
