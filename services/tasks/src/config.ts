import { objectStoreOptions, objectStoreVariables } from '@stechuhr/objectstore';
import { loadConfig } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    MONGODB_URL: z.string(),
    MONGODB_DATABASE: z.string().default('stechuhr_tasks'),
    NATS_URL: z.string(),
    ...objectStoreVariables,
    S3_PUBLIC_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    JOB_LEASE_SECONDS: z.coerce.number().min(1).max(3_600).default(30),
    GRPC_BIND: z.string().includes(':').default('127.0.0.1:0'),
    ADMIN_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  })
  .transform((env) => ({
    mongodb: { url: env.MONGODB_URL, database: env.MONGODB_DATABASE },
    natsUrl: env.NATS_URL,
    s3: objectStoreOptions(env),
    /** Where clients reach the store. */
    publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT,
    leaseMs: env.JOB_LEASE_SECONDS * 1000,
    grpcBind: env.GRPC_BIND,
    adminPort: env.ADMIN_PORT,
    logLevel: env.LOG_LEVEL,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
