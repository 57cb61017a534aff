import { hash, randomUUID } from 'node:crypto';

/** A UUID of any version, in any case, as part of a regular expression. */
export const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const WHOLE_UUID = new RegExp(`^${UUID}$`);

/** A new random id (UUID version 4, lower case). */
export function newId(): string {
  return randomUUID();
}

/** Whether the text is a UUID as the API accepts it: 8-4-4-4-12 hex digits in any case, any version. */
export function isUuid(text: string): boolean {
  return WHOLE_UUID.test(text);
}

/** The UUID in lower case, the format for stored and returned ids; `undefined` if the text is not a UUID. */
export function parseUuid(text: string): string | undefined {
  return WHOLE_UUID.test(text) ? text.toLowerCase() : undefined;
}

/**
 * A name-based id (RFC 9562, UUID version 5): the same namespace and name give the same id on every machine.
 *
 * @param namespace a UUID
 * @param name any text; UTF-8 is hashed
 */
export function uuidV5(namespace: string, name: string): string {
  const named = Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name, 'utf8')]);
  const hex = hash('sha1', named, 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A new id that begins with the present time (UUID version 7, RFC 9562): as texts, ids sort by when they were made, to the millisecond. */
export function newTimeOrderedId(): string {
  return `${firstIdAt(Date.now())}-7${randomUUID().slice(15)}`;
}

/** The prefix of every {@link newTimeOrderedId} of that millisecond; as a text, it sorts before all of them and after all earlier ones. */
export function firstIdAt(milliseconds: number): string {
  const hex = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}`;
}
