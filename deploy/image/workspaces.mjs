// Determines which folders of the checkout belong to a service. Used by the scripts that build images.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Matches files that only compilers, debuggers and tests use. */
export const UNNEEDED = /\.test\.|\.d\.ts|\.map$|\.tsbuildinfo$/;

/**
 * Reads the manifest of a workspace.
 * @param {string} path
 */
export function manifestOf(path) {
  return JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
}

/**
 * Returns the folders of a service (or `cli`) and of all libraries that it depends on; the service's own folder comes first.
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
 * Returns the folders of a workspace that belong in an image.
 * @param {string} path
 * @returns {string[]}
 */
export function shippedFolders(path) {
  return manifestOf(path).files ?? ['dist'];
}
