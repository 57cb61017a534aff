import type { Outcome, RunInput } from '../harness/types.js';
import { md5Of, mebibytesOf, withFile, type FileSink } from './file-sink.js';

/** Measures how long a formatter takes to write a file. While checking, it also computes the digest of the file. */
export function timedFile(
  { checking }: RunInput,
  write: (sink: FileSink) => Promise<void>,
  digestOf: (path: string) => Promise<string> = md5Of,
): Promise<Outcome> {
  const startedAt = performance.now();
  let wallMs = 0;
  const timed = async (path: string): Promise<Outcome> => {
    wallMs = performance.now() - startedAt;
    const values = { wallMs, fileMb: await mebibytesOf(path) };
    return checking ? { digest: await digestOf(path), values } : { values };
  };
  return withFile(write, timed);
}
