import { readFile } from 'node:fs/promises';
import type { Outcome, RunInput } from '../../harness/types.js';
import type { PictureFiles } from './pictures.js';
import { readBack } from './read-back.js';

/** Pictures in memory: reading files is not what is measured. */
export interface Pictures {
  readonly photos: readonly Buffer[];
  readonly signatures: readonly Buffer[];
  readonly opaque: readonly Buffer[];
}

/** One document after the other. */
export async function timedReports(input: RunInput, render: (pictures: Pictures) => Promise<Uint8Array>): Promise<Outcome> {
  const files = input.values as unknown as PictureFiles;
  const read = (paths: readonly string[]) => Promise.all(paths.map((path) => readFile(path)));
  const pictures = { photos: await read(files.photos), signatures: await read(files.signatures), opaque: await read(files.opaque) };
  const startedAt = performance.now();
  let last: Uint8Array = Buffer.alloc(0);
  for (let index = 0; index < (input.checking ? 1 : input.size); index++) last = await render(pictures);
  const values = { wallMs: performance.now() - startedAt, fileKb: last.length / 1024 };
  return input.checking ? { digest: await readBack(last), values } : { values };
}
