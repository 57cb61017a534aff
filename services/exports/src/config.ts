import { busVariables } from '@stechuhr/bus';
import { addressVariable, drainVariables, loadConfig, serverOptions, serviceVariables } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    ...serviceVariables,
    ...drainVariables,
    RECORDS_ADDRESS: addressVariable,
    ABSENCE_RULES_ADDRESS: addressVariable,
    TASKS_ADDRESS: addressVariable,
    REVIEWS_ADDRESS: addressVariable,
    ...busVariables,
  })
  .transform((env) => ({
    ...serverOptions(env),
    drainMs: env.DRAIN_SECONDS * 1000,
    recordsAddress: env.RECORDS_ADDRESS,
    absenceRulesAddress: env.ABSENCE_RULES_ADDRESS,
    tasksAddress: env.TASKS_ADDRESS,
    reviewsAddress: env.REVIEWS_ADDRESS,
    natsUrl: env.NATS_URL,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
