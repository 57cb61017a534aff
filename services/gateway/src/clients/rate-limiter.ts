import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock, Logger } from '@stechuhr/kernel';
import type { RedisClient } from '@stechuhr/redis';

/** The decision of a rate limit about one request. */
export interface Verdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until another request is allowed; at least 1 if this one is not. */
  readonly resetSeconds: number;
  /** The end of the window in which the request was counted, in milliseconds since the epoch. */
  readonly countedUntil: number;
}

export interface RateLimiter {
  take(key: string): Promise<Verdict>;
}

/** A rate limiter for requests that may turn out not to count. */
export interface RefundingRateLimiter extends RateLimiter {
  /** Gives back a request if what it was counted for did not happen. Once its window has ended, it no longer counts anyway. */
  giveBack(key: string, taken: Verdict): Promise<void>;
}

interface RateLimiterOptions {
  readonly redis: RedisClient;
  readonly isAvailable: () => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly name: string;
  readonly perMinute: number;
  /** The number of additional requests in ten minutes, after the limit per minute is used up. */
  readonly burst: number;
}

const MINUTE_SECONDS = 60;
const BURST_SECONDS = 600;

interface Limits {
  readonly steady: RateLimiterRedis | RateLimiterMemory;
  readonly all: RateLimiterRedis | RateLimiterMemory | BurstyRateLimiter;
}

/**
 * Creates a rate limiter whose counters are shared by all gateways in Redis. While Redis does not respond, each process counts alone, which
 * is too lenient but keeps the API available.
 */
export function createRateLimiter(options: RateLimiterOptions): RefundingRateLimiter {
  const { redis, isAvailable, clock, logger, name, perMinute } = options;
  const shared = withBurst(options, (limit) => new RateLimiterRedis({ ...limit, storeClient: redis, rejectIfRedisNotReady: true }));
  const alone = withBurst(options, (limit) => new RateLimiterMemory(limit));
  /** What was counted in memory is not in Redis, also if Redis is available again when it is given back. */
  const countedAlone = new WeakSet<Verdict>();
  const takeIn = ({ all }: Limits, key: string) => judge({ limit: perMinute, clock }, () => all.consume(key));
  const inRedis = async <T>(action: () => Promise<T>): Promise<T | undefined> => {
    if (!isAvailable()) return undefined;
    try {
      return await action();
    } catch (caught) {
      logger.warn({ err: caught, limit: name }, 'Redis did not count a request');
      return undefined;
    }
  };
  return {
    async take(key) {
      const taken = await inRedis(() => takeIn(shared, key));
      if (taken !== undefined) return taken;
      const takenAlone = await takeIn(alone, key);
      countedAlone.add(takenAlone);
      return takenAlone;
    },
    async giveBack(key, taken) {
      if (clock.now() >= taken.countedUntil) return;
      if (countedAlone.has(taken)) await alone.steady.reward(key);
      else await inRedis(() => shared.steady.reward(key));
    },
  };
}

/**
 * Creates a rate limiter that each gateway counts for itself, in memory. It limits what one key, for example an institution, may use of
 * this process, regardless of the number of tokens.
 */
export function createOwnRateLimiter(perMinute: number, clock: Clock): RateLimiter {
  const counters = new RateLimiterMemory({ points: perMinute, duration: MINUTE_SECONDS });
  return { take: (key) => judge({ limit: perMinute, clock }, () => counters.consume(key)) };
}

interface Counting {
  readonly limit: number;
  readonly clock: Clock;
}

/** @param consume rejects with `RateLimiterRes` if the limit is used up, as rate-limiter-flexible does */
async function judge({ limit, clock }: Counting, consume: () => Promise<RateLimiterRes>): Promise<Verdict> {
  const verdict = (allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Verdict => ({
    allowed,
    limit,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(allowed ? 0 : 1, Math.ceil(msBeforeNext / 1000)),
    countedUntil: clock.now() + msBeforeNext,
  });
  try {
    return verdict(true, await consume());
  } catch (caught) {
    if (caught instanceof RateLimiterRes) return verdict(false, caught);
    throw caught;
  }
}

interface Limit {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

function withBurst({ name, perMinute, burst }: RateLimiterOptions, create: (limit: Limit) => Limits['steady']): Limits {
  const steady = create({ keyPrefix: `stechuhr:limit:${name}`, points: perMinute, duration: MINUTE_SECONDS });
  if (burst === 0) return { steady, all: steady };
  const more = create({ keyPrefix: `stechuhr:limit:${name}:burst`, points: burst, duration: BURST_SECONDS });
  return { steady, all: new BurstyRateLimiter(steady, more) };
}
