import type { connectRedis } from '@stechuhr/redis';

type Redis = ReturnType<typeof connectRedis>;

/** Whether Redis answers at the moment. */
export interface RedisWatch {
  isWell(): boolean;
  stop(): void;
}

const INTERVAL_MS = 1_000;

/**
 * Pings Redis once a second. While it hangs, every command would wait for its timeout, several in a row for each request; with this,
 * requests do without it after a second.
 */
export function watchRedis(redis: Redis): RedisWatch {
  let well = redis.status === 'ready';
  let asking = false;
  const ask = async () => {
    if (asking) return;
    asking = true;
    well = await redis.ping().then(
      () => true,
      () => false,
    );
    asking = false;
  };
  const timer = setInterval(() => void ask(), INTERVAL_MS).unref();
  redis.on('ready', () => void ask());
  return { isWell: () => well, stop: () => clearInterval(timer) };
}
