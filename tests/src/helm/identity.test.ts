import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Http2Session, Http2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { credentials, status, type ChannelCredentials, type ClientOptions } from '@grpc/grpc-js';
import { recordsV1 } from '@stechuhr/contracts';
import {
  callUnary,
  checkReachable,
  createGrpcClient,
  readStream,
  serverStream,
  startGrpcServer,
  unary,
  type GrpcServer,
} from '@stechuhr/service';
import { mountCertificate, variableOf } from './chart-identities.js';
import { openChart } from './chart.js';

/** Connects without the DNS of a cluster, but verifies the certificate for the name of the Service. */
class RecordsInTheCluster extends recordsV1.RecordsServiceClient {
  constructor(address: string, channel: ChannelCredentials, options?: Partial<ClientOptions>) {
    super(address, channel, { ...options, 'grpc.ssl_target_name_override': 'demo-stechuhr-records' });
  }
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const { getAccount, listEmployees } = recordsV1.RecordsServiceService;
const methods = {
  getAccount,
  listEmployees: {
    ...listEmployees,
    requestDeserialize(bytes: Buffer) {
      onRequest?.();
      return listEmployees.requestDeserialize(bytes);
    },
  },
};
/** Called while the server reads a request for employees. */
let onRequest: (() => void) | undefined;
let folder: string;
let server: GrpcServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stechuhr-identity-'));
  const chart = await openChart(undefined, { hasRealKeys: true });
  const [release, other] = await Promise.all([chart.render('external.yaml'), chart.render('external.yaml')]);
  await chart.close();
  for (const name of ['records', 'gateway', 'exports', 'tasks']) mountCertificate(release, name, folder);
  mountCertificate(other, 'gateway', join(folder, 'of-another-release'));
  server = await startGrpcServer({
    bind: '127.0.0.1:0',
    services: [
      {
        definition: methods,
        implementation: {
          getAccount: unary(async () => recordsV1.GetAccountResponse.fromPartial({})),
          listEmployees: serverStream(async function* () {
            yield recordsV1.ListEmployeesResponse.fromPartial({});
          }),
        },
      },
    ],
    identity: {
      tlsFolder: join(folder, 'records'),
      allowedCallers: variableOf(release, 'records', 'GRPC_ALLOWED_CALLERS')?.split(','),
      healthBind: '127.0.0.1:0',
    },
    logger: silent,
  });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Closes the connection of a session. `destroy` does not work on a socket that an HTTP/2 session uses. */
function cut(session: Http2Session | undefined): void {
  const socket = Object.getOwnPropertySymbols(session)
    .map((name) => Reflect.get(session as object, name) as unknown)
    .find((value) => value instanceof TLSSocket);
  if (socket === undefined) throw new Error('the session has no socket');
  TLSSocket.prototype.destroy.call(socket);
}

async function ask(tlsFolder: string | undefined): Promise<unknown> {
  const client = createGrpcClient(RecordsInTheCluster, `127.0.0.1:${server.port}`, { identity: { tlsFolder } });
  const request = recordsV1.GetAccountRequest.fromPartial({ accountId: 'a' });
  try {
    return await callUnary(client, client.getAccount, request, { deadlineMs: 60_000 });
  } finally {
    client.close();
  }
}

describe('calls between services', () => {
  it('answers a service that is an intended caller', async () => {
    expect(await ask(join(folder, 'gateway'))).toEqual(recordsV1.GetAccountResponse.fromPartial({}));
  });

  it('rejects a service of the release that is not an intended caller', async () => {
    // For the client of the caller this is an internal error, not a missing permission.
    await expect(ask(join(folder, 'tasks'))).rejects.toMatchObject({ code: 'internal', cause: { code: status.PERMISSION_DENIED } });
  });

  it('rejects an intended caller that calls another method', async () => {
    const refusal = { code: status.PERMISSION_DENIED, details: 'exports may not call stechuhr.records.v1.RecordsService/GetAccount.' };
    await expect(ask(join(folder, 'exports'))).rejects.toMatchObject({ cause: refusal });
  });

  it('rejects the same service of another release', async () => {
    await expect(ask(join(folder, 'of-another-release', 'gateway'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('rejects a caller without a certificate', async () => {
    await expect(ask(undefined)).rejects.toMatchObject({ code: 'unavailable' });
    const anonymous = new RecordsInTheCluster(`127.0.0.1:${server.port}`, credentials.createSsl());
    await expect(checkReachable(anonymous)).rejects.toThrow();
    anonymous.close();
  });

  it('survives a caller whose connection ends while its request is read', async () => {
    let session: Http2Session | undefined;
    const watch = (message: unknown): void => void (session = (message as { stream: Http2Stream }).stream.session);
    subscribe('http2.server.stream.created', watch);
    onRequest = () => cut(session);
    const client = createGrpcClient(RecordsInTheCluster, `127.0.0.1:${server.port}`, { identity: { tlsFolder: join(folder, 'exports') } });
    const answer = readStream(client, client.listEmployees, recordsV1.ListEmployeesRequest.fromPartial({}));
    await expect(Array.fromAsync(answer)).rejects.toMatchObject({ code: 'unavailable' });
    unsubscribe('http2.server.stream.created', watch);
    onRequest = undefined;
    client.close();
    expect(await ask(join(folder, 'gateway'))).toEqual(recordsV1.GetAccountResponse.fromPartial({}));
  });

  it('reports its health on a separate port to everybody', async () => {
    const anyone = createGrpcClient(recordsV1.RecordsServiceClient, `127.0.0.1:${server.healthPort}`, {});
    await expect(checkReachable(anyone)).resolves.toBeUndefined();
    const request = recordsV1.GetAccountRequest.fromPartial({ accountId: 'a' });
    await expect(callUnary(anyone, anyone.getAccount, request)).rejects.toThrow();
    anyone.close();
  });
});
