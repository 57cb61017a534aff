import type { ServerResponse } from 'node:http';
import type { RateLimiter, Verdict } from '../clients/rate-limiter.js';
import { HttpError, throttled } from '../http/answers.js';
import { countRefusal, type Limit } from '../metrics.js';
import type { Principal } from '../operations/authenticate.js';

/** Each limiter is undefined if it is disabled. */
export interface RequestLimiters {
  readonly ofToken: RateLimiter | undefined;
  /** The limit for all tokens of an institution together. */
  readonly ofInstitution: RateLimiter | undefined;
}

/**
 * Counts a request of a token and sets the headers with the remaining number. Requests that the limit of the token refuses do not count for
 * the institution, so that one misbehaving client does not block the others of its institution.
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

/** Counts a refused request and returns its response, with the headers of the limit. */
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
