import { z } from 'zod';
import { identityVariables } from './config.js';
import { CALLS_PER_REPLICA } from './grpc/call-slots.js';

/** The address of another service: `host:port`. */
export const addressVariable = z.string().includes(':');

/** The environment variables of every process, to be spread into its own schema: `z.object({ ...processVariables, … })`. */
export const processVariables = {
  ADMIN_HOST: z.string().default('127.0.0.1'),
  ADMIN_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  ...identityVariables,
};

/** The environment variables of a gRPC service. */
export const serviceVariables = {
  ...processVariables,
  GRPC_BIND: addressVariable.default('127.0.0.1:0'),
  CONCURRENT_CALLS: z.coerce.number().int().min(0).max(100_000).default(CALLS_PER_REPLICA),
};

/**
 * For services with long downloads: how long these may continue after the stop signal, in seconds. The default is that of all services; the
 * chart sets the same value as for the gateway.
 */
export const drainVariables = { DRAIN_SECONDS: z.coerce.number().int().min(1).max(86_400).default(10) };

/** The values of {@link processVariables}. */
export interface ProcessOptions {
  /** The address of the port for operators; anyone who can reach it can read metrics. */
  readonly adminHost: string;
  readonly adminPort: number;
  readonly logLevel: string;
}

/** The values of {@link serviceVariables}, for `startService`. */
export interface ServerOptions extends ProcessOptions {
  readonly grpcBind: string;
  /** Calls that the gRPC server answers at a time; 0 disables the limit. */
  readonly concurrentCalls: number;
}

/** Reads {@link processVariables}. */
export function processOptions(env: z.output<z.ZodObject<typeof processVariables>>): ProcessOptions {
  return { adminHost: env.ADMIN_HOST, adminPort: env.ADMIN_PORT, logLevel: env.LOG_LEVEL };
}

/** Reads {@link serviceVariables}. */
export function serverOptions(env: z.output<z.ZodObject<typeof serviceVariables>>): ServerOptions {
  return { ...processOptions(env), grpcBind: env.GRPC_BIND, concurrentCalls: env.CONCURRENT_CALLS };
}
