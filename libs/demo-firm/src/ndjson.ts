const CHUNK_LENGTH = 256 * 1024;

/**
 * Yields records as lines of JSON (NDJSON), the format of imports, in chunks of about 256 KiB. Records are generated when their chunk is
 * requested.
 */
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
