import { objectStoreOptions, objectStoreVariables } from '@stechuhr/objectstore';
import { loadConfig } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    ...objectStoreVariables,
    S3_PUBLIC_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    S3_POST_SIGNATURE: z.enum(['v2', 'v4']).default('v2'),
    MONGODB_URL: z.string(),
    MONGODB_DATABASE: z.string().default('stechuhr_daily_reports'),
    NATS_URL: z.string(),
    RECORDS_ADDRESS: z.string().includes(':'),
    GRPC_BIND: z.string().includes(':').default('127.0.0.1:0'),
    ADMIN_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  })
  .transform((env) => ({
    s3: objectStoreOptions(env),
    /** Where clients reach the store. */
    publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT,
    postSignature: env.S3_POST_SIGNATURE,
    mongodb: { url: env.MONGODB_URL, database: env.MONGODB_DATABASE },
    natsUrl: env.NATS_URL,
    recordsAddress: env.RECORDS_ADDRESS,
    grpcBind: env.GRPC_BIND,
    adminPort: env.ADMIN_PORT,
    logLevel: env.LOG_LEVEL,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
