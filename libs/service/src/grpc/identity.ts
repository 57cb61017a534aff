import { join } from 'node:path';
import {
  credentials,
  experimental,
  ServerCredentials,
  ServerInterceptingCall,
  status,
  type ChannelCredentials,
  type Metadata,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { callersOf, institutionOf, roles, type commonV1, type GrpcClient } from '@stechuhr/contracts';
import { AppError, type Logger } from '@stechuhr/kernel';
import type { GrpcIdentity } from '../config.js';
import { peerOf } from './call-context.js';
import { grantIn } from './grants/grant.js';
import { grantCheck, type ReceivedCall } from './grants/require-grants.js';
import { toStatus } from './status.js';

/** Certificates are short-lived, so renewed files are used without a restart. */
const REFRESH_MS = 60_000;

/** `ca.crt`, `tls.crt` and `tls.key`, the file names of cert-manager and of Kubernetes TLS secrets. */
function certificatesIn(folder: string): experimental.FileWatcherCertificateProvider {
  return new experimental.FileWatcherCertificateProvider({
    caCertificateFile: join(folder, 'ca.crt'),
    certificateFile: join(folder, 'tls.crt'),
    privateKeyFile: join(folder, 'tls.key'),
    refreshIntervalMs: REFRESH_MS,
  });
}

/** Credentials of a client: its own certificate and the CA certificate; insecure if there is no folder. */
export function clientCredentials({ tlsFolder }: GrpcIdentity): ChannelCredentials {
  if (tlsFolder === undefined) return credentials.createInsecure();
  const certificates = certificatesIn(tlsFolder);
  return experimental.createCertificateProviderChannelCredentials(certificates, certificates);
}

/** Credentials of a server; with certificates, it accepts only clients with a certificate of the same CA. */
export function serverCredentials({ tlsFolder }: GrpcIdentity): ServerCredentials {
  if (tlsFolder === undefined) return ServerCredentials.createInsecure();
  const certificates = certificatesIn(tlsFolder);
  return experimental.createCertificateProviderServerCredentials(certificates, certificates, true);
}

/**
 * Accepts calls of a method only from the services in the table of rights (`callersOf`), by the common name of their certificates; if the environment
 * lists callers, only from those among them. If grants are required, calls are accepted only for institutions for which the caller has a grant
 * (`needsGrant`). Services of other teams may call the methods that the environment lists, for the institutions that it lists. Without certificates,
 * callers have no names and all calls are accepted.
 * @param paths the methods of the server (`/stechuhr.records.v1.RecordsService/ReadTimeRecords`)
 */
export function onlyCallers(
  { tlsFolder, allowedCallers, requireGrants = false, clients = [] }: GrpcIdentity,
  { paths, logger }: { readonly paths: readonly string[]; readonly logger: Logger },
): ServerInterceptor[] {
  if (tlsFolder === undefined && allowedCallers === undefined) return [];
  const grantProblemOf = tlsFolder === undefined ? () => undefined : grantCheck({ paths, tlsFolder, requireGrants, logger });
  const admitted = new Map(clients.map((client) => [client.name, client]));
  const isOneOfUs = (name: string, path: string) => (allowedCallers?.includes(name) ?? true) && callersOf(path).includes(name);
  const problemOf = (call: ReceivedCall): Refusal | undefined => {
    const client = admitted.get(call.caller);
    if (client !== undefined) return foreignProblem(client, call.message);
    const problem = grantProblemOf(call);
    return problem === undefined ? undefined : denied(problem);
  };
  return [
    ({ path }, call) => {
      let caller = '';
      let grant: Buffer | undefined;
      const refuse = (refusal: Refusal) => call.sendStatus(refusal);
      return new ServerInterceptingCall(call, {
        start: (next) =>
          next({
            onReceiveMetadata(metadata, pass) {
              // Read once, since the socket parses its certificate for each call of the getter.
              const name = peerOf(call);
              const isAllowed = name !== undefined && (isOneOfUs(name, path) || mayCall(admitted.get(name), path));
              if (!isAllowed) return refuse(denied(`${String(name)} may not call ${path.slice(1)}.`));
              caller = name;
              grant = grantIn(metadata);
              pass(metadata);
            },
            onReceiveMessage(message: unknown, pass) {
              const problem = problemOf({ path, caller, grant, message });
              if (problem === undefined) pass(message);
              else refuse(problem);
            },
          }),
      });
    },
  ];
}

function mayCall(client: GrpcClient | undefined, path: string): boolean {
  return client?.methods.some((method) => path === `/${method}`) === true;
}

interface Refusal {
  readonly code: status;
  readonly details: string;
  /** The error of the platform; a caller that is refused gets none. */
  readonly metadata?: Metadata;
}

/**
 * Checks a call of a service of another team: the environment replaces the grant that services of the platform have, and the `caller` must be
 * complete, because no service of the platform has filled it in.
 */
function foreignProblem({ name, institutions }: GrpcClient, message: unknown): Refusal | undefined {
  const institution = institutionOf(message)?.toLowerCase();
  if (institutions !== undefined && (institution === undefined || !institutions.includes(institution)))
    return denied(`${name} may not call for the institution ${institution ?? 'that it does not name'}.`);
  const { caller } = message as { readonly caller?: commonV1.Caller };
  if (Object.values(roles).some((role) => role === caller?.visibility?.role)) return undefined;
  return toStatus(AppError.invalid({ caller: ['The call has to name a caller, and what it may see by a role.'] }));
}

const denied = (details: string): Refusal => ({ code: status.PERMISSION_DENIED, details });
