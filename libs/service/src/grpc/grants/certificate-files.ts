import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The same interval at which the connections reload renewed files. */
const REFRESH_MS = 60_000;

/** The certificate of a service, its intermediate certificates, and its key. */
export interface OwnCertificate {
  readonly chain: readonly X509Certificate[];
  readonly key: KeyObject;
}

/**
 * Returns a function that reads the certificate in a folder (`tls.crt`, `tls.key`), at most once a minute; undefined while there is none.
 */
export function ownCertificate(folder: string): () => OwnCertificate | undefined {
  return refreshed(() => {
    const chain = certificatesIn(readFileSync(join(folder, 'tls.crt'), 'utf8'));
    const key = createPrivateKey(readFileSync(join(folder, 'tls.key')));
    if (chain[0]?.checkPrivateKey(key) !== true) throw new Error('The files are being replaced.');
    return { chain, key };
  });
}

/**
 * Returns a function that reads the certificates of the authorities in a folder (`ca.crt`), at most once a minute. As long as the file is
 * unchanged, it returns the same list.
 */
export function trustedAuthorities(folder: string): () => readonly X509Certificate[] | undefined {
  let known = '';
  let authorities: readonly X509Certificate[] = [];
  return refreshed(() => {
    const text = readFileSync(join(folder, 'ca.crt'), 'utf8');
    if (text !== known) authorities = certificatesIn(text);
    known = text;
    return authorities;
  });
}

/** Returns the common name of a certificate, as connections report it. */
export function commonNameOf(certificate: X509Certificate): string | undefined {
  const name: unknown = certificate.toLegacyObject().subject.CN;
  return typeof name === 'string' ? name : undefined;
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

/** Caches what `read` returns. Files that cannot be read or do not match are being replaced; meanwhile, the previous result is used. */
function refreshed<T>(read: () => T): () => T | undefined {
  let current: T | undefined;
  let readAt = -Infinity;
  return () => {
    if (performance.now() - readAt < REFRESH_MS) return current;
    try {
      current = read();
      readAt = performance.now();
    } catch {
      // Retried with the next call.
    }
    return current;
  };
}
