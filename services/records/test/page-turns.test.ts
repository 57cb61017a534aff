import { once } from 'node:events';
import { connect } from 'node:http2';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { browseV1, commonV1 } from '@stechuhr/contracts';
import { createGrpcClient, readStream } from '@stechuhr/service';
import { buildAccount, buildEmployee, buildInstitution, testServers, type TestServers } from '@stechuhr/testing';
import { startRecords, type RunningRecords } from './support/running-records.js';

const id = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
/** The number of pages of one institution that are created at the same time. */
const OWN = 4;
const [busy, other] = [buildInstitution({ id: id(1) }), buildInstitution({ id: id(2) })];
const lines = [busy, other].flatMap(({ id: institution_id }, n) => [
  buildAccount({ institution_id, id: id(10 + n) }),
  buildEmployee({ institution_id, id: id(20 + n) }),
]);
let servers: TestServers;
let records: RunningRecords;
let client: browseV1.BrowseServiceClient;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  expect((await records.importLines(busy, other, ...lines)).rejected).toEqual([]);
  client = createGrpcClient(browseV1.BrowseServiceClient, records.address);
});
afterAll(async () => {
  client.close();
  await records.stop();
  await servers.stop();
});

function pageOf({ id: institutionId }: { readonly id: string }, group: browseV1.RecordGroup): browseV1.ListRecordsRequest {
  const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
  return { caller: { institutionId, accountId: id(10), visibility }, group, parameters: {}, limit: 1000, offset: 0 };
}

async function read(request: browseV1.ListRecordsRequest): Promise<number> {
  let found = 0;
  for await (const message of readStream(client, client.listRecords, request)) found += message.records.length;
  return found;
}

/** Opens calls that receive nothing: their flow-control window is empty. */
function unread(request: browseV1.ListRecordsRequest, count: number) {
  const session = connect(`http://${records.address}`, { settings: { initialWindowSize: 0 } }).on('error', () => undefined);
  const message = Buffer.from(browseV1.ListRecordsRequest.encode(request).finish());
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  const { path } = browseV1.BrowseServiceService.listRecords;
  const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
  const streams = Array.from({ length: count }, () => session.request(headers));
  for (const stream of streams) stream.on('error', () => undefined).end(Buffer.concat([prefix, message]));
  return { begun: Promise.all(streams.map((stream) => once(stream, 'response'))), streams, close: () => session.destroy() };
}

it('pages that a client does not receive delay only pages of the same institution', async () => {
  const { RECORD_GROUP_EMPLOYEES: staff } = browseV1.RecordGroup;
  const held = unread(pageOf(busy, staff), OWN);
  await held.begun;
  let isAnswered = false;
  const next = read(pageOf(busy, staff)).finally(() => (isAnswered = true));
  for (let time = 0; time < 10; time++) expect(await read(pageOf(other, staff))).toBe(1);
  expect(isAnswered).toBe(false);
  held.streams[0]?.close();
  expect(await next).toBe(1);
  held.close();
});
