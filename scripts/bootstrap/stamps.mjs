import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STAMPS = join(ROOT, '.cache', 'bootstrap', 'stamps.json');
const IGNORED_FOLDERS = new Set(['node_modules', 'dist', 'dist-test', 'gen', 'boundaries-fixture', '.git', '.cache', '.stechuhr']);

/** Returns whether a step was completed for exactly this state. @param {string} step @param {string} state */
export const isDone = (step, state) => read()[step] === state;

/** Records that a step was completed for a state. @param {string} step @param {string} state */
export function setDone(step, state) {
  mkdirSync(dirname(STAMPS), { recursive: true });
  const draft = `${STAMPS}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ ...read(), [step]: state }, null, 2));
  renameSync(draft, STAMPS);
}

/** @returns {Record<string, string>} */
function read() {
  try {
    return JSON.parse(readFileSync(STAMPS, 'utf8'));
  } catch {
    return {};
  }
}

/** Returns the SHA-256 hash of texts. @param {readonly string[]} parts */
export const hash = (...parts) => createHash('sha256').update(parts.join('\0')).digest('hex');

/** Returns the content of a file of the checkout. @param {string} path */
export const content = (path) => readFileSync(join(ROOT, path), 'utf8');

/**
 * Returns a hash of the names, sizes and modification times of files in some folders. It is fast enough to be computed before each command.
 * @param {readonly string[]} folders
 * @param {RegExp} names
 */
export function fingerprint(folders, names) {
  const entries = folders.flatMap((folder) => [...filesUnder(join(ROOT, folder), names)]).sort();
  return hash(...entries);
}

/** @param {string} folder @param {RegExp} names @returns {Generator<string>} */
function* filesUnder(folder, names) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!IGNORED_FOLDERS.has(entry.name)) yield* filesUnder(path, names);
    } else if (names.test(entry.name)) {
      const { size, mtimeMs } = statSync(path);
      yield `${relative(ROOT, path)} ${size} ${mtimeMs}`;
    }
  }
}
