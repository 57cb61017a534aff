import { loadConfig } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    GRPC_BIND: z.string().includes(':').default('127.0.0.1:0'),
    ADMIN_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    RECORDS_ADDRESS: z.string().includes(':'),
    ABSENCE_RULES_ADDRESS: z.string().includes(':'),
    TASKS_ADDRESS: z.string().includes(':'),
    NATS_URL: z.string(),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  })
  .transform((env) => ({
    grpcBind: env.GRPC_BIND,
    adminPort: env.ADMIN_PORT,
    recordsAddress: env.RECORDS_ADDRESS,
    absenceRulesAddress: env.ABSENCE_RULES_ADDRESS,
    tasksAddress: env.TASKS_ADDRESS,
    natsUrl: env.NATS_URL,
    logLevel: env.LOG_LEVEL,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
