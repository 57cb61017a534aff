import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from '@stechuhr/kernel';
import { parseRedisUrl, type RedisAddress } from './address.js';

/** What {@link connectRedis} needs. */
export interface RedisConnectionOptions {
  /** In a format of {@link parseRedisUrl}: one server, a cluster or sentinels, with or without TLS and a user. */
  readonly url: string;
  readonly logger: Logger;
}

/** The parts of ioredis that one server, sentinels and clusters have in common. */
export type RedisClient = Redis | Cluster;

/** Time limit of a command. */
const COMMAND_MS = 300;
const RECONNECT = (attempt: number): number => Math.min(attempt * 100, 2_000);
/** How often a command may be redirected or retried in a cluster: together no longer than a command may take. */
const REDIRECTIONS = 3;
const REDIRECTION_PAUSE_MS = 50;

/**
 * Connects to Redis in the background, and reconnects indefinitely. Redis is never needed for correctness, so commands fail quickly: at once without
 * a connection, after 300 ms while the server hangs. An outage is logged once, not once per command.
 * @throws Error if the URL cannot be parsed
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
      return new Redis({ ...options, ...sentinelOptions(address), db: address.db, enableOfflineQueue: false, retryStrategy: RECONNECT });
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
        // Names are not resolved here, since certificates are issued for names.
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
