import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'minio';
import { AppError } from '@stechuhr/kernel';
import { startS3 } from '@stechuhr/local-infra';
import { connectObjectStore, createAddresses, type Addresses, type ObjectStore } from '@stechuhr/objectstore';

const MIB = 1024 * 1024;
const ALL_BUT_DATE = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];

let server: Awaited<ReturnType<typeof startS3>>;
let store: ObjectStore;
let addresses: Addresses;
const bucket = `test-${randomBytes(4).toString('hex')}`;

beforeAll(async () => {
  server = await startS3();
  store = connectObjectStore({ ...server.address, bucket });
  addresses = createAddresses({ ...server.address, bucket });
  await store.ensureBucket();
});

afterAll(() => server.stop());

async function* chunks(count: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index += 1) yield new Uint8Array(MIB).fill(index);
}

describe('an object store', () => {
  it('creates its bucket once', async () => {
    await expect(store.ensureBucket()).resolves.toBeUndefined();
  });

  it('stores a stream of several parts byte by byte', async () => {
    expect(await store.putStream('big', chunks(20), 'application/zip')).toBe(20 * MIB);
    expect(await store.stat('big')).toEqual({ sizeBytes: 20 * MIB, contentType: 'application/zip' });
    const response = await fetch(addresses.presignedGet('big', 60));
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([bytes[0], bytes[MIB], bytes.at(-1)]).toEqual([0, 1, 19]);
  });

  it('reads an object as a stream that can be aborted', async () => {
    await store.putStream('read', chunks(3), 'image/png');
    const lengths: number[] = [];
    for await (const chunk of await store.getStream('read', new AbortController().signal)) lengths.push((chunk as Uint8Array).length);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(3 * MIB);
    const leaving = new AbortController();
    const stream = await store.getStream('read', leaving.signal);
    leaving.abort();
    await expect(once(stream, 'end')).rejects.toThrow('aborted');
    await expect(store.getStream('read', leaving.signal)).rejects.toThrow('aborted');
    await expect(store.getStream('nothing', new AbortController().signal)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stores an empty stream', async () => {
    expect(await store.putStream('empty', chunks(0), 'text/csv')).toBe(0);
    expect(await store.stat('empty')).toMatchObject({ sizeBytes: 0 });
  });

  it.each([
    ['Löhne "März".csv', `attachment; filename="L_hne _M_rz_.csv"; filename*=UTF-8''L%C3%B6hne%20%22M%C3%A4rz%22.csv`],
    ["Lohn d'Or (1)*.csv", `attachment; filename="Lohn d_Or _1__.csv"; filename*=UTF-8''Lohn%20d%27Or%20%281%29%2A.csv`],
  ])('signs a URL for the file name %j', async (fileName, header) => {
    await store.putStream('report', chunks(1), 'text/csv');
    const response = await fetch(addresses.presignedGet('report', 60, { fileName }));
    await response.arrayBuffer();
    expect(response.headers.get('content-disposition')).toBe(header);
  });

  it('signs a URL that expires and gives access to nothing else', async () => {
    await store.putStream('hour', chunks(1), 'text/html');
    const answer = async (address: string) => {
      const response = await fetch(address);
      return { status: response.status, type: response.headers.get('content-type'), size: (await response.arrayBuffer()).byteLength };
    };
    const signedAt = (millisecondsAgo: number) => {
      const clock = { now: () => Date.now() - millisecondsAgo };
      return createAddresses({ ...server.address, bucket, clock }).presignedGet('hour', 3_600, { contentType: 'image/png' });
    };
    expect(await answer(signedAt(3_590_000))).toEqual({ status: 200, type: 'image/png', size: MIB });
    expect(await answer(signedAt(3_602_000))).toMatchObject({ status: 403 });
    expect(await answer(signedAt(0).replace('/hour?', '/report?'))).toMatchObject({ status: 403 });
    expect(await answer(signedAt(0).replace('image%2Fpng', 'text%2Fhtml'))).toMatchObject({ status: 403 });
    expect(await answer(signedAt(0).replace('Expires=3600', 'Expires=7200'))).toMatchObject({ status: 403 });
  });

  it('signs URLs of keys with any characters', async () => {
    for (const key of ["a/b c+d/(e)'!*~.jpg", 'Käse/€ & 100%.png', 'a=b?c#d']) {
      await store.putStream(key, chunks(1), 'image/png');
      expect([key, (await fetch(addresses.presignedGet(key, 60))).status]).toEqual([key, 200]);
    }
  });

  it('stores nothing if the source fails', async () => {
    const failing = async function* () {
      yield* chunks(10);
      throw new Error('no more rows');
    };
    await expect(store.putStream('half', failing(), 'text/csv')).rejects.toThrow('no more rows');
    expect(await store.stat('half')).toBeUndefined();
  });

  it.each([
    ['cannot be reached', undefined],
    ['is not ready', 503],
    ['is overloaded', 429],
  ])('is reported as unavailable when it %s', async (_, status) => {
    const answering = createServer((_request, response) => response.writeHead(status ?? 200).end()).listen(0, '127.0.0.1');
    await once(answering, 'listening');
    const { port } = answering.address() as AddressInfo;
    if (status === undefined) answering.close();
    const unavailable = connectObjectStore({ ...server.address, endpoint: `http://127.0.0.1:${port}` });
    const calls = [
      unavailable.ensureBucket(),
      unavailable.putStream('a', chunks(10), 'text/csv'),
      unavailable.remove('a'),
      unavailable.stat('a'),
    ];
    const outcomes = await Promise.allSettled(calls);
    answering.close();
    answering.closeAllConnections();
    for (const outcome of outcomes) {
      expect(AppError.from((outcome as PromiseRejectedResult).reason)).toMatchObject({ code: 'unavailable' });
    }
  });

  it.each([
    ['RequestTimeTooSkewed', 403],
    ['InvalidAccessKeyId', 403],
    ['XMinioStorageFull', 507],
    ['XMinioAdminBucketQuotaExceeded', 400],
    ['QuotaExceeded', 403],
  ])('is reported as unavailable when it responds with %s', async (code, status) => {
    const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Refused.</Message></Error>`;
    const answering = createServer((_request, response) => response.writeHead(status).end(body));
    answering.listen(0, '127.0.0.1');
    await once(answering, 'listening');
    const { port } = answering.address() as AddressInfo;
    const refusing = connectObjectStore({ ...server.address, endpoint: `http://127.0.0.1:${port}` });
    const calls = [refusing.putStream('a', chunks(1), 'text/csv'), refusing.putStream('b', chunks(10), 'text/csv'), refusing.remove('a')];
    const outcomes = await Promise.allSettled(calls);
    answering.close();
    answering.closeAllConnections();
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
  });

  it.each(['SlowDown', 'InternalError'])('is reported as unavailable when %s follows its 200', async (code) => {
    const responses: Readonly<Record<string, string>> = {
      GET: '<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>',
      'POST ?uploads': '<InitiateMultipartUploadResult><UploadId>first</UploadId></InitiateMultipartUploadResult>',
    };
    const refusal = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Refused.</Message></Error>`;
    // S3 begins its responses to copies and completions before it has done them, and reports what fails afterwards in the body.
    const answering = createServer((request, response) => {
      const { method = '', url = '' } = request.resume();
      response.writeHead(200).end(responses[url.endsWith('?uploads') ? `${method} ?uploads` : method] ?? refusal);
    });
    await once(answering.listen(0, '127.0.0.1'), 'listening');
    const { port } = answering.address() as AddressInfo;
    const late = connectObjectStore({ ...server.address, endpoint: `http://127.0.0.1:${port}` });
    const outcomes = await Promise.allSettled([late.putStream('a', chunks(10), 'text/csv'), late.copy('a', 'b')]);
    answering.close();
    answering.closeAllConnections();
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  });

  it.each([
    ['unavailable', ['SlowDown', 'SlowDownWrite']],
    ['internal', ['InternalError', 'AccessDenied']],
  ])('is reported as %s when its 200 names objects that it has not removed: %j', async (code, refusals) => {
    const contents = refusals.map((_, n) => `<Contents><Key>x/${n}</Key><Size>1</Size><ETag>e</ETag></Contents>`);
    const errors = refusals.map((refusal, n) => `<Error><Key>x/${n}</Key><Code>${refusal}</Code><Message>Refused.</Message></Error>`);
    const listed = `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`;
    const answering = createServer((request, response) => {
      response.writeHead(200).end(request.resume().method === 'GET' ? listed : `<DeleteResult>${errors.join('')}</DeleteResult>`);
    });
    await once(answering.listen(0, '127.0.0.1'), 'listening');
    const { port } = answering.address() as AddressInfo;
    const overloaded = connectObjectStore({ ...server.address, endpoint: `http://127.0.0.1:${port}` });
    const [outcome] = await Promise.allSettled([overloaded.removeAll('x/')]);
    answering.close();
    answering.closeAllConnections();
    expect(AppError.from((outcome as PromiseRejectedResult).reason).code).toBe(code);
  });

  it.each([429, 503])('gives the connection of each response with %d back, although nobody reads its body', async (status) => {
    const connections = new Set<unknown>();
    const answering = createServer(({ socket }, response) => {
      connections.add(socket);
      response.writeHead(status, { 'content-length': '8' }).end('Not now.');
    });
    await once(answering.listen(0, '127.0.0.1'), 'listening');
    const { port } = answering.address() as AddressInfo;
    const overloaded = connectObjectStore({ ...server.address, endpoint: `http://127.0.0.1:${port}` });
    for (let request = 0; request < 5; request += 1) {
      await expect(overloaded.remove('a')).rejects.toMatchObject({ code: 'unavailable' });
      await expect(overloaded.stat('a')).rejects.toMatchObject({ code: 'unavailable' });
      await delay(10);
    }
    answering.close();
    answering.closeAllConnections();
    expect(connections.size).toBeLessThan(5);
  });

  it('is unavailable, not forbidden, if the clocks differ by twenty minutes', async () => {
    const key = 'skewed';
    await store.putStream(key, chunks(1), 'text/csv');
    jest.useFakeTimers({ now: Date.now() - 1_200_000, doNotFake: ALL_BUT_DATE });
    try {
      for (const call of [() => store.ensureBucket(), () => store.stat(key), () => store.remove(key)]) {
        await expect(call()).rejects.toMatchObject({ code: 'unavailable' });
      }
    } finally {
      jest.useRealTimers();
    }
  });

  it('removes the parts of an interrupted upload, if there are any', async () => {
    const { endpoint, accessKey, secretKey } = server.address;
    const { hostname, port } = new URL(endpoint);
    const client = new Client({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
    await client.initiateNewMultipartUpload(bucket, 'interrupted', {});
    await store.removeParts('interrupted');
    expect(await client.findUploadId(bucket, 'interrupted')).toBeUndefined();
    await store.removeParts('interrupted');
  });

  it('removes an object, even one that does not exist', async () => {
    await store.putStream('gone', chunks(1), 'text/csv');
    await store.remove('gone');
    await store.remove('gone');
    expect(await store.stat('gone')).toBeUndefined();
  });
});

function endpointOf(listening: Server): string {
  return `http://127.0.0.1:${String((listening.address() as AddressInfo).port)}`;
}

describe('a store that stops responding', () => {
  const SHORT_LIMITS = { storingMs: 300, otherMs: 300 };
  const silent = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.includes('half') !== true) return;
    response.writeHead(200, { 'content-length': '10' });
    response.write('half');
  });
  let unresponsive: ObjectStore;

  beforeAll(async () => {
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    unresponsive = connectObjectStore({ ...server.address, endpoint: endpointOf(silent), bucket }, SHORT_LIMITS);
  });

  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  it('counts as unavailable', async () => {
    const asked = [
      () => unresponsive.ensureBucket(),
      () => unresponsive.stat('key'),
      () => unresponsive.remove('key'),
      () => unresponsive.removeParts('key'),
      () => unresponsive.putStream('key', chunks(1), 'text/csv'),
      () => unresponsive.putStream('key', chunks(9), 'text/csv'),
      () => unresponsive.getStream('key', new AbortController().signal),
    ];
    for (const ask of asked) {
      const caught: unknown = await ask().catch((error: unknown) => error);
      expect(AppError.from(caught).code).toBe('unavailable');
    }
  });

  it('counts as unavailable in the middle of a download', async () => {
    // Long enough for the response to begin on a busy machine.
    const begun = connectObjectStore({ ...server.address, endpoint: endpointOf(silent), bucket }, { storingMs: 3_000, otherMs: 3_000 });
    const half = await begun.getStream('half', new AbortController().signal);
    const caught: unknown = await half.toArray().catch((error: unknown) => error);
    expect(AppError.from(caught).code).toBe('unavailable');
  });

  it.each([
    ['is still arriving', 30 * MIB],
    ['has arrived', 1_000],
  ])('does not include one whose reader pauses while the object %s', async (_, size) => {
    const content = Readable.from([Buffer.alloc(size, 'x')]);
    await store.putStream('slow', content, 'image/png');
    // Long enough for the store to answer on a busy machine.
    const limits = { storingMs: 1_500, otherMs: 1_500 };
    const slow = await connectObjectStore({ ...server.address, bucket }, limits).getStream('slow', new AbortController().signal);
    await delay(1.5 * limits.otherMs);
    const read = await slow.toArray();
    expect(read.reduce((sum: number, chunk: Uint8Array) => sum + chunk.length, 0)).toBe(size);
  });
});
