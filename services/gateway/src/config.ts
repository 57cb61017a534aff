import { isIP } from 'node:net';
import { busVariables } from '@stechuhr/bus';
import { mongoOptions, mongoVariables } from '@stechuhr/mongo';
import { redisVariable } from '@stechuhr/redis';
import { addressVariable, loadConfig, processOptions, processVariables } from '@stechuhr/service';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
/** The default limit of an institution allows this number of its tokens to use up their own limits in one minute, for each gateway. */
const TOKENS_AT_THEIR_LIMIT = 10;
/** Concurrent requests, for each gateway: those of half a second at the rate that a gateway reaches (bench/README.md). */
const REQUESTS_PER_REPLICA = 500;
/**
 * Open connections, for each gateway. Headers that do not end take up to 64 KiB each: together a half of the memory that the chart gives a gateway.
 */
const CONNECTIONS_PER_REPLICA = 4_000;
/** Concurrent synchronous exports of one token, for each gateway. */
const EXPORTS_PER_TOKEN = 8;
/** Concurrent synchronous exports of all tokens, for each gateway. */
const EXPORTS_PER_REPLICA = 64;

const atATime = z.coerce.number().int().min(0).max(10_000);
const perMinute = z.coerce.number().int().min(0).max(1_000_000);

/** Names of address ranges that Express accepts for trusted proxies. */
const RANGES = ['loopback', 'linklocal', 'uniquelocal'];

/** `false`, `true` (every hop), a number of hops, or a comma-separated list of addresses, ranges and subnets. */
const trustProxy = z
  .string()
  .refine(
    (text) => /^(true|false|\d{1,2})$/.test(text) || text.split(',').every(isRange),
    'must be true, false, a number of hops or addresses',
  )
  .transform((text) =>
    /^\d+$/.test(text) ? Number(text) : text === 'true' || (text === 'false' ? false : text.split(',').map((part) => part.trim())),
  );

/**
 * Returns whether Express accepts a range; it throws at the start for an invalid one. A subnet with a prefix of 0 bits is rejected, because
 * it means `true`.
 */
function isRange(text: string): boolean {
  const [ip = '', bits, ...rest] = text.trim().split('/');
  if (bits === undefined) return RANGES.includes(ip) || isIP(ip) !== 0;
  const most = { 0: 0, 4: 32, 6: 128 }[isIP(ip)] ?? 0;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most;
}

const schema = z
  .object({
    ...processVariables,
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(8080),
    PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    TRUST_PROXY: trustProxy.default(false),
    ...mongoVariables('stechuhr_gateway'),
    ...busVariables,
    REDIS_URL: redisVariable,
    RECORDS_ADDRESS: addressVariable,
    EXPORTS_ADDRESS: addressVariable,
    TASKS_ADDRESS: addressVariable,
    ABSENCE_RULES_ADDRESS: addressVariable,
    REVIEWS_ADDRESS: addressVariable,
    DAILY_REPORTS_ADDRESS: addressVariable,
    WEBHOOKS_ADDRESS: addressVariable,
    RATE_LIMIT_PER_MINUTE: perMinute.default(600),
    RATE_LIMIT_BURST: perMinute.default(60),
    RATE_LIMIT_PER_INSTITUTION: perMinute.optional(),
    EXPORT_RATE_LIMIT_PER_MINUTE: perMinute.default(30),
    CONCURRENT_CONNECTIONS: z.coerce.number().int().min(0).max(1_000_000).default(CONNECTIONS_PER_REPLICA),
    CONCURRENT_API_REQUESTS: atATime.default(REQUESTS_PER_REPLICA),
    CONCURRENT_EXPORTS_PER_TOKEN: atATime.default(EXPORTS_PER_TOKEN),
    CONCURRENT_EXPORTS: atATime.default(EXPORTS_PER_REPLICA),
    DRAIN_SECONDS: z.coerce.number().int().min(1).max(86_400).default(600),
  })
  .transform((env) => ({
    ...processOptions(env),
    http: { host: env.HOST, port: env.PORT, maxConnections: env.CONCURRENT_CONNECTIONS },
    /** The public address in front of `/api/v2/`, without a trailing slash. */
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    trustProxy: env.TRUST_PROXY,
    mongodb: mongoOptions(env),
    natsUrl: env.NATS_URL,
    /** How long running downloads may continue after the signal to stop, in milliseconds. */
    drainMs: env.DRAIN_SECONDS * 1000,
    redisUrl: env.REDIS_URL,
    addresses: {
      records: env.RECORDS_ADDRESS,
      exports: env.EXPORTS_ADDRESS,
      tasks: env.TASKS_ADDRESS,
      absenceRules: env.ABSENCE_RULES_ADDRESS,
      reviews: env.REVIEWS_ADDRESS,
      dailyReports: env.DAILY_REPORTS_ADDRESS,
      webhooks: env.WEBHOOKS_ADDRESS,
    },
    /** 0 disables a limit. */
    limits: {
      perMinute: env.RATE_LIMIT_PER_MINUTE,
      burst: env.RATE_LIMIT_BURST,
      /** Counted by each gateway for itself. */
      perInstitution: env.RATE_LIMIT_PER_INSTITUTION ?? limitOfInstitution(env.RATE_LIMIT_PER_MINUTE, env.RATE_LIMIT_BURST),
      exportsPerMinute: env.EXPORT_RATE_LIMIT_PER_MINUTE,
    },
    /** Concurrent requests with a token; 0 disables the limit. */
    concurrentRequests: env.CONCURRENT_API_REQUESTS,
    /** Concurrent synchronous exports; 0 disables a limit. */
    concurrentExports: { perToken: env.CONCURRENT_EXPORTS_PER_TOKEN, perReplica: env.CONCURRENT_EXPORTS },
  }));

/** Returns the default limit of an institution. It is disabled if that of tokens is disabled. */
function limitOfInstitution(perToken: number, burst: number): number {
  return perToken === 0 ? 0 : TOKENS_AT_THEIR_LIMIT * (perToken + burst);
}

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
