import { readAhead } from './read-ahead.js';

/** Reads the records of employees, encoded as messages. Undefined if they are too large to be read together. */
export type ReadSlice = (employeeIds: readonly string[]) => Promise<Iterable<Uint8Array> | undefined>;

/** Reads slices of employees, one ahead. A slice that turns out to be too large is read in halves. */
export async function* readSlices(slices: readonly (readonly string[])[], read: ReadSlice): AsyncGenerator<Uint8Array> {
  const readEach = async (slice: readonly string[]) => ({ slice, messages: await read(slice) });
  for await (const { slice, messages } of readAhead(slices, readEach)) {
    if (messages === undefined) yield* readSlices(halvesOf(slice), read);
    else yield* messages;
  }
}

function halvesOf(slice: readonly string[]): readonly (readonly string[])[] {
  if (slice.length < 2) throw new Error('The records of a single employee cannot be divided.');
  const half = Math.ceil(slice.length / 2);
  return [slice.slice(0, half), slice.slice(half)];
}
