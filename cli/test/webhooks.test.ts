import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { buildAccount, buildInstitution, openTcpGate, startServiceProcess, toNdjson, type ServiceProcess } from '@stechuhr/testing';
import { oneProcess } from './support/one-process.js';
import { startRecords, type RunningRecords } from './support/records.js';
import type { Ended } from './support/stechuhr.js';

const MAIN = path.resolve(import.meta.dirname, '../../services/webhooks/dist/main.js');
const institution = buildInstitution();
const admin = buildAccount({ institution_id: institution.id });
const manager = buildAccount({ institution_id: institution.id, role: 'manager' });
const TARGET = 'https://name.invalid/hooks';

const commands = oneProcess();
let records: RunningRecords;
let service: ServiceProcess;
let token: string;

beforeAll(async () => {
  records = await startRecords();
  const { mongodbUrl, natsUrl, database } = records.servers;
  const env = { MONGODB_URL: mongodbUrl, MONGODB_DATABASE: database('webhooks'), NATS_URL: natsUrl };
  service = await startServiceProcess({ main: MAIN, env });
  await commands.run(['import', '-'], { env: records.env, input: toNdjson([institution, admin, manager]) });
  token = await issue(admin.id);
});
afterAll(async () => {
  await commands.stop();
  await service.stop();
  await records.stop();
});

async function issue(accountId: string): Promise<string> {
  return (await commands.run(['tokens', 'issue', '--account', accountId], { env: records.env })).stdout.trim();
}

function webhooks(args: readonly string[], as = token, address = service.address): Promise<Ended> {
  return commands.run(['webhooks', ...args], { env: { ...records.env, WEBHOOKS_ADDRESS: address, STECHUHR_TOKEN: as } });
}

const json = async (...args: readonly string[]) => JSON.parse((await webhooks([...args, '--json'])).stdout);

describe('stechuhr webhooks', () => {
  it('creates one and shows its secret alone, tests it, shows its deliveries, and sends them again', async () => {
    const { stdout, stderr } = await webhooks(['create', TARGET, '--types', 'records.workday.changed', '--description', 'ERP']);
    expect(stdout).toMatch(/^whsec_\S+\n$/u);
    expect(stderr).toContain('shown only this once');
    const [{ id, ...shown }] = await json('list');
    expect(shown).toMatchObject({ url: TARGET, description: 'ERP', event_types: ['records.workday.changed'], enabled: true });
    const delivery = await json('test', id);
    expect(delivery).toMatchObject({ event_type: 'webhooks.webhook.tested', state: 'pending' });
    expect(await json('deliveries', id)).toMatchObject([{ id: delivery.id }]);
    expect((await webhooks(['deliveries', id, '--states', 'pending'])).stdout).toContain(delivery.id);
    expect(await json('replay', id, delivery.id)).toMatchObject({ id: delivery.id, state: 'pending' });
    expect(await json('replay', id, '--since', '1h')).toEqual({ replayed: 0 });
    expect(await webhooks(['replay', id, '--since', '1h', '--after', newId()])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^--after: Invalid pk "[0-9a-f-]{36}" - object does not exist\.\n$/u),
    });
    expect((await webhooks(['update', id, '--rotate-secret'])).stdout).toMatch(/^whsec_/u);
    expect(await json('update', id, '--disable', '--types', 'all')).toMatchObject({ disabled_reason: 'manual', event_types: null });
    expect((await webhooks(['list'])).stdout).toContain('disabled (manual)');
    expect(await json('delete', id)).toEqual({ id, deleted: true });
    expect((await webhooks(['list'])).stdout).toBe('No webhooks.\n');
  });

  it('reports invalid input', async () => {
    expect(await webhooks(['create', 'http://name.invalid'])).toMatchObject({
      exitCode: 2,
      stderr: 'url: The URL must start with https://.\n',
    });
    const { id } = await json('create', TARGET, '--disable');
    expect(await webhooks(['update', id, '--url', 'http://name.invalid'])).toMatchObject({
      exitCode: 2,
      stderr: '--url: The URL must start with https://.\n',
    });
    expect(await webhooks(['create', TARGET, '--types', 'nope'])).toMatchObject({
      exitCode: 2,
      stderr: '--types: "nope" is not a valid choice.\n',
    });
    expect(await webhooks(['test', newId()])).toMatchObject({ exitCode: 1, stderr: 'There is no such webhook or delivery.\n' });
    expect(await webhooks(['test', 'x'])).toMatchObject({ exitCode: 2, stderr: '"x" is not an id.\n' });
    expect(await webhooks(['replay', newId()])).toMatchObject({ exitCode: 2, stderr: 'Give a delivery, or --since.\n' });
    expect(await webhooks(['replay', id, newId(), '--after', newId()])).toMatchObject({
      exitCode: 2,
      stderr: 'Give --after only with --since.\n',
    });
    expect(await webhooks(['list'], await issue(manager.id))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('administrators'),
    });
  });

  it('says that a service may lack another one if it answers that it is unavailable', async () => {
    const { mongodbUrl, natsUrl, database } = records.servers;
    const { host, searchParams } = new URL(mongodbUrl);
    const gate = await openTcpGate(host);
    const parameters = new URLSearchParams({ ...Object.fromEntries(searchParams), directConnection: 'true' });
    const env = { MONGODB_URL: `mongodb://${gate.address}/?${parameters}`, MONGODB_DATABASE: database('webhooks'), NATS_URL: natsUrl };
    const withoutDatabase = await startServiceProcess({ main: MAIN, env });
    await gate.stop();
    const { exitCode, stderr } = await webhooks(['list'], token, withoutDatabase.address);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining(`(${withoutDatabase.address}) does not answer, or a service that it needs does not.`),
    });
    await withoutDatabase.stop();
  });

  it('verifies a request that arrived', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'stechuhr-verify-'));
    const [secretFile, bodyFile] = [path.join(folder, 'secret.txt'), path.join(folder, 'body.json')];
    const [key, body, id, timestamp] = ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '{"test": 2432232314}', 'msg_1', '1614265330'];
    writeFileSync(secretFile, `whsec_${key}\n`);
    writeFileSync(bodyFile, body);
    const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64');
    const verify = (...signatures: readonly string[]) =>
      webhooks([
        'verify',
        bodyFile,
        '--secret-file',
        secretFile,
        '--id',
        id,
        '--timestamp',
        timestamp,
        '--signature',
        signatures.join(' '),
      ]);
    expect(await verify('v1,AAAA', `v1,${signature}`)).toMatchObject({ exitCode: 0, stdout: 'The signature matches.\n' });
    expect(await verify('v1,AAAA')).toMatchObject({ exitCode: 1, stdout: 'No signature matches.\n' });
    rmSync(folder, { recursive: true });
  });
});
