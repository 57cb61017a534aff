import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';

/** A temporary file that a variant writes to. */
export interface FileSink {
  readonly path: string;
  readonly stream: WriteStream;
  /** Writes a chunk and waits if the buffer of the stream is full. */
  put(chunk: string | Uint8Array): Promise<void>;
}

/** Has `write` fill a temporary file, closes it, passes its path to `read`, and removes it. */
export async function withFile<T>(write: (sink: FileSink) => Promise<void>, read: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'stechuhr-bench-'));
  try {
    const path = join(folder, 'output');
    const stream = createWriteStream(path);
    const put = async (chunk: string | Uint8Array): Promise<void> => {
      if (!stream.write(chunk)) await once(stream, 'drain');
    };
    await write({ path, stream, put });
    if (!stream.writableEnded) stream.end();
    if (!stream.writableFinished) await finished(stream);
    return await read(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export async function mebibytesOf(path: string): Promise<number> {
  const { size } = await stat(path);
  return size / 2 ** 20;
}
