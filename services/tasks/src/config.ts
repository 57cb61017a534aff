import { busVariables } from '@stechuhr/bus';
import { endpointVariable, objectStoreOptions, objectStoreVariables } from '@stechuhr/objectstore';
import { mongoOptions, mongoVariables } from '@stechuhr/mongo';
import { loadConfig, serverOptions, serviceVariables } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    ...serviceVariables,
    ...mongoVariables('stechuhr_tasks'),
    ...busVariables,
    ...objectStoreVariables,
    S3_PUBLIC_ENDPOINT: endpointVariable.optional(),
    JOBS_PER_INSTITUTION: z.coerce.number().int().min(1).max(1_000).default(2),
    JOB_LEASE_SECONDS: z.coerce.number().min(1).max(3_600).default(30),
  })
  .transform((env) => ({
    ...serverOptions(env),
    mongodb: mongoOptions(env),
    natsUrl: env.NATS_URL,
    s3: objectStoreOptions(env),
    /** The address at which clients reach the store. */
    publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT,
    /** By default the number of slots of one worker, so that jobs of another institution wait for one slot at most. */
    jobsPerInstitution: env.JOBS_PER_INSTITUTION,
    leaseMs: env.JOB_LEASE_SECONDS * 1000,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
