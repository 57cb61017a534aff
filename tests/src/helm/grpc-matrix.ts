import { Client, status as codes, type ServiceError } from '@grpc/grpc-js';
import { grpcRights } from '@stechuhr/contracts';
import { createGrpcClient } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';

/** The result of a call: rejected before it reached the handler, with the message; or passed to the handler. */
export interface Verdict {
  readonly path: string;
  readonly caller: string;
  readonly refused: string | undefined;
}

const DEADLINE_MS = 10_000;
const bytes = (message: Buffer): Buffer => message;

/** Returns the paths of all methods of a service. */
export function pathsOf(service: string): string[] {
  const package_ = `stechuhr.${service.replaceAll('-', '_')}.v1.`;
  return Object.entries(grpcRights)
    .filter(([name]) => name.startsWith(package_))
    .flatMap(([name, methods]) => Object.keys(methods).map((method) => `/${name}/${method}`));
}

/** Calls each method with an empty message and the certificate of a caller. */
export async function tryAll(caller: string, tlsFolder: string, address: string, paths: readonly string[]): Promise<Verdict[]> {
  const client = createGrpcClient(Client, address, { identity: { tlsFolder } });
  try {
    const verdicts: Verdict[] = [];
    // On a busy machine connecting may time out; then the waiting calls are repeated.
    for (const path of paths) verdicts.push({ path, caller, ...(await waitFor(() => refusalOf(client, path))) });
    return verdicts;
  } finally {
    client.close();
  }
}

/** Calls a method. All kinds of calls are the same on the wire; a method with a request stream gets an empty one. */
function refusalOf(client: Client, path: string): Promise<{ readonly refused: string | undefined }> {
  return new Promise((resolve, reject) => {
    const call = client.makeBidiStreamRequest(path, bytes, bytes, { deadline: Date.now() + DEADLINE_MS });
    call.on('data', () => call.cancel());
    call.on('error', () => undefined);
    call.on('status', (status: Pick<ServiceError, 'code' | 'details' | 'metadata'>) => {
      // Errors of a handler contain our trailer; rejections because of the caller do not.
      if (status.details.includes(' may not call ') && status.code === codes.PERMISSION_DENIED) resolve({ refused: status.details });
      else if (status.code === codes.UNAVAILABLE) reject(new Error(`${path}: ${status.details}`));
      else resolve({ refused: undefined });
    });
    if (!/Import$/.test(path)) call.write(Buffer.alloc(0));
    call.end();
  });
}
