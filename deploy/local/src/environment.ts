import { resolve } from 'node:path';
import type { Infra } from '@stechuhr/local-infra';
import type { ServiceDefinition } from './topology.js';

/** The ports of one service. They are chosen before anything starts and stay the same when the service is restarted. */
export interface Ports {
  readonly admin: number;
  /** The port for gRPC or HTTP, depending on what the service serves. */
  readonly serving: number;
}

/**
 * Variables of the starter's environment that are passed on to the services: those of the machine, and settings that the README of a service
 * lists. `NODE_COMPILE_CACHE` is not among them: it saves a service 0.2 s of CPU time once, but keeps 9 MiB in memory (deploy/README.md).
 */
const PASSED_ON = new RegExp(
  `^(${[
    ...['PATH', 'HOME', 'USER', 'LANG', 'LC_\\w+', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS', 'OTEL_\\w+', 'LOG_LEVEL'],
    ...[
      'PUBLIC_URL',
      'TRUST_PROXY',
      'RATE_LIMIT_\\w+',
      'EXPORT_RATE_LIMIT_PER_MINUTE',
      'CONCURRENT_CONNECTIONS',
      'CONCURRENT_API_REQUESTS',
      'CONCURRENT_CALLS',
      'CONCURRENT_EXPORTS',
      'CONCURRENT_EXPORTS_PER_TOKEN',
    ],
    ...['NATS_REPLICAS', 'NATS_STREAMS', 'NATS_SUBSCRIBERS', 'S3_REGION', 'S3_PUBLIC_ENDPOINT', 'S3_POST_SIGNATURE'],
    ...['JOB_LEASE_SECONDS', 'JOBS_PER_INSTITUTION', 'WORKER_SLOTS', 'CONCURRENT_RUNS', 'RUNS_PER_INSTITUTION'],
    ...['WEATHER_URL', 'WEATHER_GEOCODING_URL', 'WEBHOOK_ALLOWED_HOSTS', 'WEBHOOK_CA_FILE', 'CONCURRENT_REQUESTS'],
    ...['REQUESTS_PER_INSTITUTION', 'SENDER_LEASE_SECONDS'],
  ].join('|')})$`,
);

/** Settings that name a file. A relative path refers to the folder in which the user typed the command, but each service runs in its own. */
const FILES = /^(NODE_EXTRA_CA_CERTS|WEBHOOK_CA_FILE|OTEL_\w+_(CERTIFICATE|CLIENT_KEY))$/;

/** Log levels at which a service does not log that it is ready. */
const TOO_QUIET = /^(warn|error|fatal)$/;

/** Returns the settings that are passed on to services. A log level above `info` is not: the starter waits for the log line `ready`. */
export function passedOn(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const host = env['STECHUHR_HOST'];
  // npm runs scripts in the package's folder.
  const absolute = (name: string, value: string | undefined) =>
    FILES.test(name) && value ? resolve(env['INIT_CWD'] ?? '.', value) : value;
  const settings = Object.entries(env)
    .filter(([name, value]) => PASSED_ON.test(name) && !(name === 'LOG_LEVEL' && TOO_QUIET.test(value ?? '')))
    .map(([name, value]) => [name, absolute(name, value)]);
  return { ...Object.fromEntries(settings), ...(host && { HOST: host }) };
}

/** Returns the addresses of the servers as the variables that services and the CLI read. */
export function serverVariables(infra: Infra): Record<'mongodb' | 'nats' | 'redis' | 's3', Readonly<Record<string, string>>> {
  const { endpoint, accessKey, secretKey, bucket } = infra.s3;
  return {
    mongodb: { MONGODB_URL: infra.mongodbUrl },
    nats: { NATS_URL: infra.natsUrl },
    redis: { REDIS_URL: infra.redisUrl },
    s3: { S3_ENDPOINT: endpoint, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey, S3_BUCKET: bucket },
  };
}

/** Returns the gRPC addresses of the named services as variables such as `RECORDS_ADDRESS`. */
export function addressVariables(services: readonly string[], ports: ReadonlyMap<string, Ports>): Record<string, string> {
  const entries = services.map((name): [string, string] => {
    return [`${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`, `127.0.0.1:${ports.get(name)?.serving ?? 0}`];
  });
  return Object.fromEntries(entries);
}

/** Returns the complete environment of a service. */
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
    // Developers who stop the platform do not want to wait long for downloads.
    ...(service.serves === 'http' ? { PORT: String(own.serving), DRAIN_SECONDS: '15' } : {}),
  };
}
