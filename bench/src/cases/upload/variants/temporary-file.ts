import type { Run } from '../../../harness/types.js';
import { withFile } from '../../../data/file-sink.js';
import { chunksOf, clientOf, uploaded } from '../stored.js';

/** Written first, so that its length is known. */
export const run: Run = (input) =>
  uploaded(input, (target) =>
    withFile(
      async ({ put }) => {
        for await (const chunk of chunksOf(target)) await put(chunk);
      },
      (path) => clientOf(target).fPutObject(target.bucket, target.key, path),
    ),
  );
