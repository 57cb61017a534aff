import { grpcClientSchema, type GrpcClient } from '@stechuhr/contracts';
import { z } from 'zod';

/** The environment of a service is incomplete or invalid; the message names every bad variable, never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings of a process, all problems in one error, before anything connects.
 *
 * An empty variable counts as not set, because charts and compose files write empty strings for what they leave open. A line break at the end
 * is no part of a value: a secret that is made of a file (`kubectl create secret --from-file`) often has one, which nobody sees.
 *
 * @param schema keys are the names of the variables; transforms and defaults belong there
 * @returns the parsed settings, frozen
 * @throws ConfigError with one line for each bad variable
 */
export function loadConfig<T>(schema: z.ZodType<T>, env: NodeJS.ProcessEnv): T {
  const lines = Object.entries(env).map(([name, value]) => [name, value?.replace(/[\r\n]+$/, '')] as const);
  const given = Object.fromEntries(lines.filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return Object.freeze(parsed.data);
  // Without quotation marks, for which loggers take what stands in them out: here it is the choices, never what was given.
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || '(environment)'}: ${message.replaceAll('"', '')}`);
  throw new ConfigError(`Bad configuration:\n${problems.join('\n')}`);
}

/** Folder of the compiled `.proto` files where it is not the repository's own, for example in an image; read by reflection only. */
export function protoRootFromEnvironment(): string | undefined {
  return process.env.STECHUHR_PROTOS || undefined;
}

/** What every process takes from its environment for calls, besides folders and addresses. */
export const identityVariables = {
  // A misspelt word would leave them unrequired.
  GRPC_REQUIRE_GRANTS: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  GRPC_CLIENTS: z.string().default('[]').transform(parseJson).pipe(clientList()),
};

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
}

function clientList() {
  return z
    .array(grpcClientSchema)
    .refine((clients) => new Set(clients.map(({ name }) => name)).size === clients.length, 'has a name twice');
}

/** Who this process is to others, and whom it answers. */
export interface GrpcIdentity {
  /** Folder with `ca.crt`, `tls.crt` and `tls.key`; without one, calls are neither encrypted nor authenticated. */
  readonly tlsFolder?: string | undefined;
  /** Common names of certificates: narrows the table of rights (`grpcRights`) further. Applies with certificates only. */
  readonly allowedCallers?: readonly string[] | undefined;
  /** Whether calls that need a grant (`needsGrant`) are refused without one; otherwise they are counted. Applies with certificates only. */
  readonly requireGrants?: boolean | undefined;
  /** Services of other teams, and what each may call for which institutions. Applies with certificates only. */
  readonly clients?: readonly GrpcClient[] | undefined;
  /** `host:port` that serves only health, without a client certificate: the kubelet has none. */
  readonly healthBind?: string | undefined;
}

/**
 * `GRPC_TLS_FOLDER`, `GRPC_ALLOWED_CALLERS` (by comma), `GRPC_REQUIRE_GRANTS` (`true`), `GRPC_CLIENTS` (JSON) and `GRPC_HEALTH_BIND`: the same
 * for every service.
 *
 * @throws ConfigError
 */
export function identityFromEnvironment(): GrpcIdentity {
  const { GRPC_REQUIRE_GRANTS: requireGrants, GRPC_CLIENTS: clients } = loadConfig(z.object(identityVariables), process.env);
  return {
    requireGrants,
    clients,
    tlsFolder: process.env.GRPC_TLS_FOLDER || undefined,
    allowedCallers: process.env.GRPC_ALLOWED_CALLERS?.split(',').filter((name) => name !== ''),
    healthBind: process.env.GRPC_HEALTH_BIND || undefined,
  };
}
