import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A folder on a disk of its own. */
export interface Volume {
  /**
   * What was written and not synced is gone, as when a machine loses its power. The servers that write to it have been killed.
   */
  losePower(): void;
  /** Unmounts it; the folder is empty then. */
  close(): void;
}

/**
 * Mounts a file system of so many MiB over an empty folder. Its disk is a file: the kernel keeps what was not synced to itself for some seconds, as
 * for any disk, so that a copy of the file has what a disk has that was switched off.
 *
 * @param image the file, beside which its copy is made
 */
export function openVolume(folder: string, image: string, sizeMib: number): Volume {
  mkdirSync(dirname(image), { recursive: true });
  writeFileSync(image, '');
  truncateSync(image, sizeMib * 1_048_576);
  execFileSync('mkfs.ext4', ['-q', '-F', image]);
  mount(image, folder);
  return {
    losePower() {
      const copy = `${image}.copy`;
      execFileSync('cp', ['--sparse=always', image, copy]);
      // Writes what is left to the file that nobody will read.
      unmount(folder);
      renameSync(copy, image);
      mount(image, folder);
    },
    close() {
      unmount(folder);
      rmSync(image);
    },
  };
}

/** Whether this machine has what it takes: file systems in files need more than a namespace of mounts. */
export function hasVolumes(): boolean {
  const tools = ['mkfs.ext4', 'losetup'].every((tool) => spawnSync(tool, ['--version']).error === undefined);
  return tools && spawnSync('losetup', ['--find']).status === 0;
}

function mount(image: string, folder: string): void {
  execFileSync('mount', ['-o', 'loop,dirsync', image, folder], { stdio: ['ignore', 'ignore', 'pipe'] });
}

function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder]);
}
