import { z } from 'zod';
import type { MongoOptions } from './connect.js';

interface MongoVariables {
  readonly MONGODB_URL: z.ZodString;
  readonly MONGODB_DATABASE: z.ZodDefault<z.ZodString>;
}

const ADDRESS = /^mongodb(?:\+srv)?:\/\/[^/?]/;

/**
 * The environment variables of a service with a database, to be spread into its own schema: `z.object({
 * ...mongoVariables('stechuhr_records'), … })`.
 */
export function mongoVariables(database: string): MongoVariables {
  return {
    MONGODB_URL: z.string().regex(ADDRESS, 'must be mongodb://host:port, or mongodb+srv://host'),
    MONGODB_DATABASE: z.string().default(database),
  };
}

/** Converts the values of {@link mongoVariables} to connection options. */
export function mongoOptions(
  env: z.output<z.ZodObject<{ -readonly [K in keyof MongoVariables]: MongoVariables[K] }>>,
): Pick<MongoOptions, 'url' | 'database'> {
  return { url: env.MONGODB_URL, database: env.MONGODB_DATABASE };
}
