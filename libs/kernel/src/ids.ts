import { hash, randomUUID } from 'node:crypto';

/** Regular expression (source) of a UUID of any version, in upper or lower case. */
export const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const WHOLE_UUID = new RegExp(`^${UUID}$`);

/** Returns a new random id (UUID version 4, lower case). */
export function newId(): string {
  return randomUUID();
}

/** Whether the text is a UUID as the API accepts it: 8-4-4-4-12 hex digits in any case, any version. */
export function isUuid(text: string): boolean {
  return WHOLE_UUID.test(text);
}

/** Returns the UUID in lower case, the form in which ids are stored and returned; `undefined` if the text is not a UUID. */
export function parseUuid(text: string): string | undefined {
  return WHOLE_UUID.test(text) ? text.toLowerCase() : undefined;
}

/**
 * Returns a name-based id (UUID version 5, RFC 9562): the same namespace and name always give the same id.
 *
 * @param namespace a UUID
 * @param name any text; its UTF-8 encoding is hashed
 */
export function uuidV5(namespace: string, name: string): string {
  const named = Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name, 'utf8')]);
  const hex = hash('sha1', named, 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Returns a new id that begins with the current time (UUID version 7, RFC 9562). Compared as texts, ids sort by creation time, with a
 * precision of one millisecond.
 */
export function newTimeOrderedId(): string {
  return `${firstIdAt(Date.now())}-7${randomUUID().slice(15)}`;
}

/**
 * Returns an id that begins with the time of another one, and is always the same for that id and a name.
 *
 * @param id a {@link newTimeOrderedId}
 */
export function timeOrderedIdFrom(id: string, name: string): string {
  return `${id.slice(0, 14)}7${uuidV5(id, name).slice(15)}`;
}

/**
 * Returns the common prefix of all {@link newTimeOrderedId}s of a millisecond. As a text, it sorts before all of them and after all earlier
 * ones.
 */
export function firstIdAt(milliseconds: number): string {
  const hex = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}`;
}
