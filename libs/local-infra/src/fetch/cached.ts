import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withProgress, type Log } from '../log.js';
import { withLock } from '../process/file-lock.js';

/** A cache for what is downloaded or built once per machine. */
export interface Cache {
  readonly folder: string;
  readonly log: Log;
}

/** One item of the cache. */
export interface Cached {
  /** Name of its folder: what it is, its version and its platform. */
  readonly name: string;
  /** Displayed while the item is built. */
  readonly what: string;
  /** Fills an empty folder, which is kept only if the promise resolves. */
  make(folder: string): Promise<void>;
}

/**
 * The folder of a cached item, which is built first if it does not exist. Building takes place in a draft folder, which is then moved, so that the
 * item is either complete or missing. If several processes need it, one builds it and the others wait.
 */
export async function cached(cache: Cache, item: Cached): Promise<string> {
  const place = join(cache.folder, item.name);
  if (existsSync(place)) return place;
  makeFolder(cache.folder);
  const onWait = ({ pid }: { pid: number }): void => cache.log(`${item.what}: waiting for process ${pid}, which is doing this already`);
  await withLock(`${place}.lock`, () => makeUnlessThere(cache, item, place), onWait);
  return place;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new Error(`${folder} cannot hold downloads, choose another folder by STECHUHR_CACHE: ${(cause as Error).message}`, { cause });
  }
}

async function makeUnlessThere(cache: Cache, item: Cached, place: string): Promise<void> {
  if (existsSync(place)) return;
  removeDrafts(cache.folder, item.name);
  const draft = mkdtempSync(`${place}.draft-`);
  try {
    await withProgress(cache.log, item.what, () => item.make(draft));
    renameSync(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes drafts of killed processes: only the holder of the lock can be building this item. */
function removeDrafts(folder: string, name: string): void {
  const drafts = readdirSync(folder).filter((entry) => entry.startsWith(`${name}.draft-`));
  for (const draft of drafts) rmSync(join(folder, draft), { recursive: true, force: true });
}
