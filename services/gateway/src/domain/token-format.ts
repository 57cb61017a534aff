import { hash, randomBytes } from 'node:crypto';

const MARK = 'stu_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);
// 32 bytes need at most 43 digits in base 62.
const SECRET_BYTES = 32;
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;
const SHAPE = new RegExp(`^${MARK}([0-9A-Za-z]{${SECRET_DIGITS}})([0-9A-Za-z]{${CHECKSUM_DIGITS}})$`);
const PREFIX_LENGTH = 8;

/** Returns a new API token: `stu_`, 32 random bytes in base 62, and a checksum. */
export function newToken(): string {
  const secret = base62(randomBytes(SECRET_BYTES), SECRET_DIGITS);
  return MARK + secret + checksumOf(secret);
}

/** Returns whether the text has the format and the checksum of a token. This detects typing errors and random guesses without a lookup. */
export function isToken(text: string): boolean {
  const [, secret, checksum] = SHAPE.exec(text) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

/** Returns the hash that is stored instead of the token, in hexadecimal. 256 random bits need neither a salt nor a slow hash. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** Returns the part of a token that may be shown, so that users can tell their tokens apart. */
export function displayPrefix(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}

function checksumOf(secret: string): string {
  return base62(hash('sha256', secret, 'buffer').subarray(0, 4), CHECKSUM_DIGITS);
}

function base62(bytes: Buffer, width: number): string {
  let digits = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= BASE) digits = ALPHABET.charAt(Number(rest % BASE)) + digits;
  return digits.padStart(width, '0');
}
