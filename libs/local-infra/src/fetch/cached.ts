import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withProgress, type Log } from '../log.js';
import { withLock } from '../process/file-lock.js';

/** A cache of things that are fetched or built once on this machine. */
export interface Cache {
  readonly folder: string;
  readonly log: Log;
}

/** One thing in the cache. */
export interface Cached {
  /** Folder name: what it is, in which version, for which platform. */
  readonly name: string;
  /** Shown while it is made. */
  readonly what: string;
  /** Fills an empty folder, which is kept only if it resolves. */
  make(folder: string): Promise<void>;
}

/**
 * The folder of a cached item, built first if it does not exist. It is built next to its place and moved there, so that it exists
 * completely or not at all; of several processes that need it, one builds it and the others wait.
 */
export async function cached(cache: Cache, item: Cached): Promise<string> {
  const place = join(cache.folder, item.name);
  if (existsSync(place)) return place;
  mkdirSync(cache.folder, { recursive: true });
  const onWait = ({ pid }: { pid: number }): void => cache.log(`${item.what}: waiting for process ${pid}, which is doing this already`);
  await withLock(`${place}.lock`, () => makeUnlessThere(cache, item, place), onWait);
  return place;
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

/** Of killed processes: only the holder of the lock builds this. */
function removeDrafts(folder: string, name: string): void {
  const drafts = readdirSync(folder).filter((entry) => entry.startsWith(`${name}.draft-`));
  for (const draft of drafts) rmSync(join(folder, draft), { recursive: true, force: true });
}
