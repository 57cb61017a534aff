import { Client, status as codes, type ServiceError } from '@grpc/grpc-js';
import { grpcRights } from '@stechuhr/contracts';
import { createGrpcClient } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';

/** What became of a call: refused before the handler saw it, with the sentence that says so; or left to the handler. */
export interface Verdict {
  readonly path: string;
  readonly caller: string;
  readonly refused: string | undefined;
}

const DEADLINE_MS = 10_000;
const bytes = (message: Buffer): Buffer => message;

/** The paths of all methods of a service of the platform. */
export function pathsOf(service: string): string[] {
  const package_ = `stechuhr.${service.replaceAll('-', '_')}.v1.`;
  return Object.entries(grpcRights)
    .filter(([name]) => name.startsWith(package_))
    .flatMap(([name, methods]) => Object.keys(methods).map((method) => `/${name}/${method}`));
}

/** Calls each method at an address, empty-handed, with the certificate of a caller. */
export async function tryAll(caller: string, tlsFolder: string, address: string, paths: readonly string[]): Promise<Verdict[]> {
  const client = createGrpcClient(Client, address, { identity: { tlsFolder } });
  try {
    const verdicts: Verdict[] = [];
    // On a busy machine a connection may take so long that it is made again, and with it the calls that wait for it.
    for (const path of paths) verdicts.push({ path, caller, ...(await waitFor(() => refusalOf(client, path))) });
    return verdicts;
  } finally {
    client.close();
  }
}

/** On the wire each kind of call is the same; one that takes a stream is given an empty one. */
function refusalOf(client: Client, path: string): Promise<{ readonly refused: string | undefined }> {
  return new Promise((resolve, reject) => {
    const call = client.makeBidiStreamRequest(path, bytes, bytes, { deadline: Date.now() + DEADLINE_MS });
    call.on('data', () => call.cancel());
    call.on('error', () => undefined);
    call.on('status', (status: Pick<ServiceError, 'code' | 'details' | 'metadata'>) => {
      // What a handler throws carries our trailer; what the server refuses for its caller's sake does not.
      if (status.details.includes(' may not call ') && status.code === codes.PERMISSION_DENIED) resolve({ refused: status.details });
      else if (status.code === codes.UNAVAILABLE) reject(new Error(`${path}: ${status.details}`));
      else resolve({ refused: undefined });
    });
    if (!/Import$/.test(path)) call.write(Buffer.alloc(0));
    call.end();
  });
}
