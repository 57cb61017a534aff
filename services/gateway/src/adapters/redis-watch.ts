import { startPeriodic, type Logger } from '@stechuhr/kernel';
import type { connectRedis } from '@stechuhr/redis';

type Redis = ReturnType<typeof connectRedis>;

/** Whether Redis answers at the moment. */
export interface RedisWatch {
  isWell(): boolean;
  stop(): Promise<void>;
}

const INTERVAL_MS = 1_000;

/**
 * Pings Redis once a second. While it hangs, every command would wait for its timeout, several in a row for each request; with this,
 * requests do without it after a second.
 */
export function watchRedis(redis: Redis, logger: Logger): RedisWatch {
  let well = redis.status === 'ready';
  const ask = async () => {
    well = await redis.ping().then(
      () => true,
      () => false,
    );
  };
  const asking = startPeriodic(ask, { intervalMs: INTERVAL_MS, logger, failure: 'Redis could not be asked' });
  redis.on('ready', () => void asking.now());
  return { isWell: () => well, stop: () => asking.stop() };
}
