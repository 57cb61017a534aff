import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './say.mjs';

const POLL_MS = 200;

/**
 * Runs work while holding a lock file, so that no two scripts in one checkout do it at the same time.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  let isReported = false;
  while (!acquire(path)) {
    const holder = holderOf(path);
    if (holder === undefined || !isRunning(holder)) {
      removeStale(path, holder);
      continue;
    }
    if (!isReported) say(`process ${holder} is preparing this checkout, waiting for it`);
    isReported = true;
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Creates the lock atomically together with its content, so that it is never read half-written. @param {string} path */
function acquire(path) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @param {string} path */
function holderOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Moves a dead holder's lock away, and puts it back if it turns out to be the new lock of another process.
 * @param {string} path
 * @param {number | undefined} holder
 */
function removeStale(path, holder) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    if (holderOf(aside) !== holder) linkSync(aside, path);
  } catch {
    // Another process has removed it, or holds it by now.
  } finally {
    rmSync(aside, { force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
