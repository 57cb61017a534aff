import { objectStoreOptions, objectStoreVariables } from '@stechuhr/objectstore';
import { loadConfig } from '@stechuhr/service';
import { z } from 'zod';

const address = z.string().includes(':');

const schema = z
  .object({
    ...objectStoreVariables,
    NATS_URL: z.string(),
    TASKS_ADDRESS: address,
    RECORDS_ADDRESS: address,
    ABSENCE_RULES_ADDRESS: address,
    WORKER_SLOTS: z.coerce.number().int().min(1).max(64).default(2),
    ADMIN_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  })
  .transform((env) => ({
    s3: objectStoreOptions(env),
    natsUrl: env.NATS_URL,
    addresses: { tasks: env.TASKS_ADDRESS, records: env.RECORDS_ADDRESS, absenceRules: env.ABSENCE_RULES_ADDRESS },
    /** Exports that run at a time. */
    slots: env.WORKER_SLOTS,
    adminPort: env.ADMIN_PORT,
    logLevel: env.LOG_LEVEL,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
