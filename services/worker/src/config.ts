import { busVariables } from '@stechuhr/bus';
import { objectStoreOptions, objectStoreVariables } from '@stechuhr/objectstore';
import { addressVariable, loadConfig, processOptions, processVariables } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    ...processVariables,
    ...objectStoreVariables,
    ...busVariables,
    TASKS_ADDRESS: addressVariable,
    RECORDS_ADDRESS: addressVariable,
    ABSENCE_RULES_ADDRESS: addressVariable,
    DAILY_REPORTS_ADDRESS: addressVariable,
    WORKER_SLOTS: z.coerce.number().int().min(1).max(64).default(2),
  })
  .transform((env) => ({
    ...processOptions(env),
    s3: objectStoreOptions(env),
    natsUrl: env.NATS_URL,
    addresses: {
      tasks: env.TASKS_ADDRESS,
      records: env.RECORDS_ADDRESS,
      absenceRules: env.ABSENCE_RULES_ADDRESS,
      dailyReports: env.DAILY_REPORTS_ADDRESS,
    },
    /** The number of concurrent exports. */
    slots: env.WORKER_SLOTS,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
