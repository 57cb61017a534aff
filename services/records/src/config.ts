import { busVariables } from '@stechuhr/bus';
import { mongoOptions, mongoVariables } from '@stechuhr/mongo';
import { redisVariable } from '@stechuhr/redis';
import { drainVariables, loadConfig, serverOptions, serviceVariables } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    ...serviceVariables,
    ...drainVariables,
    ...mongoVariables('stechuhr_records'),
    ...busVariables,
    REDIS_URL: redisVariable,
  })
  .transform((env) => ({
    ...serverOptions(env),
    drainMs: env.DRAIN_SECONDS * 1000,
    mongodb: mongoOptions(env),
    natsUrl: env.NATS_URL,
    redisUrl: env.REDIS_URL,
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
