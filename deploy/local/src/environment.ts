import type { Infra } from '@stechuhr/local-infra';
import type { ServiceDefinition } from './topology.js';

/** The ports of a service, chosen before anything starts, so that they stay the same after a restart. */
export interface Ports {
  readonly admin: number;
  /** gRPC or HTTP, depending on the service. */
  readonly serving: number;
}

/**
 * The variables of the starter's environment that services get: general ones of the machine, and documented settings. Not `NODE_COMPILE_CACHE`: a
 * process keeps that cache in memory, 9 MiB, to save 0.2 s of CPU time once (deploy/README.md).
 */
const PASSED_ON =
  /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|NODE_EXTRA_CA_CERTS|OTEL_\w+|LOG_LEVEL|PUBLIC_URL|TRUST_PROXY|RATE_LIMIT_\w+|EXPORT_RATE_LIMIT_PER_MINUTE|CONCURRENT_EXPORTS|CONCURRENT_EXPORTS_PER_TOKEN|S3_REGION|S3_PUBLIC_ENDPOINT|S3_POST_SIGNATURE|JOB_LEASE_SECONDS|JOBS_PER_INSTITUTION|WORKER_SLOTS|WEATHER_URL|WEATHER_GEOCODING_URL)$/;

/** Log levels at which a service does not log that it is ready. */
const TOO_QUIET = /^(warn|error|fatal)$/;

/**
 * The settings of the starter that also apply to services, except for a log level above `info`, since the starter waits for their `ready`. `HOST` is
 * set by conda and tcsh to a name of the machine, so `STECHUHR_HOST` says where the gateway listens.
 */
export function passedOn(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const host = env['STECHUHR_HOST'];
  const settings = Object.entries(env).filter(
    ([name, value]) => PASSED_ON.test(name) && !(name === 'LOG_LEVEL' && TOO_QUIET.test(value ?? '')),
  );
  return { ...Object.fromEntries(settings), ...(host && { HOST: host }) };
}

/** The addresses of the servers, in the variables of services and the CLI. */
export function serverVariables(infra: Infra): Record<'mongodb' | 'nats' | 'redis' | 's3', Readonly<Record<string, string>>> {
  const { endpoint, accessKey, secretKey, bucket } = infra.s3;
  return {
    mongodb: { MONGODB_URL: infra.mongodbUrl },
    nats: { NATS_URL: infra.natsUrl },
    redis: { REDIS_URL: infra.redisUrl },
    s3: { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
  };
}

/** `RECORDS_ADDRESS` and so on for the given services. */
export function addressVariables(services: readonly string[], ports: ReadonlyMap<string, Ports>): Record<string, string> {
  const entries = services.map((name): [string, string] => {
    return [`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`, `127.0.0.1:${ports.get(name)?.serving ?? 0}`];
  });
  return Object.fromEntries(entries);
}

/** The complete environment of a service. */
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
    // Users who stop the local platform do not want to wait for downloads.
    ...(service.serves === 'http' ? { PORT: String(own.serving), DRAIN_SECONDS: '15' } : {}),
  };
}
