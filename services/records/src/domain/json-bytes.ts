/** Matches texts that have one byte for each character in JSON. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const FIRST_INSTANT = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
/** `"2026-03-31T06:00:00.000Z"`; years before 0 and after 9999 have a sign and six digits. */
const INSTANT_BYTES = 26;

/**
 * Returns the size of a value as JSON, in bytes of UTF-8. For a workday, this takes a quarter of the time of creating the text.
 *
 * @param value plain data: texts, numbers, booleans, null, dates, and lists and objects of these; undefined values of objects do not count
 */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string' && PLAIN.test(value)) return value.length + 2;
  if (typeof value !== 'object' || value === null) return bytesOfText(value);
  if (value instanceof Date) {
    const time = value.getTime();
    return time >= FIRST_INSTANT && time <= LAST_INSTANT ? INSTANT_BYTES : bytesOfText(value);
  }
  return Array.isArray(value) ? bytesOfList(value) : bytesOfObject(value as Readonly<Record<string, unknown>>);
}

/** One byte for the bracket, and one for the comma or the closing bracket after each element. */
function bytesOfList(list: readonly unknown[]): number {
  let bytes = 1;
  for (const element of list) bytes += jsonBytes(element) + 1;
  return Math.max(bytes, 2);
}

function bytesOfObject(object: Readonly<Record<string, unknown>>): number {
  let bytes = 1;
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) bytes += jsonBytes(key) + jsonBytes(value) + 2;
  }
  return Math.max(bytes, 2);
}

function bytesOfText(value: unknown): number {
  if (value === null) return 4;
  // In a list, undefined is written as null; the types of the function do not say that it returns no text then.
  const text = JSON.stringify(value) as string | undefined;
  return Buffer.byteLength(text ?? 'null');
}
