import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '@stechuhr/kernel';
import { parseRedisUrl, type RedisAddress } from './address.js';
import { SentinelClient } from './sentinel-client.js';

/** The options of {@link connectRedis}. */
export interface RedisConnectionOptions {
  /** A URL for {@link parseRedisUrl}: one server, a cluster or sentinels, with or without TLS and a user. */
  readonly url: string;
  readonly logger: Logger;
}

/** The part of ioredis that is the same for one server, sentinels and a cluster. */
export type RedisClient = Redis | Cluster;

/** Timeout of a command, in milliseconds. */
const COMMAND_MS = 300;
const RECONNECT = (attempt: number): number => Math.min(attempt * 100, 2_000);
/** Limits how often a cluster client redirects or repeats a command, so that all attempts together stay within the timeout. */
const REDIRECTIONS = 3;
const REDIRECTION_PAUSE_MS = 50;

/**
 * Connects to Redis in the background, and reconnects without limit. Correctness does not depend on Redis, so commands fail quickly: at
 * once while there is no connection, after 300 ms while the server hangs. An outage is logged once, not for each command.
 *
 * @throws Error if the URL is invalid
 */
export function connectRedis({ url, logger }: RedisConnectionOptions): RedisClient {
  const redis = open(parseRedisUrl(url));
  let unavailable = false;
  const lost = (error: Error): void => {
    if (!unavailable) logger.warn({ err: error }, 'Redis is unavailable');
    unavailable = true;
  };
  const found = (): void => {
    if (unavailable) logger.info({}, 'Redis is available again');
    unavailable = false;
  };
  if (redis instanceof Cluster) redis.on('error', lost).on('ready', found);
  else redis.on('error', lost).on('ready', found);
  return redis;
}

function open(address: RedisAddress): RedisClient {
  const options = {
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
    commandTimeout: COMMAND_MS,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 1,
  } satisfies RedisOptions;
  switch (address.topology) {
    case 'server':
      return new Redis({ ...options, ...address.hosts[0], db: address.db, enableOfflineQueue: false, retryStrategy: RECONNECT });
    case 'sentinel':
      return new SentinelClient({
        ...options,
        ...sentinelOptions(address),
        db: address.db,
        enableOfflineQueue: false,
        retryStrategy: RECONNECT,
      });
    case 'cluster':
      return new Cluster([...address.hosts], {
        redisOptions: options,
        enableOfflineQueue: false,
        clusterRetryStrategy: RECONNECT,
        clusterNodeRetryStrategy: RECONNECT,
        maxRedirections: REDIRECTIONS,
        retryDelayOnFailover: REDIRECTION_PAUSE_MS,
        retryDelayOnClusterDown: REDIRECTION_PAUSE_MS,
        retryDelayOnTryAgain: REDIRECTION_PAUSE_MS,
        // Host names are not resolved here, because TLS certificates are issued for names.
        dnsLookup: (host, done) => done(null, host),
      });
  }
}

function sentinelOptions({ hosts, master, tls, sentinelUsername, sentinelPassword }: RedisAddress) {
  return {
    sentinels: [...hosts],
    ...(master === undefined ? {} : { name: master }),
    ...(sentinelUsername === undefined ? {} : { sentinelUsername }),
    ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
    ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    sentinelRetryStrategy: RECONNECT,
    sentinelCommandTimeout: 2_000,
    failoverDetector: true,
  } satisfies RedisOptions;
}
