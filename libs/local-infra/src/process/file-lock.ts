import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isRunning, type ProcessIdentity } from './identity.js';

/** A held lock. */
export interface FileLock {
  /** Releases the lock; releasing it twice is harmless. */
  release(): void;
}

/** Reading and removing a lock never takes this long, so the process that holds this marker was killed. */
const BREAKER_STALE_MS = 10_000;

/**
 * Takes a lock between processes, or returns its holder. The lock of a process that no longer runs counts as free. A hard link creates the lock
 * together with its content, so that it is never read half-written.
 */
export function tryLock(path: string): FileLock | ProcessIdentity {
  mkdirSync(dirname(path), { recursive: true });
  if (create(path)) return lockAt(path);
  const holder = holderOf(path);
  if (holder !== undefined && isRunning(holder)) return holder;
  breakStale(path);
  return create(path) ? lockAt(path) : (holderOf(path) ?? identityOf(process.pid));
}

/** Waits for the lock, runs the work and releases the lock. `onWait` is called once, with the holder, if it has to wait. */
export async function withLock<T>(path: string, work: () => Promise<T>, onWait: (holder: ProcessIdentity) => void): Promise<T> {
  let told = false;
  for (;;) {
    const lock = tryLock(path);
    if ('release' in lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (!told) onWait(lock);
    told = true;
    await sleep(100);
  }
}

function create(path: string): boolean {
  const draft = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(draft, JSON.stringify(identityOf(process.pid)));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function lockAt(path: string): FileLock {
  let held = true;
  return {
    release: () => {
      if (held) rmSync(path, { force: true });
      held = false;
    },
  };
}

function holderOf(path: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}

/**
 * Removes the lock of a dead process. Only one process may do so, and only while it is still the same lock; otherwise a new lock could be removed.
 */
function breakStale(path: string): void {
  const breaker = `${path}.breaking`;
  try {
    mkdirSync(breaker);
  } catch {
    const age = Date.now() - (statSync(breaker, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > BREAKER_STALE_MS) rmSync(breaker, { recursive: true, force: true });
    return;
  }
  try {
    const holder = holderOf(path);
    if (holder === undefined || !isRunning(holder)) rmSync(path, { force: true });
  } finally {
    rmSync(breaker, { recursive: true, force: true });
  }
}

/** Compares the shape, because errors of Node are not always instances of this realm's Error. */
function isCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
