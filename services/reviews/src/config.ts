import { mongoOptions, mongoVariables } from '@stechuhr/mongo';
import { addressVariable, loadConfig, serverOptions, serviceVariables } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    ...serviceVariables,
    ...mongoVariables('stechuhr_reviews'),
    NATS_URL: z.string(),
    RECORDS_ADDRESS: addressVariable,
    CONCURRENT_RUNS: z.coerce.number().int().min(1).max(100).default(2),
  })
  .transform((env) => ({
    ...serverOptions(env),
    mongodb: mongoOptions(env),
    natsUrl: env.NATS_URL,
    recordsAddress: env.RECORDS_ADDRESS,
    concurrentRuns: env.CONCURRENT_RUNS,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
