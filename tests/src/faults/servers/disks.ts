import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readlinkSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A folder with a separate small file system. */
export interface Disk {
  /** Fills the disk completely. */
  fill(): void;
  /** Makes the disk read-only. */
  refuseWrites(): void;
  /** Frees the space and makes the disk writable again. */
  restore(): void;
  /** Unmounts the disk, which leaves an empty folder. */
  close(): void;
}

const FILLING = 'filling';
const PIECE = Buffer.alloc(65_536);
/**
 * Variable with the mount namespace of the process that started this one. File systems in a new namespace disappear with its last process.
 */
const OUTSIDE = 'FAULTS_MOUNTS_OUTSIDE';

/** Mounts an in-memory file system over an empty folder. */
export function openDisk(folder: string, sizeMib: number): Disk {
  mount(['-t', 'tmpfs', '-o', `size=${String(sizeMib)}m,mode=0700`, 'tmpfs', folder]);
  const filling = join(folder, FILLING);
  return {
    fill: () => fill(filling),
    refuseWrites: () => mount(['-o', 'remount,ro', folder]),
    restore() {
      mount(['-o', 'remount,rw', folder]);
      rmSync(filling, { force: true });
    },
    close: () => void execFileSync('umount', ['--lazy', folder]),
  };
}

/** Options of `unshare` that allow mounts: the first ones as root, the second ones for other users on some machines. */
const UNSHARE_OPTIONS: readonly (readonly string[])[] = [['--mount'], ['--user', '--map-root-user', '--mount']];

/** Returns whether this process can mount file systems that are invisible to other processes. */
export function hasMounts(): boolean {
  const outside = process.env[OUTSIDE];
  return outside !== undefined && outside !== namespace();
}

/** Restarts this program in a mount namespace. @returns its exit code; undefined if this machine does not allow that */
export async function restartWithMounts(): Promise<number | undefined> {
  const way = UNSHARE_OPTIONS.find((options) => spawnSync('unshare', [...options, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0);
  if (way === undefined) return undefined;
  const args = [...way, process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', args, { stdio: 'inherit', env: { ...process.env, [OUTSIDE]: namespace() } });
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => child.kill(name));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

function namespace(): string {
  return readlinkSync('/proc/self/ns/mnt');
}

function mount(args: readonly string[]): void {
  execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function fill(file: string): void {
  const handle = openSync(file, 'a');
  try {
    for (;;) writeSync(handle, PIECE);
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code !== 'ENOSPC') throw caught;
  } finally {
    closeSync(handle);
  }
}
