import { join } from 'node:path';
import {
  credentials,
  experimental,
  ServerCredentials,
  ServerInterceptingCall,
  status,
  type ChannelCredentials,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { callersOf } from '@stechuhr/contracts';
import type { Logger } from '@stechuhr/kernel';
import type { GrpcIdentity } from '../config.js';
import { peerOf } from './call-context.js';
import { grantIn } from './grants/grant.js';
import { grantCheck } from './grants/require-grants.js';

/** Certificates are short-lived: renewed files are taken without a restart. */
const REFRESH_MS = 60_000;

/** `ca.crt`, `tls.crt` and `tls.key`, as cert-manager and Kubernetes' TLS secrets name them. */
function certificatesIn(folder: string): experimental.FileWatcherCertificateProvider {
  return new experimental.FileWatcherCertificateProvider({
    caCertificateFile: join(folder, 'ca.crt'),
    certificateFile: join(folder, 'tls.crt'),
    privateKeyFile: join(folder, 'tls.key'),
    refreshIntervalMs: REFRESH_MS,
  });
}

/** What a client shows and trusts: its certificate and the authority's, or nothing where no folder is given. */
export function clientCredentials({ tlsFolder }: GrpcIdentity): ChannelCredentials {
  if (tlsFolder === undefined) return credentials.createInsecure();
  const certificates = certificatesIn(tlsFolder);
  return experimental.createCertificateProviderChannelCredentials(certificates, certificates);
}

/** The credentials of a server; with certificates it serves only clients with one of the same authority. */
export function serverCredentials({ tlsFolder }: GrpcIdentity): ServerCredentials {
  if (tlsFolder === undefined) return ServerCredentials.createInsecure();
  const certificates = certificatesIn(tlsFolder);
  return experimental.createCertificateProviderServerCredentials(certificates, certificates, true);
}

/**
 * Accepts calls of a method from those whom the table of rights names (`callersOf`), by the common name of their certificates, and from no
 * one else; where the environment names callers, only from these of them. Where grants are required, it accepts them for the institutions for
 * which their callers have one (`needsGrant`). Without certificates nobody has a name: all are answered.
 */
export function onlyCallers({ tlsFolder, allowedCallers, requireGrants = false }: GrpcIdentity, logger: Logger): ServerInterceptor[] {
  if (tlsFolder === undefined && allowedCallers === undefined) return [];
  const problemOf = tlsFolder === undefined ? () => undefined : grantCheck({ tlsFolder, requireGrants, logger });
  return [
    ({ path }, call) => {
      let caller = '';
      let grant: Buffer | undefined;
      const refuse = (details: string) => call.sendStatus({ code: status.PERMISSION_DENIED, details });
      return new ServerInterceptingCall(call, {
        start: (next) =>
          next({
            onReceiveMetadata(metadata, pass) {
              // Asked once: the socket reads its certificate for each answer.
              const name = peerOf(call);
              const isAllowed = name !== undefined && (allowedCallers?.includes(name) ?? true) && callersOf(path).includes(name);
              if (!isAllowed) return refuse(`${String(name)} may not call ${path.slice(1)}.`);
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
