const CHUNK_LENGTH = 256 * 1024;

/** Records as lines of JSON, which is what an import takes, in chunks of about 256 KiB; a record is made when its chunk is asked for. */
export function* ndjsonOf(records: Iterable<object>): Generator<string> {
  let chunk = '';
  for (const record of records) {
    chunk += `${JSON.stringify(record)}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
