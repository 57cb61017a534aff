import { once } from 'node:events';
import { connect, createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { status, type ServiceError } from '@grpc/grpc-js';
import { recordsV1 } from '@stechuhr/contracts';
import { createGrpcClient } from '@stechuhr/service';
import { accountRequest, serve, type TestServer } from './support.js';

/** Enough for a thousand streams, each of which may send 65,535 bytes by default. The default for the whole connection is the same number. */
const MANY_STREAMS = 1_000 * 65_535;

let server: TestServer;

beforeAll(async () => {
  server = await serve({});
});
afterAll(() => server.stop());

// A small call would otherwise wait until the large ones before it have been sent, in portions of 65,535 bytes.
describe('the large messages of a connection leave room for others', () => {
  it('that are sent to a server', async () => {
    const session = connect(`http://127.0.0.1:${server.server.port}`);
    const stream = session.request({ ':method': 'POST', ':path': '/test.Unknown/Unknown', 'content-type': 'application/grpc' });
    stream.resume().end();
    await once(stream, 'close');
    expect(session.state.remoteWindowSize).toBeGreaterThanOrEqual(MANY_STREAMS);
    session.close();
  });

  it('that are sent to a client', async () => {
    const sessions = new Set<ServerHttp2Session>();
    const unimplemented = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': String(status.UNIMPLEMENTED) };
    const peer = createServer().on('stream', (stream) => stream.respond(unimplemented, { endStream: true }));
    peer.on('session', (session) => sessions.add(session)).listen(0, '127.0.0.1');
    await once(peer, 'listening');
    const client = createGrpcClient(recordsV1.RecordsServiceClient, `127.0.0.1:${(peer.address() as AddressInfo).port}`);
    const call = () => new Promise<ServiceError | null>((resolve) => client.getAccount(accountRequest('a'), (error) => resolve(error)));
    expect(await call()).toMatchObject({ code: status.UNIMPLEMENTED });
    // Whatever the client sent after its first call has arrived with its second one.
    expect(await call()).toMatchObject({ code: status.UNIMPLEMENTED });
    expect([...sessions].map(({ state }) => (state.remoteWindowSize ?? 0) >= MANY_STREAMS)).toEqual([true]);
    client.close();
    peer.close();
  });
});
