import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As for connections, renewed files are used within this time. */
const REFRESH_MS = 60_000;

/** The certificate of a service with its intermediate certificates and its key. */
export interface OwnCertificate {
  readonly chain: readonly X509Certificate[];
  readonly key: KeyObject;
}

/** The certificate in a folder (`tls.crt`, `tls.key`), read again every minute; undefined while there is none. */
export function ownCertificate(folder: string): () => OwnCertificate | undefined {
  return refreshed(() => {
    const chain = certificatesIn(readFileSync(join(folder, 'tls.crt'), 'utf8'));
    const key = createPrivateKey(readFileSync(join(folder, 'tls.key')));
    if (chain[0]?.checkPrivateKey(key) !== true) throw new Error('The files are being replaced.');
    return { chain, key };
  });
}

/** The CA certificates in a folder (`ca.crt`), read again every minute; the same list as long as the file does not change. */
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

/** The common name of a certificate, as connections report it. */
export function commonNameOf(certificate: X509Certificate): string | undefined {
  const name: unknown = certificate.toLegacyObject().subject.CN;
  return typeof name === 'string' ? name : undefined;
}

function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

/** If files cannot be read, or do not match, they are being replaced; meanwhile the previous ones are used. */
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
