import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Http2Stream } from 'node:http2';
import { recordsV1 } from '@stechuhr/contracts';
import { callUnary, readStream, serverStream, unary, type CallContext } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { accountRequest, serve, type TestServer } from './support.js';

const CHANNELS = ['http2.client.stream.created', 'http2.server.stream.created'];
const streams: Http2Stream[] = [];
const note = (message: unknown) => void streams.push((message as { readonly stream: Http2Stream }).stream);
let server: TestServer;

beforeEach(async () => {
  for (const channel of CHANNELS) subscribe(channel, note);
  server = await serve({
    getAccount: unary(async () => recordsV1.GetAccountResponse.fromPartial({})),
    listDepartments: serverStream(async function* (_request, _call: CallContext) {
      for (let sent = 0; sent < 50; sent += 1)
        yield recordsV1.ListDepartmentsResponse.fromPartial({ departments: [{ name: 'x'.repeat(64_000) }] });
    }),
  });
});

afterEach(async () => {
  for (const channel of CHANNELS) unsubscribe(channel, note);
  streams.length = 0;
  await server.stop();
});

/** Waits until the streams of one call have closed at both ends, and returns the events that they still have listeners for. */
async function listenedTo(): Promise<unknown[]> {
  await waitFor(() => streams.length === 2 && streams.every(({ closed, destroyed }) => closed && destroyed));
  // Only after its listeners ran does a stream let go of them.
  await waitFor(() => streams.every((stream) => stream.listenerCount('close') === 0));
  return streams.map((stream) => stream.eventNames());
}

it('keeps nothing of a call in its closed streams', async () => {
  await callUnary(server.client, server.client.getAccount, accountRequest('a'));
  expect(await listenedTo()).toEqual([['error'], ['error']]);
});

it('keeps nothing of an abandoned call in its closed streams', async () => {
  for await (const _message of readStream(server.client, server.client.listDepartments, recordsV1.ListDepartmentsRequest.fromPartial({})))
    break;
  expect(await listenedTo()).toEqual([['error'], ['error']]);
});
