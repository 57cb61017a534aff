import { Readable } from 'node:stream';
import type { Run } from '../../../harness/types.js';
import { chunksOf, clientOf, uploaded } from '../stored.js';

/** The client sizes its parts for the largest object there can be, and holds one of them. */
export const run: Run = (input) =>
  uploaded(input, (target) =>
    clientOf(target).putObject(target.bucket, target.key, Readable.from(chunksOf(target), { objectMode: false })),
  );
