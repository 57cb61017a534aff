import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { status, type ChannelCredentials, type ClientOptions } from '@grpc/grpc-js';
import { commonV1, openMethods, recordsV1 } from '@stechuhr/contracts';
import {
  callUnary,
  createGrpcClient,
  loadConfig,
  processVariables,
  readStream,
  serverStream,
  startGrpcServer,
  unary,
} from '@stechuhr/service';
import type { GrpcServer } from '@stechuhr/service';
import { z } from 'zod';
import { mountCertificate, variableOf } from './chart-identities.js';
import { openChart, SEED, type Rendered } from './chart.js';

const OURS = '0b2f7f1e-6f0a-4c0e-9a55-0d9c5b1d2e3f';
const THEIRS = '7d9b0c52-6d0c-4a77-8a0e-5f4ac1f2f6b1';
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Connects without the DNS of a cluster, but verifies the certificate for the name of the Service. */
class RecordsInTheCluster extends recordsV1.RecordsServiceClient {
  constructor(address: string, channel: ChannelCredentials, options?: Partial<ClientOptions>) {
    super(address, channel, { ...options, 'grpc.ssl_target_name_override': 'demo-stechuhr-records' });
  }
}

const LIST = 'stechuhr.records.v1.RecordsService/ListEmployees';
const clients = [
  { name: 'planning', methods: [LIST], institutions: [OURS] },
  { name: 'audit', methods: openMethods },
];

let folder: string;
let release: Rendered;
let server: GrpcServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stechuhr-clients-'));
  const chart = await openChart(undefined, { hasRealKeys: true });
  const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'planning' } } }];
  release = await chart.render({ infrastructure: { enabled: true, seed: SEED }, mtls: { clients }, networkPolicy: { clients: from } });
  await chart.close();
  for (const name of ['records', 'exports', 'planning', 'audit']) mountCertificate(release, name, folder);
  const { getAccount, getInstitution, listEmployees } = recordsV1.RecordsServiceService;
  const { GRPC_CLIENTS } = loadConfig(z.object(processVariables), { GRPC_CLIENTS: variableOf(release, 'records', 'GRPC_CLIENTS') });
  server = await startGrpcServer({
    bind: '127.0.0.1:0',
    services: [
      {
        definition: { getAccount, getInstitution, listEmployees },
        implementation: {
          getAccount: unary(async () => recordsV1.GetAccountResponse.fromPartial({})),
          getInstitution: unary(async () => recordsV1.GetInstitutionResponse.fromPartial({})),
          listEmployees: serverStream(async function* () {
            yield recordsV1.ListEmployeesResponse.fromPartial({});
          }),
        },
      },
    ],
    identity: { tlsFolder: join(folder, 'records'), requireGrants: true, clients: GRPC_CLIENTS },
    logger: silent,
  });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Calls the server. @returns the message with which it rejects the call; undefined if it answers */
async function refusalOf(
  name: string,
  call: 'employees' | 'institution' | 'account',
  institutionId: string,
  role: commonV1.Role = commonV1.Role.ROLE_ADMIN,
): Promise<string | undefined> {
  const client = createGrpcClient(RecordsInTheCluster, `127.0.0.1:${server.port}`, { identity: { tlsFolder: join(folder, name) } });
  const caller = { institutionId, accountId: '', visibility: commonV1.Visibility.fromPartial({ role }) };
  const asked = {
    employees: () => Array.fromAsync(readStream(client, client.listEmployees, recordsV1.ListEmployeesRequest.fromPartial({ caller }))),
    institution: () => callUnary(client, client.getInstitution, recordsV1.GetInstitutionRequest.fromPartial({ caller })),
    account: () => callUnary(client, client.getAccount, recordsV1.GetAccountRequest.fromPartial({ accountId: 'a' })),
  }[call];
  try {
    await asked();
    return undefined;
  } catch (caught) {
    const { code, cause } = caught as { readonly code: string; readonly cause: { readonly code: number; readonly details: string } };
    const isIncomplete = role === commonV1.Role.ROLE_UNSPECIFIED;
    // Only a request that is wrong is answered with the error of the platform, which names its fields.
    expect([cause.code, code]).toEqual(isIncomplete ? [status.INVALID_ARGUMENT, 'invalid'] : [status.PERMISSION_DENIED, 'internal']);
    return cause.details;
  } finally {
    client.close();
  }
}

describe('services of other teams', () => {
  it.each([
    ['planning', 'employees', OURS, undefined],
    ['planning', 'employees', OURS.toUpperCase(), undefined],
    ['planning', 'employees', THEIRS, `planning may not call for the institution ${THEIRS}.`],
    ['planning', 'employees', '', 'planning may not call for the institution that it does not name.'],
    ['planning', 'institution', OURS, 'planning may not call stechuhr.records.v1.RecordsService/GetInstitution.'],
    ['planning', 'account', OURS, 'planning may not call stechuhr.records.v1.RecordsService/GetAccount.'],
    ['audit', 'employees', THEIRS, undefined],
    ['audit', 'institution', OURS, undefined],
    ['audit', 'account', OURS, 'audit may not call stechuhr.records.v1.RecordsService/GetAccount.'],
    // A service of the platform still needs a grant.
    ['exports', 'employees', OURS, 'exports may not ask for the institution: no grant came with it.'],
  ] as const)('%s asks for %s of %j: %s', async (name, call, institutionId, refusal) => {
    expect(await refusalOf(name, call, institutionId)).toBe(refusal);
  });

  it('get an error if they do not send a role', async () => {
    const refusal = await refusalOf('planning', 'employees', OURS, commonV1.Role.ROLE_UNSPECIFIED);
    expect(refusal).toBe('The request is invalid: {"caller":["The call has to name a caller, and what it may see by a role."]}');
  });

  it('are accepted only by the services that they may call, and only from the configured sources', () => {
    expect(variableOf(release, 'exports', 'GRPC_CLIENTS')).toBeUndefined();
    const sources = (name: string) => JSON.stringify(release.object('NetworkPolicy', `demo-stechuhr-${name}`)['spec'].ingress);
    expect(sources('records')).toContain('"kubernetes.io/metadata.name":"planning"');
    expect(sources('exports')).not.toContain('planning');
  });
});
