import { metrics } from '@opentelemetry/api';
import { institutionOf, needsGrant } from '@stechuhr/contracts';
import type { Logger } from '@stechuhr/kernel';
import { grantVerifier, type GrantFlaw } from './verify-grants.js';

const failed = metrics.getMeter('@stechuhr/service').createCounter('stechuhr.rpc.grants.failed', {
  description: 'Calls that need a grant for their institution and had no valid one, by reason.',
});

/** A call whose request has arrived. */
export interface AskedCall {
  readonly path: string;
  readonly caller: string;
  readonly grant: Buffer | undefined;
  readonly message: unknown;
}

interface GrantTerms {
  readonly tlsFolder: string;
  /** Otherwise, calls without a valid grant are only counted. */
  readonly requireGrants: boolean;
  readonly logger: Logger;
}

/**
 * Checks whether a call that needs a grant (`needsGrant`) has a valid one for the institution in its request. Calls without one are counted, and
 * logged once for each kind, since there may be many while two versions run.
 * @returns a function that returns why a call is refused; undefined if it is accepted
 */
export function grantCheck({ tlsFolder, requireGrants, logger }: GrantTerms): (call: AskedCall) => string | undefined {
  const verify = grantVerifier(tlsFolder);
  const known = new Set<string>();
  const report = (method: string, caller: string, flaw: GrantFlaw) => {
    failed.add(1, { 'rpc.method': method, caller, flaw });
    const kind = `${caller} ${method} ${flaw}`;
    if (!known.has(kind)) logger.warn({ method, caller, flaw, refused: requireGrants }, 'a call came without a valid grant');
    known.add(kind);
  };
  return ({ path, caller, grant, message }) => {
    const flaw = needsGrant(caller, path) ? verify(grant, institutionOf(message)) : undefined;
    if (flaw === undefined) return undefined;
    report(path.slice(1), caller, flaw);
    return requireGrants ? `${caller} may not ask for the institution: ${flaw}.` : undefined;
  };
}
