import { objectStoreOptions, objectStoreVariables } from '@stechuhr/objectstore';
import { mongoOptions, mongoVariables } from '@stechuhr/mongo';
import { loadConfig, serverOptions, serviceVariables } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    ...serviceVariables,
    ...mongoVariables('stechuhr_tasks'),
    NATS_URL: z.string(),
    ...objectStoreVariables,
    S3_PUBLIC_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    JOB_LEASE_SECONDS: z.coerce.number().min(1).max(3_600).default(30),
  })
  .transform((env) => ({
    ...serverOptions(env),
    mongodb: mongoOptions(env),
    natsUrl: env.NATS_URL,
    s3: objectStoreOptions(env),
    /** Where clients reach the store. */
    publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT,
    leaseMs: env.JOB_LEASE_SECONDS * 1000,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
