import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, credentials, type ServerDuplexStream, type ServerUnaryCall } from '@grpc/grpc-js';
import { startGrpcServer, type GrpcServer } from '../src/grpc/server.js';
import { createLogger } from '../src/logging.js';

const bytes = (value: Buffer): Buffer => value;
const method = (name: string, isStream: boolean) => ({
  path: `/test.Calls/${name}`,
  requestStream: isStream,
  responseStream: isStream,
  requestSerialize: bytes,
  requestDeserialize: bytes,
  responseSerialize: bytes,
  responseDeserialize: bytes,
});
const definition = { echo: method('Echo', true), hang: method('Hang', false) };
const CALLS_AT_A_TIME = 100;
/** Three times as many as a connection survives by default within a few seconds. */
const ROUNDS = 30;

let running = 0;
let arrived: (() => void) | undefined;
const implementation = {
  echo: (call: ServerDuplexStream<Buffer, Buffer>): void => {
    call.on('data', (chunk: Buffer) => call.write(chunk)).on('end', () => call.end());
  },
  hang: (call: ServerUnaryCall<Buffer, Buffer>): void => {
    running += 1;
    call.once('cancelled', () => (running -= 1));
    if (running === CALLS_AT_A_TIME) arrived?.();
  },
};

let server: GrpcServer;
let client: Client;

beforeAll(async () => {
  server = await startGrpcServer({
    bind: '127.0.0.1:0',
    services: [{ definition, implementation }],
    logger: createLogger('test', 'fatal'),
    identity: {},
  });
  client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.stop();
});

it('a call goes on, however many others on its connection are cancelled', async () => {
  const call = client.makeBidiStreamRequest(definition.echo.path, bytes, bytes);
  const echoed: string[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    call.on('data', (chunk: Buffer) => echoed.push(String(chunk)));
    call.on('end', resolve).on('error', reject);
  });
  // Awaited at the end; a failure before that is no unhandled one.
  ended.catch(() => undefined);
  call.write(Buffer.from('before'));
  for (let round = 0; round < ROUNDS; round += 1) {
    const haveArrived = new Promise<void>((resolve) => (arrived = resolve));
    const hanging = Array.from({ length: CALLS_AT_A_TIME }, () => {
      const { promise: cancelled, resolve } = Promise.withResolvers<void>();
      const one = client.makeUnaryRequest(definition.hang.path, bytes, bytes, Buffer.alloc(0), () => resolve());
      return { cancelled, cancel: () => one.cancel() };
    });
    await Promise.race([haveArrived, ended]);
    for (const { cancel } of hanging) cancel();
    await Promise.all(hanging.map(({ cancelled }) => cancelled));
  }
  call.write(Buffer.from('after'));
  call.end();
  await ended;
  expect(echoed).toEqual(['before', 'after']);
});
