import { Redis } from 'ioredis';
import type { Logger } from '@stechuhr/kernel';

/** What {@link connectRedis} needs. */
export interface RedisConnectionOptions {
  /** `redis://` or `rediss://` */
  readonly url: string;
  readonly logger: Logger;
}

/**
 * Connects to Redis, in the background, and reconnects without limit. Nothing depends on it for being correct, so a command fails quickly:
 * at once while there is no connection, after 300 ms while the server hangs. An outage is logged once, not once for each command.
 */
export function connectRedis({ url, logger }: RedisConnectionOptions): Redis {
  const redis = new Redis(url, {
    commandTimeout: 300,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  let unavailable = false;
  redis.on('error', (error: Error) => {
    if (!unavailable) logger.warn({ err: error }, 'Redis is unavailable');
    unavailable = true;
  });
  redis.on('ready', () => {
    if (unavailable) logger.info({}, 'Redis is available again');
    unavailable = false;
  });
  return redis;
}
