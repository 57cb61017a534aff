import { busVariables } from '@stechuhr/bus';
import { mongoOptions, mongoVariables } from '@stechuhr/mongo';
import { addressVariable, loadConfig, serverOptions, serviceVariables } from '@stechuhr/service';
import { z } from 'zod';

/** The maximum number of waiting runs of an institution; further ones are answered with 429. */
const WAITING_RUNS = 50;

const runs = z.coerce.number().int().min(1).max(100);

const schema = z
  .object({
    ...serviceVariables,
    ...mongoVariables('stechuhr_reviews'),
    ...busVariables,
    RECORDS_ADDRESS: addressVariable,
    CONCURRENT_RUNS: runs.default(2),
    RUNS_PER_INSTITUTION: runs.optional(),
  })
  .transform((env) => ({
    ...serverOptions(env),
    mongodb: mongoOptions(env),
    natsUrl: env.NATS_URL,
    recordsAddress: env.RECORDS_ADDRESS,
    /** By default, an institution leaves one slot to others, unless there is only one. */
    runs: {
      concurrency: env.CONCURRENT_RUNS,
      perKey: env.RUNS_PER_INSTITUTION ?? Math.max(1, env.CONCURRENT_RUNS - 1),
      waitingPerKey: WAITING_RUNS,
    },
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
