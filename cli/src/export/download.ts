import { Failure } from '../failure.js';
import { reasonOf } from '../reason-of.js';

/**
 * Downloads the file at a signed URL of the object store.
 * @throws Failure, also during reading if the connection breaks
 */
export async function download(target: string): Promise<AsyncIterable<Uint8Array>> {
  const { host } = new URL(target);
  const answer = await fetch(target).catch((caught: unknown) => {
    throw new Failure(`The file is in the store at ${host}, which cannot be reached from here: ${reasonOf(caught)}`, 1, caught);
  });
  if (answer.ok && answer.body !== null) return whole(answer.body, host);
  throw new Failure(`The file could not be fetched: the store answers ${String(answer.status)}.`, 1);
}

async function* whole(body: AsyncIterable<Uint8Array>, host: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch (caught) {
    throw new Failure(`The store at ${host} stopped sending before the file was complete: ${reasonOf(caught)}`, 1, caught);
  }
}
