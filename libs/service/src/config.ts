import { grpcClientSchema, type GrpcClient } from '@stechuhr/contracts';
import { z } from 'zod';

/** Thrown if the environment of a service is incomplete or invalid. The message names every invalid variable, but never a value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the settings of a process from environment variables, before anything connects. All problems are reported in one error.
 *
 * An empty variable counts as not set, because charts and compose files write empty strings for what they leave open; so does a blank one, which
 * would be the number 0, and with it a limit that is off. A line break at the end is no part of a value: a secret that is made of a file
 * (`kubectl create secret --from-file`) often has one, which nobody sees.
 *
 * @param schema its keys are the names of the variables; it contains transforms and defaults
 * @returns the parsed settings, frozen
 * @throws ConfigError with one line for each invalid variable
 */
export function loadConfig<T>(schema: z.ZodType<T>, env: NodeJS.ProcessEnv): T {
  const lines = Object.entries(env).map(([name, value]) => [name, value?.replace(/[\r\n]+$/, '')] as const);
  const given = Object.fromEntries(lines.filter(([, value]) => value !== undefined && value.trim() !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return Object.freeze(parsed.data);
  // Quotation marks are removed because the logger redacts quoted text; here it is the allowed choices, never the given value.
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || '(environment)'}: ${message.replaceAll('"', '')}`);
  throw new ConfigError(`Bad configuration:\n${problems.join('\n')}`);
}

/** Returns the folder of the compiled `.proto` files if it is configured, for example in an image; only used by reflection. */
export function protoRootFromEnvironment(): string | undefined {
  return process.env.STECHUHR_PROTOS || undefined;
}

/** The environment variables of every process for its calls, except folders and addresses. */
export const identityVariables = {
  // Strict: a typo would otherwise leave grants optional.
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

function namesIn(list: string): string[] {
  const names = list.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

function clientList() {
  return z
    .array(grpcClientSchema)
    .refine((clients) => new Set(clients.map(({ name }) => name)).size === clients.length, 'has a name twice');
}

/** The variables of {@link identityFromEnvironment}. */
const ownIdentityVariables = {
  ...identityVariables,
  GRPC_TLS_FOLDER: z.string().optional(),
  GRPC_ALLOWED_CALLERS: z.string().transform(namesIn).optional(),
  GRPC_HEALTH_BIND: z.string().optional(),
};

/** How this process authenticates to others, and whose calls it accepts. */
export interface GrpcIdentity {
  /** Folder with `ca.crt`, `tls.crt` and `tls.key`; without it, calls are neither encrypted nor authenticated. */
  readonly tlsFolder?: string | undefined;
  /** Common names of certificates; restricts the table of rights (`grpcRights`) further. Applies only with certificates. */
  readonly allowedCallers?: readonly string[] | undefined;
  /**
   * Whether calls that need a grant (`needsGrant`) are rejected without one; otherwise they are only counted. Applies only with
   * certificates.
   */
  readonly requireGrants?: boolean | undefined;
  /** Services of other teams, with the methods and institutions that each may use. Applies only with certificates. */
  readonly clients?: readonly GrpcClient[] | undefined;
  /** `host:port` that serves only health checks, without a client certificate, because the kubelet has none. */
  readonly healthBind?: string | undefined;
}

/**
 * Reads `GRPC_TLS_FOLDER`, `GRPC_ALLOWED_CALLERS` (comma-separated), `GRPC_REQUIRE_GRANTS` (`true`), `GRPC_CLIENTS` (JSON) and
 * `GRPC_HEALTH_BIND`, which are the same for every service.
 *
 * @throws ConfigError
 */
export function identityFromEnvironment(): GrpcIdentity {
  const env = loadConfig(z.object(ownIdentityVariables), process.env);
  return {
    requireGrants: env.GRPC_REQUIRE_GRANTS,
    clients: env.GRPC_CLIENTS,
    tlsFolder: env.GRPC_TLS_FOLDER,
    allowedCallers: env.GRPC_ALLOWED_CALLERS,
    healthBind: env.GRPC_HEALTH_BIND,
  };
}
