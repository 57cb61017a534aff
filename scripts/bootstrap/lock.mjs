import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Advice, say } from './say.mjs';

const POLL_MS = 200;

/**
 * Runs work while holding a lock file, so that no two scripts in one checkout do it at the same time.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @throws {Advice} if its folder cannot be written to
 */
export async function withLock(path, work) {
  let isReported = false;
  while (!acquire(path)) {
    const holder = holderOf(path);
    if (holder === undefined || !isRunning(holder)) {
      removeStale(path, holder);
      continue;
    }
    if (!isReported) say(`process ${pidOf(holder)} is preparing this checkout, waiting for it`);
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
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, `${process.pid} ${startOf(process.pid)}`);
  } catch (error) {
    throw new Advice(`${dirname(path)} must be writable, because this command has to prepare something there first: ${error}`);
  }
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

/** @param {string} path @returns {string | undefined} the pid of the holder and when it was started */
function holderOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} holder */
const pidOf = (holder) => Number(holder.split(' ')[0]);

/**
 * Moves a dead holder's lock away, and puts it back if it turns out to be the new lock of another process.
 * @param {string} path
 * @param {string | undefined} holder
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

/**
 * Whether the holder still runs. Its pid alone does not tell: in a container that is started again, processes get the same pids as before.
 * @param {string} holder
 */
function isRunning(holder) {
  const [, start = ''] = holder.split(' ');
  try {
    process.kill(pidOf(holder), 0);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return false;
  }
  const found = startOf(pidOf(holder));
  return start === '' || found === '' || start === found;
}

/**
 * When a process was started, by boot and clock tick; empty where the system does not tell. libs/local-infra does the same, but is not built
 * yet when a lock is taken.
 * @param {number} pid
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, may contain blanks. After it come the state, Z for one that has ended, and as the twentieth the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields[0] === 'Z' ? 'ended' : fields[19];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`;
  } catch {
    return '';
  }
}
