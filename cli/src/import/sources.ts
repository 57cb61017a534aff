import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.js';

/** A file of an import, as named on the command line; `-` is standard input. */
export interface Source {
  readonly name: string;
  /** Null if it is unknown before the end. */
  readonly bytes: number | null;
  open(): AsyncIterable<Uint8Array>;
}

/**
 * Opens the files of a command; all of them are checked before the first is read. npm runs scripts in the root of the repository, so a relative path
 * is also resolved from the folder in which npm was called.
 * @throws Failure (wrong usage) that names every unreadable file
 */
export function openSources(names: readonly string[], calledIn: string | undefined): readonly Source[] {
  const problems: string[] = [];
  if (names.filter((name) => name === '-').length > 1) problems.push('Standard input (-) can be read only once.');
  const sources = names.flatMap((name) => {
    const source = name === '-' ? standardInput() : fileSource(name, calledIn);
    if (typeof source === 'string') problems.push(source);
    return typeof source === 'string' ? [] : [source];
  });
  if (problems.length > 0) throw new Failure(`${problems.join('\n')}\nNothing was sent.`, 2);
  return sources;
}

function standardInput(): Source {
  return { name: '-', bytes: null, open: () => process.stdin };
}

/** The source, or why it cannot be read. */
function fileSource(name: string, calledIn: string | undefined): Source | string {
  const file = findFile(name, calledIn);
  if (typeof file === 'string') return file;
  return { name, bytes: file.bytes, open: () => createReadStream(file.path, { highWaterMark: 256 * 1024 }) };
}

/**
 * Finds a file of the command line as {@link openSources} does.
 * @returns its path, or why it cannot be read
 */
export function findFile(name: string, calledIn: string | undefined): (Pick<Source, 'bytes'> & { readonly path: string }) | string {
  if (name === '') return 'The name of a file is empty.';
  const places = [path.resolve(name), ...(calledIn === undefined ? [] : [path.resolve(calledIn, name)])];
  const file = places.find((place) => statSync(place, { throwIfNoEntry: false }) !== undefined);
  if (file === undefined) return `There is no file ${name}.`;
  const stats = statSync(file);
  if (stats.isDirectory()) return `${name} is a folder.`;
  try {
    accessSync(file, constants.R_OK);
  } catch {
    return `${name} may not be read.`;
  }
  return { path: file, bytes: stats.isFile() ? stats.size : null };
}
