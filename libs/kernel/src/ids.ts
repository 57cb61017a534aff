import { createHash, randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new random id (UUID version 4, lower case). */
export function newId(): string {
  return randomUUID();
}

/** Whether the text is a UUID as the API accepts it: 8-4-4-4-12 hex digits in any case, any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The UUID in lower case, the form in which ids are stored and answered; `undefined` when the text is none. */
export function parseUuid(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined;
}

/**
 * A name-based id (RFC 9562, UUID version 5): the same namespace and name give the same id on every machine.
 *
 * @param namespace a UUID
 * @param name any text; UTF-8 is hashed
 */
export function uuidV5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest()
    .subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
