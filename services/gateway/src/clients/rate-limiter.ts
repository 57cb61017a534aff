import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Logger } from '@stechuhr/kernel';
import type { RedisClient } from '@stechuhr/redis';

/** The decision of a rate limit about one request. */
export interface Verdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until requests are allowed again; at least 1 if the request is refused. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  take(key: string): Promise<Verdict>;
  /** Returns a unit for something that did not happen after all. */
  giveBack(key: string): Promise<void>;
}

interface RateLimiterOptions {
  readonly redis: RedisClient;
  readonly isWell: () => boolean;
  readonly logger: Logger;
  readonly name: string;
  readonly perMinute: number;
  /** How many additional requests are allowed in ten minutes once the minute is used up. */
  readonly burst: number;
}

const MINUTE_SECONDS = 60;
const BURST_SECONDS = 600;

interface Limits {
  readonly steady: RateLimiterRedis | RateLimiterMemory;
  readonly all: RateLimiterRedis | RateLimiterMemory | BurstyRateLimiter;
}

/**
 * Limits by key, counted in Redis for all gateways together. While Redis does not answer, each process counts alone: it is better to be lenient than
 * to refuse everything.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { redis, isWell, logger, name, perMinute } = options;
  const shared = withBurst(options, (limit) => new RateLimiterRedis({ ...limit, storeClient: redis, rejectIfRedisNotReady: true }));
  const alone = withBurst(options, (limit) => new RateLimiterMemory(limit));
  const run = async <T>(action: (limits: Limits) => Promise<T>): Promise<T> => {
    if (!isWell()) return action(alone);
    try {
      return await action(shared);
    } catch (caught) {
      if (caught instanceof RateLimiterRes) throw caught;
      logger.warn({ err: caught, limit: name }, 'Redis did not count a request');
      return action(alone);
    }
  };
  return {
    take: (key) => judge(perMinute, () => run(({ all }) => all.consume(key))),
    async giveBack(key) {
      await run(({ steady }) => steady.reward(key));
    },
  };
}

/**
 * Limits by key within this process, at no cost of a network call: bounds the load that one key puts on this gateway, however many tokens it uses.
 */
export function createOwnRateLimiter(perMinute: number): RateLimiter {
  const counters = new RateLimiterMemory({ points: perMinute, duration: MINUTE_SECONDS });
  return {
    take: (key) => judge(perMinute, () => counters.consume(key)),
    async giveBack(key) {
      await counters.reward(key);
    },
  };
}

/** @param consume as in rate-limiter-flexible, rejects with the remaining quota if that is used up */
async function judge(limit: number, consume: () => Promise<RateLimiterRes>): Promise<Verdict> {
  const verdict = (allowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Verdict => ({
    allowed,
    limit,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(allowed ? 0 : 1, Math.ceil(msBeforeNext / 1000)),
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
