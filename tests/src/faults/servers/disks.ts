import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readlinkSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A folder with a small file system of its own. */
export interface Disk {
  /** Leaves no room. */
  fill(): void;
  /** Nothing in it can be changed. */
  refuseWrites(): void;
  /** Makes room, and takes changes again. */
  restore(): void;
  /** Unmounts it; the folder is empty then. */
  close(): void;
}

const FILLING = 'filling';
const PIECE = Buffer.alloc(65_536);
/** The namespace of mounts in which whoever started this process was; the file systems go with the last process of another one. */
const OUTSIDE = 'FAULTS_MOUNTS_OUTSIDE';

/** Mounts a file system of so many MiB, in memory, over an empty folder. */
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

/** What others need to mount something; as root it is the first of these, else perhaps the second. */
const WAYS: readonly (readonly string[])[] = [['--mount'], ['--user', '--map-root-user', '--mount']];

/** Whether this process may mount file systems without anybody else seeing them. */
export function hasMounts(): boolean {
  const outside = process.env[OUTSIDE];
  return outside !== undefined && outside !== namespace();
}

/** Starts this program again, where it may. @returns its exit code; undefined when this machine allows it in no way */
export async function againWithMounts(): Promise<number | undefined> {
  const way = WAYS.find((options) => spawnSync('unshare', [...options, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0);
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
