import { metrics } from '@opentelemetry/api';
import { institutionOf, needsGrant } from '@stechuhr/contracts';
import type { Logger } from '@stechuhr/kernel';
import { grantVerifier, type GrantFlaw } from './verify-grants.js';

const failed = metrics.getMeter('@stechuhr/service').createCounter('stechuhr.rpc.grants.failed', {
  description: 'Calls that came without a valid grant for their institution where they need one, by what was wrong.',
});

/** A call whose message has arrived. */
export interface AskedCall {
  readonly path: string;
  readonly caller: string;
  readonly grant: Buffer | undefined;
  readonly message: unknown;
}

interface GrantTerms {
  readonly tlsFolder: string;
  /** Otherwise calls without a valid grant are answered. */
  readonly requireGrants: boolean;
  readonly logger: Logger;
}

/**
 * Judges whether a call has a valid grant for the institution in its message, where it needs one (`needsGrant`). Calls that have none are
 * counted, and logged once for each kind: while two versions run, each call may be one.
 *
 * @returns a function that says why a call is refused; undefined when it is answered
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
