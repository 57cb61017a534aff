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

/** Generates an API token: `stu_`, 32 random bytes in base 62, and a checksum. */
export function newToken(): string {
  const secret = base62(randomBytes(SECRET_BYTES), SECRET_DIGITS);
  return MARK + secret + checksumOf(secret);
}

/** Whether a text has the format and checksum of a token. Detects typing errors and random guesses without a lookup. */
export function isToken(text: string): boolean {
  const [, secret, checksum] = SHAPE.exec(text) ?? [];
  return secret !== undefined && checksumOf(secret) === checksum;
}

/** The hash that is stored in place of the token (hex). With 256 random bits, neither salt nor a slow hash is needed. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** The part of a token that may be displayed, so that people can tell their tokens apart. */
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
