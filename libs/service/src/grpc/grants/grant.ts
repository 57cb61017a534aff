import { sign, verify, type KeyObject } from 'node:crypto';
import { Metadata } from '@grpc/grpc-js';

const KEY = 'stechuhr-grant-bin';

/** The content of a grant. */
export interface GrantTerms {
  readonly institutionId: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Returns the metadata of a call, with its grant if it has one. */
export function metadataWith(grant: Buffer | undefined): Metadata {
  const metadata = new Metadata();
  if (grant !== undefined) metadata.set(KEY, grant);
  return metadata;
}

/** Returns the grant of a call. */
export function grantIn(metadata: Metadata): Buffer | undefined {
  const [value] = metadata.get(KEY);
  return Buffer.isBuffer(value) ? value : undefined;
}

/** Signs a grant. */
export function signTerms(terms: GrantTerms, key: KeyObject): Buffer {
  return sign(digestOf(key), textOf(terms), key);
}

/** Whether the content was signed by the owner of a public key. */
export function isSigned(terms: GrantTerms, key: KeyObject, signature: Uint8Array): boolean {
  return verify(digestOf(key), textOf(terms), key, signature);
}

/**
 * Returns the text to be signed. It cannot be confused with what TLS signs with the same key, which begins with 64 spaces, a random number
 * or a handshake message.
 */
function textOf({ institutionId, expiresAt }: GrantTerms): Buffer {
  return Buffer.from(`stechuhr-grant 1 ${String(expiresAt)} ${institutionId}`);
}

function digestOf({ asymmetricKeyType }: KeyObject): 'sha256' | null {
  return asymmetricKeyType === 'ed25519' || asymmetricKeyType === 'ed448' ? null : 'sha256';
}
