import { X509Certificate } from 'node:crypto';
import { commonV1, mayGrant } from '@stechuhr/contracts';
import { commonNameOf, trustedAuthorities } from './certificate-files.js';
import { isSigned, type GrantTerms } from './grant.js';

/** Why a grant does not permit a call; used as part of a sentence and as a metric label. */
export const grantFlaws = [
  'no grant came with it',
  'the grant is not readable',
  'the grant is for another institution',
  'the grant has expired',
  'the grant is signed by a service that may not',
  'the certificate of the grant is not trusted',
  'the grant was changed',
] as const;

export type GrantFlaw = (typeof grantFlaws)[number];

/** Verifies the grant of a call for an institution; undefined if the grant permits the call. */
export type GrantVerifier = (grant: Buffer | undefined, institutionId: string | undefined) => GrantFlaw | undefined;

/** Tolerated difference between the clocks of two machines. */
const LEEWAY_MS = 60_000;
/** Maximum number of cached valid grants; more than a server receives during their lifetime. */
const MAX_KEPT = 10_000;
/** Maximum length of a chain: the certificate of the service and the intermediate ones. */
const MAX_CHAIN = 5;
/**
 * `clientAuth`. If a certificate restricts its usage and does not permit this, its owner may not make calls, and so may not sign grants
 * either.
 */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

interface Verified {
  readonly institutionId: string;
  /** When the grant or its certificate expires, whichever is first; milliseconds since the epoch. */
  readonly until: number;
}

/** Creates the verifier of a server, which trusts the authorities in its folder. Valid grants are cached until they expire. */
export function grantVerifier(tlsFolder: string): GrantVerifier {
  const authorities = trustedAuthorities(tlsFolder);
  let trusted: readonly X509Certificate[] = [];
  const kept = new Map<string, Verified>();
  const judge = (grant: Buffer): Verified | GrantFlaw => {
    const current = authorities() ?? [];
    if (current !== trusted) kept.clear();
    trusted = current;
    const name = grant.toString('latin1');
    const known = kept.get(name) ?? verified(grant, trusted);
    if (typeof known === 'string') return known;
    kept.set(name, known);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return known;
  };
  return (grant, institutionId) => {
    if (grant === undefined) return 'no grant came with it';
    const judged = judge(grant);
    if (typeof judged === 'string') return judged;
    if (judged.institutionId !== institutionId) return 'the grant is for another institution';
    return judged.until + LEEWAY_MS < Date.now() ? 'the grant has expired' : undefined;
  };
}

function verified(grant: Buffer, authorities: readonly X509Certificate[]): Verified | GrantFlaw {
  const read = readGrant(grant);
  if (read === undefined) return 'the grant is not readable';
  const { terms, signature, service, chain } = read;
  if (!mayGrant(commonNameOf(service))) return 'the grant is signed by a service that may not';
  if (!isTrusted(chain, authorities)) return 'the certificate of the grant is not trusted';
  if (!isSigned(terms, service.publicKey, signature)) return 'the grant was changed';
  return { institutionId: terms.institutionId, until: Math.min(terms.expiresAt * 1_000, service.validToDate.getTime()) };
}

interface ReadGrant {
  readonly terms: GrantTerms;
  readonly signature: Uint8Array;
  readonly service: X509Certificate;
  /** From the certificate of the service to the one that the authority has signed. */
  readonly chain: readonly X509Certificate[];
}

function readGrant(grant: Buffer): ReadGrant | undefined {
  try {
    const { signature, certificates, ...terms } = commonV1.Grant.decode(grant);
    if (certificates.length > MAX_CHAIN) return undefined;
    const chain = certificates.map((raw) => new X509Certificate(raw));
    const [service] = chain;
    return service && { terms, signature, service, chain };
  } catch {
    return undefined;
  }
}

/**
 * Whether each certificate is currently valid and issued by the next one, and the last one by an authority; all except the first must be CA
 * certificates.
 */
function isTrusted(chain: readonly X509Certificate[], authorities: readonly X509Certificate[]): boolean {
  const [service] = chain;
  if (service?.keyUsage !== undefined && !service.keyUsage.includes(CLIENT_AUTH)) return false;
  for (const [at, certificate] of chain.entries()) {
    if (!isInItsTime(certificate)) return false;
    if (authorities.some((authority) => isInItsTime(authority) && hasIssued(authority, certificate))) return true;
    const next = chain[at + 1];
    if (next === undefined || !hasIssued(next, certificate)) return false;
  }
  return false;
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isInItsTime({ validFromDate, validToDate }: X509Certificate): boolean {
  const now = Date.now();
  return validFromDate.getTime() <= now && now <= validToDate.getTime();
}
