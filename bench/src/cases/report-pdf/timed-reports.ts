import { readFile } from 'node:fs/promises';
import type { Outcome, RunInput } from '../../harness/types.js';
import type { PictureFiles } from './pictures.js';

/** Pictures in memory, because reading files is not measured. */
export interface Pictures {
  readonly photos: readonly Buffer[];
  readonly signatures: readonly Buffer[];
  readonly opaque: readonly Buffer[];
}

/** Number of reports before the measurement, during which V8 compiles the code: a service runs for a long time. */
const WARM_UP = 10;

/** Renders documents sequentially and measures the time. */
export async function timedReports(input: RunInput, render: (pictures: Pictures) => Promise<Uint8Array>): Promise<Outcome> {
  const files = input.values as unknown as PictureFiles;
  const read = (paths: readonly string[]) => Promise.all(paths.map((path) => readFile(path)));
  const pictures = { photos: await read(files.photos), signatures: await read(files.signatures), opaque: await read(files.opaque) };
  for (let index = 0; index < Math.min(WARM_UP, input.size); index++) await render(pictures);
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  let last: Uint8Array = Buffer.alloc(0);
  for (let index = 0; index < (input.checking ? 1 : input.size); index++) last = await render(pictures);
  const { user, system } = process.cpuUsage(cpu);
  const values = { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000, fileKb: last.length / 1024 };
  return input.checking ? { digest: await readBack(last), values } : { values };
}

/** The reader increases the memory of the process, so it is loaded only when it is needed. */
async function readBack(pdf: Uint8Array): Promise<string> {
  return (await import('./read-back.js')).readBack(pdf);
}
