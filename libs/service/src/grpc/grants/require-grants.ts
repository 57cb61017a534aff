import { metrics } from '@opentelemetry/api';
import { callersOf, institutionOf, needsGrant } from '@stechuhr/contracts';
import type { Logger } from '@stechuhr/kernel';
import { grantFlaws, grantVerifier, type GrantFlaw } from './verify-grants.js';

const failed = metrics.getMeter('@stechuhr/service').createCounter('stechuhr.rpc.grants.failed', {
  description: 'Calls that need a grant for their institution and had no valid one, by reason.',
});

/** A call whose request has arrived. */
export interface ReceivedCall {
  readonly path: string;
  readonly caller: string;
  readonly grant: Buffer | undefined;
  readonly message: unknown;
}

interface GrantCheckOptions {
  /** The methods of the server, by their paths. */
  readonly paths: readonly string[];
  readonly tlsFolder: string;
  /** Whether calls without a valid grant are rejected; otherwise they are only counted. */
  readonly requireGrants: boolean;
  readonly logger: Logger;
}

/**
 * Checks whether a call has a valid grant for the institution in its request, if it needs one (`needsGrant`). Calls without one are
 * counted, but logged only once for each combination of caller, method and flaw: while two versions run, this may affect every call.
 *
 * @returns a function that returns why a call is rejected; undefined if it is accepted
 */
export function grantCheck({ paths, tlsFolder, requireGrants, logger }: GrantCheckOptions): (call: ReceivedCall) => string | undefined {
  const verify = grantVerifier(tlsFolder);
  const known = new Set<string>();
  const count = (times: 0 | 1, path: string, caller: string, flaw: GrantFlaw) =>
    failed.add(times, { 'rpc.method': path.slice(1), caller, flaw });
  // `rate` does not see the first increase of a counter that begins at 1.
  for (const path of paths)
    for (const caller of callersOf(path).filter((name) => needsGrant(name, path)))
      for (const flaw of grantFlaws) count(0, path, caller, flaw);
  const report = (path: string, caller: string, flaw: GrantFlaw) => {
    count(1, path, caller, flaw);
    const method = path.slice(1);
    const kind = `${caller} ${method} ${flaw}`;
    if (!known.has(kind)) logger.warn({ method, caller, flaw, refused: requireGrants }, 'a call came without a valid grant');
    known.add(kind);
  };
  return ({ path, caller, grant, message }) => {
    const flaw = needsGrant(caller, path) ? verify(grant, institutionOf(message)) : undefined;
    if (flaw === undefined) return undefined;
    report(path, caller, flaw);
    return requireGrants ? `${caller} may not ask for the institution: ${flaw}.` : undefined;
  };
}
