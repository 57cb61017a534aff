import { commonV1, mayGrant } from '@stechuhr/contracts';
import { commonNameOf, ownCertificate } from './certificate-files.js';
import { signTerms } from './grant.js';

/** Signs a grant for an institution; undefined if this process may not sign grants. */
export type GrantSigner = (institutionId: string, lasts: GrantLength) => Buffer | undefined;

/**
 * How long a grant is valid: `call` for calls that end with their deadline; `stream` for calls that may last as long as their connection,
 * and make further calls until then.
 */
export type GrantLength = keyof typeof LENGTHS_S;

/** Lifetimes in seconds: longer than the deadline of any unary call, and longer than `max_connection_age` with its grace period. */
const LENGTHS_S = { call: 5 * 60, stream: 70 * 60 };
/** A signature is reused for one minute. */
const SIGNED_AGAIN_MS = 60_000;
/** Maximum number of cached signatures. With more institutions per minute, some signatures are created again earlier. */
const MAX_KEPT = 10_000;

interface Signed {
  readonly grant: Buffer;
  readonly until: number;
}

/** Creates the signer of a process, with the certificate and key in its folder. */
export function grantSigner(tlsFolder: string): GrantSigner {
  const certificate = ownCertificate(tlsFolder);
  const kept = new Map<string, Signed>();
  return (institutionId, lasts) => {
    const name = `${lasts} ${institutionId}`;
    const known = kept.get(name);
    if (known !== undefined && known.until > performance.now()) return known.grant;
    const own = certificate();
    if (own?.chain[0] === undefined || !mayGrant(commonNameOf(own.chain[0]))) return undefined;
    const terms = { institutionId, expiresAt: Math.floor(Date.now() / 1_000) + LENGTHS_S[lasts] };
    const certificates = own.chain.map(({ raw }) => raw);
    const grant = Buffer.from(commonV1.Grant.encode({ ...terms, signature: signTerms(terms, own.key), certificates }).finish());
    // Moves the entry to the end, so that the first one is always the oldest.
    kept.delete(name);
    kept.set(name, { grant, until: performance.now() + SIGNED_AGAIN_MS });
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return grant;
  };
}
