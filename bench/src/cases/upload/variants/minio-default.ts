import { Readable } from 'node:stream';
import type { Run } from '../../../harness/types.js';
import { chunksOf, clientOf, measuredUpload } from '../stored.js';

/** By default the client buffers one part, whose size is chosen for the largest possible object. */
export const run: Run = (input) =>
  measuredUpload(input, (target) =>
    clientOf(target).putObject(target.bucket, target.key, Readable.from(chunksOf(target), { objectMode: false })),
  );
