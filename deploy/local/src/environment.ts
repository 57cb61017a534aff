import type { Infra } from '@stechuhr/local-infra';
import type { ServiceDefinition } from './topology.js';

/** The ports of one service, chosen before anything starts: they stay the same when it is started again. */
export interface Ports {
  readonly admin: number;
  /** gRPC or HTTP, by what the service serves. */
  readonly serving: number;
}

/**
 * What of the starter's environment reaches the services: the machine's own, and settings that are documented. Not `NODE_COMPILE_CACHE`: a
 * process keeps the cache in memory, 9 MiB, for 0.2 s of CPU time once (deploy/README.md).
 */
const PASSED_ON =
  /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|OTEL_\w+|LOG_LEVEL|HOST|PUBLIC_URL|TRUST_PROXY|RATE_LIMIT_\w+|EXPORT_RATE_LIMIT_PER_MINUTE|CONCURRENT_EXPORTS|CONCURRENT_EXPORTS_PER_TOKEN|S3_REGION|S3_PUBLIC_ENDPOINT|S3_POST_SIGNATURE|JOB_LEASE_SECONDS|JOBS_PER_INSTITUTION|WORKER_SLOTS|WEATHER_URL|WEATHER_GEOCODING_URL)$/;

/** Levels at which a service does not log that it is ready. */
const TOO_QUIET = /^(warn|error|fatal)$/;

/** The settings of the starter that hold for services too. A log level above `info` does not: the starter waits for their `ready`. */
export function passedOn(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = Object.entries(env).filter(
    ([name, value]) => PASSED_ON.test(name) && !(name === 'LOG_LEVEL' && TOO_QUIET.test(value ?? '')),
  );
  return Object.fromEntries(settings);
}

/** Where the servers are, in the variables that services and the CLI read. */
export function serverVariables(infra: Infra): Record<'mongodb' | 'nats' | 'redis' | 's3', Readonly<Record<string, string>>> {
  const { endpoint, accessKey, secretKey, bucket } = infra.s3;
  return {
    mongodb: { MONGODB_URL: infra.mongodbUrl },
    nats: { NATS_URL: infra.natsUrl },
    redis: { REDIS_URL: infra.redisUrl },
    s3: { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
  };
}

/** `RECORDS_ADDRESS` and its like for the named services. */
export function addressVariables(services: readonly string[], ports: ReadonlyMap<string, Ports>): Record<string, string> {
  const entries = services.map((name): [string, string] => {
    return [`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`, `127.0.0.1:${ports.get(name)?.serving ?? 0}`];
  });
  return Object.fromEntries(entries);
}

/** The whole environment of a service. */
export function serviceEnvironment(
  service: ServiceDefinition,
  infra: Infra,
  ports: ReadonlyMap<string, Ports>,
  settings: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const own = ports.get(service.name) ?? { admin: 0, serving: 0 };
  const servers = serverVariables(infra);
  return {
    ...settings,
    ...Object.assign({}, ...service.needs.map((need) => servers[need])),
    ...addressVariables(service.calls, ports),
    ADMIN_PORT: String(own.admin),
    ...(service.serves === 'grpc' ? { GRPC_BIND: `127.0.0.1:${own.serving}` } : {}),
    // Who stops the platform here does not want to wait for downloads.
    ...(service.serves === 'http' ? { PORT: String(own.serving), DRAIN_SECONDS: '15' } : {}),
  };
}
