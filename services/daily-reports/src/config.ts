import { busVariables } from '@stechuhr/bus';
import { endpointVariable, objectStoreOptions, objectStoreVariables } from '@stechuhr/objectstore';
import { mongoOptions, mongoVariables } from '@stechuhr/mongo';
import { addressVariable, drainVariables, loadConfig, serverOptions, serviceVariables } from '@stechuhr/service';
import { z } from 'zod';

const schema = z
  .object({
    ...serviceVariables,
    ...drainVariables,
    ...objectStoreVariables,
    S3_PUBLIC_ENDPOINT: endpointVariable.optional(),
    S3_POST_SIGNATURE: z.enum(['v2', 'v4']).default('v2'),
    ...mongoVariables('stechuhr_daily_reports'),
    ...busVariables,
    RECORDS_ADDRESS: addressVariable,
    TASKS_ADDRESS: addressVariable,
    WEATHER_URL: z.url({ protocol: /^https?$/ }).optional(),
    WEATHER_GEOCODING_URL: z.url({ protocol: /^https?$/ }).optional(),
  })
  .refine((env) => (env.WEATHER_URL === undefined) === (env.WEATHER_GEOCODING_URL === undefined), {
    path: ['WEATHER_URL'],
    error: 'requires WEATHER_GEOCODING_URL, and the reverse',
  })
  .transform((env) => ({
    ...serverOptions(env),
    drainMs: env.DRAIN_SECONDS * 1000,
    s3: objectStoreOptions(env),
    /** The address at which clients reach the store. */
    publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT,
    postSignature: env.S3_POST_SIGNATURE,
    mongodb: mongoOptions(env),
    natsUrl: env.NATS_URL,
    recordsAddress: env.RECORDS_ADDRESS,
    tasksAddress: env.TASKS_ADDRESS,
    /** Undefined if no weather is captured. */
    weather:
      env.WEATHER_URL === undefined || env.WEATHER_GEOCODING_URL === undefined
        ? undefined
        : { forecastUrl: env.WEATHER_URL, geocodingUrl: env.WEATHER_GEOCODING_URL },
  }));

export type Config = Readonly<z.output<typeof schema>>;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig(schema, env);
}
