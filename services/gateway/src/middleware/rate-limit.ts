import type { ServerResponse } from 'node:http';
import type { RateLimiter, Verdict } from '../clients/rate-limiter.js';
import { HttpError, throttled } from '../http/answers.js';
import { countRefusal, type Limit } from '../metrics.js';
import type { Principal } from '../operations/authenticate.js';

/** Each is absent when it is off. */
export interface RequestLimiters {
  readonly ofToken: RateLimiter | undefined;
  /** For all tokens of an institution together, which may be many. */
  readonly ofInstitution: RateLimiter | undefined;
}

/**
 * Counts a request of a token and sets the headers with the remaining number. What the token's own limit refuses does not count for its
 * institution, so that one client that goes on regardless does not stop the others of its firm.
 *
 * @throws HttpError 429 with the headers of the limit that is used up
 */
export async function limitRequests(limiters: RequestLimiters, principal: Principal, response: ServerResponse): Promise<void> {
  const ofToken = await limiters.ofToken?.take(principal.tokenId);
  if (ofToken?.allowed === false) throw refusal('requests', ofToken, response);
  if (ofToken !== undefined) setRateLimitHeaders(response, ofToken);
  const ofInstitution = await limiters.ofInstitution?.take(principal.caller.institutionId);
  if (ofInstitution?.allowed === false) throw refusal('institution_requests', ofInstitution, response);
}

/** What a request beyond a limit is answered, with the headers of that limit; counts it. */
export function refusal(limit: Limit, verdict: Verdict, response: ServerResponse): HttpError {
  setRateLimitHeaders(response, verdict);
  countRefusal(limit);
  return new HttpError(throttled(verdict.resetSeconds));
}

function setRateLimitHeaders(response: ServerResponse, { limit, remaining, resetSeconds }: Verdict): void {
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', remaining);
  response.setHeader('RateLimit-Reset', resetSeconds);
}
