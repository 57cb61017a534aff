import { connectObjectStore } from '@stechuhr/objectstore';
import type { Run } from '../../../harness/types.js';
import { chunksOf, measuredUpload } from '../stored.js';

export const run: Run = (input) =>
  measuredUpload(input, (target) => connectObjectStore(target).putStream(target.key, chunksOf(target), 'application/octet-stream'));
