import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Run } from '../../../harness/types.js';
import { chunksOf, clientOf, measuredUpload } from '../stored.js';

/** The floor: a single PUT request, for which S3 requires the length in advance. */
export const run: Run = (input) =>
  measuredUpload(input, async (target) => {
    const url = await clientOf(target).presignedPutObject(target.bucket, target.key);
    const put = request(url, { method: 'PUT', headers: { 'Content-Length': target.sizeBytes } });
    const answered = once(put, 'response') as Promise<[IncomingMessage]>;
    await pipeline(Readable.from(chunksOf(target), { objectMode: false }), put);
    const [response] = await answered;
    response.resume();
    if (response.statusCode !== 200) throw new Error(`S3 answered ${response.statusCode}.`);
  });
