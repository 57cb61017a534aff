import { accessSync, constants, createWriteStream, realpathSync, rmSync, statSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '@stechuhr/kernel';
import { cleanUpOnSignal } from './clean-up-on-signal.js';
import { Failure } from './failure.js';

/** The content of a file. */
type Chunks = AsyncIterable<Uint8Array> | Iterable<string>;

/**
 * Checks the path of an output file before there is something to write.
 * @returns writes the file; it appears under its name, or replaces the existing file, only when it is complete
 * @throws Failure if it cannot be written
 */
export function outputFile(name: string): (chunks: Chunks) => Promise<void> {
  if (name === '') throw new Failure('--output: The name of the file is empty.', 2);
  const existing = statSync(name, { throwIfNoEntry: false });
  if (existing?.isDirectory() === true) throw new Failure(`${name} is a folder.`, 2);
  // Devices and pipes are written to directly; renaming would replace them by a file.
  if (existing !== undefined && !existing.isFile())
    return (chunks) => writing(name, pipeline(Readable.from(chunks), createWriteStream(name)));
  // Follow a symbolic link, so that the link itself is kept.
  const target = existing === undefined ? path.resolve(name) : realpathSync(name);
  const folder = path.dirname(target);
  try {
    accessSync(folder, constants.W_OK);
    if (existing !== undefined) accessSync(target, constants.W_OK);
  } catch (caught) {
    throw unwritten(name, caught);
  }
  return (chunks) => writing(name, writeCompletely(target, chunks, existing?.mode));
}

/** Until it is complete, the file has a unique temporary name. It keeps the permissions of the file that it replaces. */
async function writeCompletely(target: string, chunks: Chunks, mode: number | undefined): Promise<void> {
  const unfinished = path.join(path.dirname(target), `stechuhr-${newId()}.part`);
  const end = cleanUpOnSignal(() => rmSync(unfinished, { force: true }));
  try {
    await pipeline(Readable.from(chunks), createWriteStream(unfinished, { flags: 'wx', ...(mode !== undefined && { mode }) }));
    // When it is created, the file mask may take some of them away.
    if (mode !== undefined) await chmod(unfinished, mode);
    await rename(unfinished, target);
  } finally {
    end();
    await rm(unfinished, { force: true });
  }
}

/** Reports errors of writing; errors that the platform raises while the content is read pass unchanged. */
async function writing(name: string, written: Promise<void>): Promise<void> {
  await written.catch((caught: unknown) => {
    throw caught instanceof Error && 'syscall' in caught ? unwritten(name, caught) : caught;
  });
}

function unwritten(name: string, caught: unknown): Failure {
  return new Failure(`${name} could not be written: ${caught instanceof Error ? caught.message : String(caught)}`, 1, caught);
}
