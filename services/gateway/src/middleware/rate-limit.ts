import type { ServerResponse } from 'node:http';
import type { RateLimiter, Verdict } from '../clients/rate-limiter.js';
import { countRefusal } from '../metrics.js';
import { HttpError, throttled } from '../http/answers.js';

/** Counts a request of a token and sets the headers with the remaining number. */
export async function limitRequests(limiter: RateLimiter | undefined, tokenId: string, response: ServerResponse): Promise<void> {
  if (limiter === undefined) return;
  const verdict = await limiter.take(tokenId);
  setRateLimitHeaders(response, verdict);
  if (verdict.allowed) return;
  countRefusal('requests');
  throw new HttpError(throttled(verdict.resetSeconds));
}

export function setRateLimitHeaders(response: ServerResponse, { limit, remaining, resetSeconds }: Verdict): void {
  response.setHeader('RateLimit-Limit', limit);
  response.setHeader('RateLimit-Remaining', remaining);
  response.setHeader('RateLimit-Reset', resetSeconds);
}
