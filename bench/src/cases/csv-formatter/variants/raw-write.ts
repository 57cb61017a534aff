import { readFile } from 'node:fs/promises';
import { timedFile } from '../../../data/timed-file.js';
import type { Run } from '../../../harness/types.js';

const CHUNK_BYTES = 64 * 1024;

/** The floor: writes bytes that are already in memory. */
export const run: Run = async (input) => {
  const bytes = await readFile(String(input.values['path']));
  return timedFile(input, async ({ put }) => {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await put(bytes.subarray(at, at + CHUNK_BYTES));
  });
};
