import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { commonV1, exportsV1, recordsV1 } from '@stechuhr/contracts';
import {
  callUnary,
  createGrpcClient,
  readStream,
  serverStream,
  startGrpcServer,
  unary,
  type GrpcServer,
  type ServedService,
} from '@stechuhr/service';
import { forThisMachine, mountCertificate } from './chart-identities.js';
import { openChart } from './chart.js';

const OURS = '6f1f1c7e-0000-4000-8000-000000000001';
const THEIRS = '6f1f1c7e-0000-4000-8000-000000000002';
const MINUTE_S = 60;

let folder: string;
let records: GrpcServer;
let lenient: GrpcServer;
let exports: GrpcServer;
let lenientLog: object[];

const identityOf = (name: string): string => join(folder, name);
const callerOf = (institutionId: string): commonV1.Caller => ({ institutionId, accountId: 'a', visibility: undefined });
const nowS = (): number => Math.floor(Date.now() / 1_000);

/** A records service that answers with the requested institution. */
const recordsService: ServedService = {
  definition: recordsV1.RecordsServiceService,
  implementation: {
    getInstitution: unary(async ({ caller }: recordsV1.GetInstitutionRequest) =>
      recordsV1.GetInstitutionResponse.fromPartial({ institution: { id: caller?.institutionId ?? '' } }),
    ),
    findMissing: unary(async () => recordsV1.FindMissingResponse.fromPartial({})),
  },
};

async function serve(name: string, service: ServedService, requireGrants: boolean, log: object[] = []): Promise<GrpcServer> {
  return startGrpcServer({
    bind: '127.0.0.1:0',
    services: [service],
    identity: { tlsFolder: identityOf(name), requireGrants },
    logger: { debug: () => {}, info: () => {}, warn: (fields) => void log.push(fields), error: () => {} },
  });
}

/** An exports service that calls `records` within its own call, for the institution of that call or for another one. */
function exportsAsking(address: string): ServedService {
  const client = createGrpcClient(recordsV1.RecordsServiceClient, address, { identity: { tlsFolder: identityOf('exports') } });
  return {
    definition: exportsV1.ExportsServiceService,
    implementation: {
      runExport: serverStream(async function* ({ caller, exporter }: exportsV1.RunExportRequest, { signal }) {
        const asked = exporter === 'theirs' ? callerOf(THEIRS) : caller;
        const { institution } = await callUnary(client, client.getInstitution, { caller: asked }, { signal });
        yield exportsV1.RunExportResponse.fromPartial({ part: { $case: 'chunk', value: Buffer.from(institution?.id ?? '') } });
        client.close();
      }),
    },
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stechuhr-grants-'));
  const chart = await openChart(forThisMachine, { hasRealKeys: true });
  const [release, other] = await Promise.all([chart.render('external.yaml'), chart.render('external.yaml')]);
  await chart.close();
  for (const name of ['records', 'gateway', 'exports', 'reviews', 'toolbox']) mountCertificate(release, name, folder);
  mountCertificate(other, 'gateway', join(folder, 'of-another-release'));
  lenientLog = [];
  records = await serve('records', recordsService, true);
  lenient = await serve('records', recordsService, false, lenientLog);
  exports = await serve('exports', exportsAsking(`127.0.0.1:${records.port}`), true);
});
afterAll(async () => {
  await Promise.all([records, lenient, exports].map((server) => server.stop()));
  await rm(folder, { recursive: true });
});

interface Made {
  readonly signer?: string;
  readonly institutionId?: string;
  readonly expiresAt?: number;
  /** Fields that are changed after signing. */
  readonly changed?: Partial<commonV1.Grant>;
}

/** Creates a grant as defined in protos/stechuhr/common/v1/caller.proto. */
async function grant({ signer = 'gateway', institutionId = OURS, expiresAt = nowS() + MINUTE_S, changed = {} }: Made): Promise<Buffer> {
  const key = createPrivateKey(await readFile(join(identityOf(signer), 'tls.key')));
  const certificate = new X509Certificate(await readFile(join(identityOf(signer), 'tls.crt')));
  const signature = sign('sha256', Buffer.from(`stechuhr-grant 1 ${expiresAt} ${institutionId}`), key);
  const made = { institutionId, expiresAt, signature, certificates: [certificate.raw], ...changed };
  return Buffer.from(commonV1.Grant.encode(made).finish());
}

/** Calls the server as `exports` with any grant. @returns the message with which it rejects the call; undefined if it answers */
async function refusalOf(institutionId: string, presented?: Buffer, server = records): Promise<string | undefined> {
  const client = createGrpcClient(recordsV1.RecordsServiceClient, `127.0.0.1:${server.port}`, {
    identity: { tlsFolder: identityOf('exports') },
  });
  const metadata = new Metadata();
  if (presented !== undefined) metadata.set('stechuhr-grant-bin', presented);
  const answered = new Promise<ServiceError | null>((resolve) => {
    client.getInstitution({ caller: callerOf(institutionId) }, metadata, { deadline: Date.now() + 10_000 }, resolve);
  });
  const error = await answered.finally(() => client.close());
  if (error !== null && error.code !== status.PERMISSION_DENIED) throw error;
  return error?.details;
}

