import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, credentials, status, type ServerDuplexStream, type ServerUnaryCall } from '@grpc/grpc-js';
import { waitFor } from '@stechuhr/testing';
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
/** `grpc.max_concurrent_streams` of a server. */
const STREAMS_OF_A_CONNECTION = 2_000;

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

/** A call that hangs, and its status when it has ended. */
function hang(): { readonly code: Promise<status | undefined>; cancel(): void } {
  const { promise: code, resolve } = Promise.withResolvers<status | undefined>();
  const one = client.makeUnaryRequest(definition.hang.path, bytes, bytes, Buffer.alloc(0), (error) => resolve(error?.code));
  return { code, cancel: () => one.cancel() };
}

const hangMany = (count: number) => Array.from({ length: count }, hang);

/** A call that echoes; `ended` has what it echoed. */
function echo() {
  const call = client.makeBidiStreamRequest(definition.echo.path, bytes, bytes);
  const echoed: string[] = [];
  const ended = new Promise<readonly string[]>((resolve, reject) => {
    call.on('data', (chunk: Buffer) => echoed.push(String(chunk)));
    call.on('end', () => resolve(echoed)).on('error', reject);
  });
  // Awaited at the end; a failure before that is no unhandled one.
  ended.catch(() => undefined);
  return { call, ended };
}

it('a call goes on, however many others on its connection are cancelled', async () => {
  const { call, ended } = echo();
  call.write(Buffer.from('before'));
  for (let round = 0; round < ROUNDS; round += 1) {
    const haveArrived = new Promise<void>((resolve) => (arrived = resolve));
    const hanging = hangMany(CALLS_AT_A_TIME);
    await Promise.race([haveArrived, ended]);
    for (const { cancel } of hanging) cancel();
    await Promise.all(hanging.map(({ code }) => code));
  }
  call.write(Buffer.from('after'));
  call.end();
  expect(await ended).toEqual(['before', 'after']);
});

it('a call goes on when others take the places of thousands that are cancelled at once', async () => {
  const { call, ended } = echo();
  call.write(Buffer.from('before'));
  const first = hangMany(STREAMS_OF_A_CONNECTION - 1);
  await Promise.race([waitFor(() => running > STREAMS_OF_A_CONNECTION / 2 - 2), ended]);
  for (const { cancel } of first) cancel();
  const second = hangMany(STREAMS_OF_A_CONNECTION - 1);
  await Promise.all(first.map(({ code }) => code));
  call.write(Buffer.from('after'));
  call.end();
  expect(await ended).toEqual(['before', 'after']);
  for (const { cancel } of second) cancel();
  const expected = [status.CANCELLED, status.UNAVAILABLE, status.RESOURCE_EXHAUSTED];
  const codes = await Promise.all(second.map(({ code }) => code));
  expect(codes.filter((code) => code === undefined || !expected.includes(code))).toEqual([]);
});
