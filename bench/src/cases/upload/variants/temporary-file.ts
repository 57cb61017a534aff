import type { Run } from '../../../harness/types.js';
import { withFile } from '../../../data/file-sink.js';
import { chunksOf, clientOf, measuredUpload } from '../stored.js';

/** Writes a temporary file first, so that the length is known. */
export const run: Run = (input) =>
  measuredUpload(input, (target) =>
    withFile(
      async ({ put }) => {
        for await (const chunk of chunksOf(target)) await put(chunk);
      },
      (path) => clientOf(target).fPutObject(target.bucket, target.key, path),
    ),
  );
