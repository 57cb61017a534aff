import { grpcClientSchema, type GrpcClient } from '@stechuhr/contracts';
import { z } from 'zod';

/** The environment of a service is incomplete or invalid; the message names every bad variable, but no values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings of a process before anything connects, and reports all problems in one error. An empty variable counts as not set, because
 * charts and compose files write empty strings for optional settings. A line break at the end of a value is removed: secrets created from files
 * (`kubectl create secret --from-file`) often contain one unnoticed.
 * @param schema keys are the names of the variables; transforms and defaults belong there
 * @returns the parsed settings, frozen
 * @throws ConfigError with one line for each bad variable
 */
export function loadConfig<T>(schema: z.ZodType<T>, env: NodeJS.ProcessEnv): T {
  const lines = Object.entries(env).map(([name, value]) => [name, value?.replace(/[\r\n]+$/, '')] as const);
  const given = Object.fromEntries(lines.filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return Object.freeze(parsed.data);
  // Without quotation marks, because loggers redact quoted text, which here are the allowed values, never the given one.
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || '(environment)'}: ${message.replaceAll('"', '')}`);
  throw new ConfigError(`Bad configuration:\n${problems.join('\n')}`);
}

/** Folder of the compiled `.proto` files, if it is not that of the repository, for example in an image; used by reflection only. */
export function protoRootFromEnvironment(): string | undefined {
  return process.env.STECHUHR_PROTOS || undefined;
}

/** The variables of every process for calls to other services, besides folders and addresses. */
export const identityVariables = {
  // Strict, since a misspelt value would disable the requirement.
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

/** The identity of this process, and which callers it accepts. */
export interface GrpcIdentity {
  /** Folder with `ca.crt`, `tls.crt` and `tls.key`; without it, calls are neither encrypted nor authenticated. */
  readonly tlsFolder?: string | undefined;
  /** Common names of certificates: further restricts the table of rights (`grpcRights`). Requires certificates. */
  readonly allowedCallers?: readonly string[] | undefined;
  /** Whether calls that need a grant (`needsGrant`) are refused without one; otherwise they are only counted. Requires certificates. */
  readonly requireGrants?: boolean | undefined;
  /** Services of other teams, and which methods each may call for which institutions. Requires certificates. */
  readonly clients?: readonly GrpcClient[] | undefined;
  /** `host:port` that serves only health checks, without client certificates, which the kubelet does not have. */
  readonly healthBind?: string | undefined;
}

/**
 * Reads `GRPC_TLS_FOLDER`, `GRPC_ALLOWED_CALLERS` (comma-separated), `GRPC_REQUIRE_GRANTS` (`true`), `GRPC_CLIENTS` (JSON) and `GRPC_HEALTH_BIND`,
 * which are the same for every service.
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
