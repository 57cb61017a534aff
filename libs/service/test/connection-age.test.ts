import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Http2Stream } from 'node:http2';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  Client,
  credentials,
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import { patchSessions } from '../src/grpc/sessions.js';

const bytes = (value: Buffer): Buffer => value;
const ECHO = {
  path: '/test.Echo/Echo',
  requestStream: true,
  responseStream: true,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
} as const;
const COUNT = { ...ECHO, path: '/test.Echo/Count', requestStream: false, responseStream: false } as const;
const KEEPALIVE = { 'grpc.keepalive_time_ms': 1_000, 'grpc.keepalive_timeout_ms': 1_000 };
const AGE_MS = 1_000;
/** Long enough for pings of both sides after the connection has reached its maximum age. */
const CALL_MS = 4_500;

const echo = (call: ServerDuplexStream<Buffer, Buffer>): void => {
  call.on('data', (chunk: Buffer) => call.write(chunk)).on('end', () => call.end());
};

const executed: string[] = [];
const count = ({ request }: ServerUnaryCall<Buffer, Buffer>, respond: sendUnaryData<Buffer>): void => {
  executed.push(String(request));
  respond(null, request);
};

let server: Server;
let client: Client;

beforeAll(async () => {
  patchSessions();
  server = new Server({ ...KEEPALIVE, 'grpc.max_connection_age_ms': AGE_MS, 'grpc.max_connection_age_grace_ms': 60_000 });
  server.addService({ echo: ECHO, count: COUNT }, { echo, count });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), KEEPALIVE);
});
afterAll(() => {
  client.close();
  server.forceShutdown();
});

it('lets a call continue when its connection has reached its maximum age', async () => {
  const call = client.makeBidiStreamRequest(ECHO.path, bytes, bytes);
  const echoed: string[] = [];
  const ended = new Promise<void>((resolve, reject) =>
    call
      .on('data', (chunk: Buffer) => echoed.push(String(chunk)))
      .on('end', resolve)
      .on('error', reject),
  );
  call.write(Buffer.from('before'));
  setTimeout(() => {
    call.write(Buffer.from('after'));
    call.end();
  }, CALL_MS);
  await ended;
  expect(echoed).toEqual(['before', 'after']);
});

it('executes no call twice that arrives while its connection is being ended', async () => {
  const call = (id: string): Promise<string> =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(COUNT.path, bytes, bytes, Buffer.from(id), (error, response) =>
        error ? reject(error) : resolve(String(response)),
      );
    });
  await call('connects');
  executed.length = 0;
  // Ends the connection after the headers of the first call; those of the others arrive in the same packet.
  const end = (message: unknown): void => {
    unsubscribe('http2.server.stream.created', end);
    (message as { readonly stream: Http2Stream }).stream.session?.close();
  };
  subscribe('http2.server.stream.created', end);
  const ids = ['1', '2', '3'];
  expect(await Promise.all(ids.map(call))).toEqual(ids);
  expect(executed.toSorted()).toEqual(ids);
});
