import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordsV1 } from '@stechuhr/contracts';
import { callUnary, createGrpcClient } from '@stechuhr/service';
import { waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { startRecords, type RunningRecords } from './support/records.js';
import { stechuhr } from './support/stechuhr.js';

let records: RunningRecords;
let watch: SubjectWatch;
beforeAll(async () => {
  records = await startRecords();
  watch = await watchSubjects(records.servers.natsUrl, 'stechuhr.events.>');
});
afterAll(async () => {
  await watch.stop();
  await records.stop();
});

describe('stechuhr demo', () => {
  it('loads the organization, all of it accepted, with the administrator that it names', async () => {
    const { exitCode, stdout } = await stechuhr(['demo', '--json'], { env: records.env });
    expect(exitCode).toBe(0);
    const { institution_id, account_id, accepted } = JSON.parse(stdout);
    expect(accepted).toMatchObject({ institution: 1, department: 3, project: 6, employee: 25 });
    expect(accepted.workday).toBeGreaterThan(2000);
    const client = createGrpcClient(recordsV1.RecordsServiceClient, records.address);
    const { account } = await callUnary(client, client.getAccount, { accountId: account_id });
    expect(account).toMatchObject({ id: account_id, institutionId: institution_id });
    client.close();
    const recordCount = Object.values<number>(accepted).reduce((sum, count) => sum + count, 0);
    // Each record once, and the end of the import.
    await waitFor(() => watch.messages.length === recordCount + 1, { timeoutMs: 20_000 });
  });

  it('changes nothing when it is repeated', async () => {
    const before = watch.messages.length;
    const { exitCode } = await stechuhr(['demo', '--json'], { env: records.env });
    expect(exitCode).toBe(0);
    await waitFor(() => watch.messages.length > before);
    const events = watch.messages.slice(before).map(({ subject }) => subject.split('.').slice(3).join('.'));
    expect(events).toEqual(['records.import.finished']);
  });

  it('shows people the ids and how to get a token', async () => {
    const { stdout } = await stechuhr(['demo', '--employees', '2', '--months', '1', '--seed', 'other'], { env: records.env });
    expect(stdout).toMatch(/^employee +2 +0$/mu);
    expect(stdout).toMatch(/A token for it: stechuhr tokens issue --account [0-9a-f-]{36}\n$/u);
  });
});
