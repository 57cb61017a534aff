import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A folder on a separate disk. */
export interface Volume {
  /**
   * Discards all data that was not synced, like a power failure. The servers that use the volume must have been killed.
   */
  losePower(): void;
  /** Unmounts the volume, which leaves an empty folder. */
  close(): void;
}

/**
 * Mounts a file system image over an empty folder. As with any disk, the kernel buffers unsynced data for some seconds, so a copy of the
 * image corresponds to a disk after a power failure.
 *
 * @param image path of the file; its copy is created next to it
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
      // Unmounting writes the remaining data to the original file, which is then replaced.
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

/** Returns whether this machine can mount file system images, which requires more than a mount namespace. */
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
