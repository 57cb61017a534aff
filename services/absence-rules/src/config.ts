import { busVariables } from '@stechuhr/bus';
import { mongoOptions, mongoVariables } from '@stechuhr/mongo';
import { addressVariable, loadConfig, serverOptions, serviceVariables } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    ...serviceVariables,
    ...mongoVariables('stechuhr_absence_rules'),
    ...busVariables,
    RECORDS_ADDRESS: addressVariable,
  })
  .transform((env) => ({
    ...serverOptions(env),
    mongodb: mongoOptions(env),
    natsUrl: env.NATS_URL,
    recordsAddress: env.RECORDS_ADDRESS,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