async function runExport(institutionId: string, exporter: string): Promise<string> {
  const client = createGrpcClient(exportsV1.ExportsServiceClient, `127.0.0.1:${exports.port}`, {
    identity: { tlsFolder: identityOf('gateway') },
  });
  const request = exportsV1.RunExportRequest.fromPartial({ caller: callerOf(institutionId), exporter });
  try {
    for await (const { part } of readStream(client, client.runExport, request)) {
      if (part?.$case === 'chunk') return Buffer.from(part.value).toString();
    }
    return 'nothing';
  } finally {
    client.close();
  }
}

const refusal = (flaw: string): string => `exports may not ask for the institution: ${flaw}.`;

describe('a service between the gateway and records', () => {
  it('passes the grant on only within its own call, and only for the institution of the grant', async () => {
    expect(await runExport(OURS, 'generic')).toBe(OURS);
    await expect(runExport(OURS, 'theirs')).rejects.toMatchObject({ code: 'internal' });
  });

  it('has no access without a grant', async () => {
    expect(await refusalOf(OURS)).toBe(refusal('no grant came with it'));
  });

  it('may use a grant repeatedly until it expires', async () => {
    const held = await grant({});
    expect(await refusalOf(OURS, held)).toBeUndefined();
    expect(await refusalOf(OURS, held)).toBeUndefined();
    expect(await refusalOf(THEIRS, held)).toBe(refusal('the grant is for another institution'));
  });

  it('may call without a grant only the methods that the table leaves open for background work', async () => {
    const client = createGrpcClient(recordsV1.RecordsServiceClient, `127.0.0.1:${records.port}`, {
      identity: { tlsFolder: identityOf('reviews') },
    });
    await expect(callUnary(client, client.findMissing, { institutionId: OURS, references: [] })).resolves.toBeDefined();
    await expect(callUnary(client, client.getInstitution, { caller: callerOf(OURS) })).rejects.toMatchObject({
      cause: { code: status.PERMISSION_DENIED },
    });
    client.close();
  });
});

describe('a grant', () => {
  it.each<[string, Made, string]>([
    ['that has expired', { expiresAt: nowS() - 2 * MINUTE_S }, 'the grant has expired'],
    ['of the same service of another release', { signer: 'of-another-release/gateway' }, 'the certificate of the grant is not trusted'],
    ['of a service that may not sign grants', { signer: 'exports' }, 'the grant is signed by a service that may not'],
    ['with another institution put in', { institutionId: THEIRS, changed: { institutionId: OURS } }, 'the grant was changed'],
    ['with a later expiry put in', { changed: { expiresAt: nowS() + 99 * MINUTE_S } }, 'the grant was changed'],
    ['without a signature', { changed: { signature: Buffer.alloc(0) } }, 'the grant was changed'],
    ['without a certificate', { changed: { certificates: [] } }, 'the grant is not readable'],
    ['with something else as certificate', { changed: { certificates: [Buffer.from('x')] } }, 'the grant is not readable'],
  ])('%s is rejected', async (_, made, flaw) => {
    expect(await refusalOf(OURS, await grant(made))).toBe(refusal(flaw));
  });

  it('is rejected if it is not a grant', async () => {
    expect(await refusalOf(OURS, Buffer.from('x'))).toBe(refusal('the grant is not readable'));
  });

  it('is rejected with a certificate that another service has issued', async () => {
    const [foreign, own] = await Promise.all(
      ['of-another-release/gateway', 'exports'].map(async (name) => readFile(join(identityOf(name), 'tls.crt'))),
    );
    const certificates = [foreign, own].map((pem) => new X509Certificate(pem ?? '').raw);
    const vouched = await grant({ signer: 'of-another-release/gateway', changed: { certificates } });
    expect(await refusalOf(OURS, vouched)).toBe(refusal('the certificate of the grant is not trusted'));
  });

  it('of the operators’ command line is accepted', async () => {
    expect(await refusalOf(OURS, await grant({ signer: 'toolbox' }))).toBeUndefined();
  });
});

describe('a server that does not require grants yet', () => {
  it('answers calls without a grant, which the previous version sends, and logs that once', async () => {
    expect(await refusalOf(OURS, undefined, lenient)).toBeUndefined();
    expect(await refusalOf(THEIRS, undefined, lenient)).toBeUndefined();
    expect(await refusalOf(OURS, await grant({ expiresAt: 1 }), lenient)).toBeUndefined();
    const failure = { method: 'stechuhr.records.v1.RecordsService/GetInstitution', caller: 'exports', refused: false };
    expect(lenientLog).toEqual([
      { ...failure, flaw: 'no grant came with it' },
      { ...failure, flaw: 'the grant has expired' },
    ]);
  });
});
