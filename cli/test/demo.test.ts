import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commonV1, dailyReportsV1, recordsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, readStream } from '@stechuhr/service';
import { waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { startDailyReports, type RunningDailyReports } from './support/daily-reports.js';
import { startRecords, type RunningRecords } from './support/records.js';
import { stechuhr } from './support/stechuhr.js';

let records: RunningRecords;
let reports: RunningDailyReports;
let watch: SubjectWatch;
beforeAll(async () => {
  records = await startRecords();
  reports = await startDailyReports(records);
  watch = await watchSubjects(records.servers.natsUrl, 'stechuhr.events.>');
});
afterAll(async () => {
  await watch.stop();
  await reports.stop();
  await records.stop();
});

const demo = (...args: readonly string[]) => stechuhr(['demo', ...args], { env: { ...records.env, ...reports.env } });
/** Service, entity and verb of the events published since a position. */
const events = (since = 0) => watch.messages.slice(since).map(({ subject }) => subject.split('.').slice(3).join('.'));

interface Loaded {
  readonly institution_id: string;
  readonly account_id: string;
  readonly report_id: string;
  readonly accepted: Readonly<Record<string, number>>;
}

describe('stechuhr demo', () => {
  let loaded: Loaded;

  it('loads the organization, all of it accepted, with the administrator that it names', async () => {
    const { exitCode, stdout } = await demo('--json');
    expect(exitCode).toBe(0);
    loaded = JSON.parse(stdout);
    const { institution_id, account_id, accepted } = loaded;
    expect(accepted).toMatchObject({ institution: 1, department: 3, project: 6, employee: 25 });
    expect(accepted['workday']).toBeGreaterThan(2000);
    const client = createGrpcClient(recordsV1.RecordsServiceClient, records.address);
    const { account } = await callUnary(client, client.getAccount, { accountId: account_id });
    expect(account).toMatchObject({ id: account_id, institutionId: institution_id });
    client.close();
    const counts = Object.entries(accepted).flatMap(([kind, count]) => (kind.startsWith('daily_report_') ? [] : [count]));
    const recordCount = counts.reduce((sum, count) => sum + count, 0);
    // One event for each record, and one for the end of the import.
    await waitFor(() => events().filter((event) => event.startsWith('records.')).length === recordCount + 1);
  });

  it('has reports with hours from tracking, in every state, and photos that can be seen', async () => {
    const client = createGrpcClient(dailyReportsV1.DailyReportsServiceClient, reports.address);
    const visibility = { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined };
    const caller = { institutionId: loaded.institution_id, accountId: loaded.account_id, visibility };
    const page = { caller, parameters: {}, limit: 1_000, offset: 0 };
    const listed: dailyReportsV1.Report[] = [];
    for await (const part of readStream(client, client.listReports, page)) listed.push(...part.reports);
    const shown = listed.find(
      ({ tagId, date }) => `${tagId}|${new Date(date * 86_400_000).toISOString().slice(0, 10)}` === loaded.report_id,
    );
    const image = shown?.values.flatMap(({ value }) => (value?.$case === 'image' ? [value.value] : []))[0];
    for (const url of [image?.imageUrl, image?.thumbUrl]) {
      const response = await fetch(url ?? '');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      await response.arrayBuffer();
    }
    expect(listed.filter(({ totalHours }) => totalHours > 0).length).toBeGreaterThan(listed.length / 2);
    expect(new Set(listed.map(({ status }) => status)).size).toBeGreaterThanOrEqual(3);
    client.close();
  });

  it('changes nothing when it is repeated', async () => {
    const before = watch.messages.length;
    const { exitCode } = await demo('--json');
    expect(exitCode).toBe(0);
    await waitFor(() => watch.messages.length > before);
    expect(events(before)).toEqual(['records.import.finished']);
  });

  it('has reports for a bundle, whose command names its own options in problems', async () => {
    const env = { ...records.env, ...reports.env };
    const bundle = ['daily-reports', 'bundle', '--account', loaded.account_id, '--output', '-'];
    const reversed = await stechuhr([...bundle, '--from', '2026-11-22', '--to', '2026-11-16'], { env });
    expect(reversed).toEqual({ exitCode: 2, stdout: '', stderr: '--to: It may not be before --from.\n' });
    const noDate = await stechuhr([...bundle, '--from', 'today', '--to', '2026-11-16'], { env });
    expect(noDate).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^--from: Date has wrong format\. .*: YYYY-MM-DD\.\n$/u) });
  });

  it('shows people the ids and how to get a token', async () => {
    const { stdout } = await demo('--employees', '2', '--months', '1', '--seed', 'other');
    expect(stdout).toMatch(/^employee +2 +0$/mu);
    expect(stdout).toMatch(/A token for it: stechuhr tokens issue --account [0-9a-f-]{36}\n$/u);
  });
});

describe('an id that nobody has', () => {
  const [id, days] = [newId(), ['--from', '2026-01-01', '--to', '2026-01-02']];
  it.each([
    ['rebuild-reports', ['--institution', id], `There is no institution ${id}.\n`],
    ['export', ['generic', '--account', id, '--daterange', '2026-01-01|2026-01-31'], `There is no account ${id}.\n`],
    ['daily-reports', ['bundle', '--account', id, ...days, '--output', '-'], `There is no account ${id}.\n`],
  ])('exits 1 and is named: %s', async (command, args, stderr) => {
    const env = { ...records.env, ...reports.env, EXPORTS_ADDRESS: '127.0.0.1:9' };
    expect(await stechuhr([command, ...args], { env })).toEqual({ exitCode: 1, stdout: '', stderr });
  });
});
