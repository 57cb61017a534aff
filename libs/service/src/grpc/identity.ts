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
import type { GrpcIdentity } from '../config.js';

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

/** Accepts callers whose certificate has one of these common names, and all callers where none are given. */
export function onlyCallers({ allowedCallers }: GrpcIdentity): ServerInterceptor[] {
  if (allowedCallers === undefined) return [];
  return [
    (_method, call) =>
      new ServerInterceptingCall(call, {
        start: (next) =>
          next({
            onReceiveMetadata(metadata, pass) {
              const name = call.getAuthContext().sslPeerCertificate?.subject.CN;
              if (typeof name === 'string' && allowedCallers.includes(name)) pass(metadata);
              else call.sendStatus({ code: status.PERMISSION_DENIED, details: 'This service does not answer you.' });
            },
          }),
      }),
  ];
}
