import { join } from 'node:path';
import { createFileRegistry, create, fromBinary, type FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { afterEach, describe, expect, it } from '@jest/globals';
import { connectivityState, credentials, loadPackageDefinition, type Client, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { recordsV1 } from '@stechuhr/contracts';
import { callUnary, checkReachable, connectAhead, unary } from '@stechuhr/service';
import { waitFor } from '@stechuhr/testing';
import { accountRequest, healthOf, serve, type TestServer } from './support.js';

const servers: TestServer[] = [];
const clients: Client[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function started(getAccount = async () => recordsV1.GetAccountResponse.fromPartial({})): Promise<TestServer> {
  const server = await serve({ getAccount: unary(getAccount) });
  servers.push(server);
  return server;
}

/** A client without generated types, like grpcurl or a probe. */
function plainClient(Constructor: ServiceClientConstructor, port: number): Client {
  const client = new Constructor(`127.0.0.1:${port}`, credentials.createInsecure());
  clients.push(client);
  return client;
}

describe('the health of a server', () => {
  it('follows the service, for the server and each of its services', async () => {
    const { server } = await started();
    expect(await healthOf(server, '')).toMatchObject({ status: 'NOT_SERVING' });
    server.setServing(true);
    expect(await healthOf(server, '')).toMatchObject({ status: 'SERVING' });
    expect(await healthOf(server, 'stechuhr.records.v1.RecordsService')).toMatchObject({ status: 'SERVING' });
  });
});

/** Returns the responses of a reflection service, in the order of the requests. */
async function reflected<T>(port: number, version: string, requests: readonly object[]): Promise<T[]> {
  const proto = join(import.meta.dirname, `../../../node_modules/@grpc/reflection/build/proto/grpc/reflection/${version}/reflection.proto`);
  const definition = loadPackageDefinition(loadSync(proto, { keepCase: true }));
  const path = ['grpc', 'reflection', version, 'ServerReflection'];
  const Constructor = path.reduce<unknown>((scope, name) => Object(scope)[name], definition) as ServiceClientConstructor;
  const client = plainClient(Constructor, port);
  const call = (client as unknown as { ServerReflectionInfo(): NodeJS.ReadWriteStream }).ServerReflectionInfo();
  const answers: T[] = [];
  call.on('data', (answer: T) => answers.push(answer));
  for (const request of requests) Object(call).write(request);
  call.end();
  await waitFor(() => answers.length === requests.length);
  return answers;
}

/**
 * Links the files of a symbol as strictly as clients do: each type has to be defined in the file that uses it, or in one that it imports.
 */
async function filesOf(port: number, version: string, symbol: string): Promise<FileRegistry> {
  type Answer = { readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Uint8Array[] } };
  const [answer] = await reflected<Answer>(port, version, [{ file_containing_symbol: symbol }]);
  const file = (answer?.file_descriptor_response?.file_descriptor_proto ?? []).map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
  for (const { name, dependency } of file) {
    for (const imported of dependency)
      expect({ name, has: file.map((each) => each.name) }).toMatchObject({ has: expect.arrayContaining([imported]) });
  }
  return createFileRegistry(create(FileDescriptorSetSchema, { file: file.toReversed() }));
}

describe('reflection', () => {
  const RECORDS = 'stechuhr.records.v1.RecordsService';

  it.each(['v1', 'v1alpha'])('%s lists the services, including health', async (version) => {
    const { server, lines } = await started();
    type Answer = { readonly list_services_response?: { readonly service: readonly { readonly name: string }[] } };
    const [answer] = await reflected<Answer>(server.port, version, [{ list_services: '' }]);
    expect(answer?.list_services_response?.service.map(({ name }) => name).sort()).toEqual(['grpc.health.v1.Health', RECORDS]);
    expect(lines).toEqual([]);
  });

  it.each(['v1', 'v1alpha'])('%s returns files that a client can link and use for calls', async (version) => {
    const { server, lines } = await started();
    const registry = await filesOf(server.port, version, RECORDS);
    expect(registry.getService(RECORDS)?.method['getAccount']?.output.typeName).toBe('stechuhr.records.v1.GetAccountResponse');
    const { field } = registry.getMessage('stechuhr.records.v1.ReadTimeRecordsRequest') ?? {};
    expect(field?.['caller']?.message?.typeName).toBe('stechuhr.common.v1.Caller');
    // Optional fields are still optional.
    expect(registry.getMessage('stechuhr.records.v1.ImportRequest')?.field['strict']?.proto.proto3Optional).toBe(true);
    const checked = await filesOf(server.port, version, 'grpc.health.v1.Health');
    expect(checked.getService('grpc.health.v1.Health')?.method['check']?.input.typeName).toBe('grpc.health.v1.HealthCheckRequest');
    expect(lines).toEqual([]);
  });
});

describe('stop', () => {
  it('lets running calls finish', async () => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    let calls = 0;
    const { server, client } = await started(async () => {
      calls += 1;
      await release;
      return recordsV1.GetAccountResponse.fromPartial({ account: { id: 'a' } });
    });
    const call = callUnary(client, client.getAccount, accountRequest('a'));
    await waitFor(() => calls === 1);
    const stopped = server.stop();
    resolve();
    expect((await call).account?.id).toBe('a');
    await stopped;
  });

  it('accepts connections before the first call of a client that connects ahead', async () => {
    const { client } = await started();
    const isReady = () => client.getChannel().getConnectivityState(false) === connectivityState.READY;
    expect(isReady()).toBe(false);
    connectAhead(client);
    await waitFor(isReady);
  });

  it('rejects later calls', async () => {
    const { server, client } = await started();
    await expect(checkReachable(client)).resolves.toBeUndefined();
    await server.stop();
    await expect(callUnary(client, client.getAccount, accountRequest('a'))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(checkReachable(client)).rejects.toThrow();
  });
});
