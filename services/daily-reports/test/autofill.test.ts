import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dailyReportsV1, type commonV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, createGrpcClient, createLogger, type StartedService } from '@stechuhr/service';
import { buildDeletion, buildEmployee, buildProject, waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { readConfig } from '../src/config.js';
import type { Context } from '../src/context.js';
import type { EntryValue } from '../src/domain/entry-value.js';
import { createDailyReportsService } from '../src/service.js';
import { callerOf, startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { buildSite, openContext, type Site } from './support/site.js';

const HOURS = 'employee-working-times';
const { REPORT_STATUS_SUBMITTED: submitted, REPORT_STATUS_CLOSED: closed, REPORT_STATUS_ARCHIVED: archived } = dailyReportsV1.ReportStatus;

let reports: RunningDailyReports;
let replica: StartedService;
let otherClient: dailyReportsV1.DailyReportsServiceClient;
let context: Context;
let watch: SubjectWatch;
let site: Site;

beforeAll(async () => {
  reports = await startDailyReports();
  replica = await createDailyReportsService(readConfig(reports.environment), createLogger('daily-reports', 'fatal'));
  otherClient = createGrpcClient(dailyReportsV1.DailyReportsServiceClient, `127.0.0.1:${String(replica.grpcPort)}`);
  context = await openContext(reports);
  watch = await watchSubjects(reports.servers.natsUrl, 'stechuhr.events.*.daily-reports.>');
});
afterAll(async () => {
  await watch.stop();
  await context.close();
  otherClient.close();
  await replica.stop();
  await reports.stop();
});

beforeEach(async () => {
  site = await buildSite(reports, context.ports);
});

interface Asking {
  readonly caller?: commonV1.Caller;
  readonly client?: dailyReportsV1.DailyReportsServiceClient;
  readonly mayApprove?: boolean;
}

async function ask(body: object, { caller = site.caller, client = reports.client, mayApprove = false }: Asking = {}): Promise<string[]> {
  const { filled } = await callUnary(client, client.autofill, { caller, json: JSON.stringify(body), mayApprove }, { deadlineMs: 30_000 });
  return filled;
}

const autofill = (date: string, given: object = {}, asking: Asking = {}) => ask({ tag: site.project.id, date, ...given }, asking);

/** Runs twenty autofills concurrently, alternating between both replicas. */
const autofillTwentyTimes = (date: string) =>
  Promise.all(Array.from({ length: 20 }, (_, turn) => autofill(date, {}, { client: turn % 2 === 0 ? reports.client : otherClient })));

function worked(hours: number): EntryValue {
  return { type: HOURS, hours, employeeAccountId: '', employeeName: '', employeePosition: '' };
}

const text = (words: string): EntryValue => ({ type: 'activities', text: words });

interface Published {
  readonly id: string;
  readonly data: { readonly fields?: string[] };
}

/** The events of the institution. The relays of several replicas may publish an event more than once. */
function published(verb: string): readonly Published[] {
  const seen = watch.messages.filter(({ subject }) => subject.includes(site.institutionId) && subject.endsWith(verb));
  return [...new Map(seen.map(({ text: json }) => JSON.parse(json) as Published).map((event) => [event.id, event])).values()];
}

describe('autofill', () => {
  it('writes hours and activities as system entries, with the current data of the employee', async () => {
    await reports.importRecords([
      site.shift(site.max, '03-10T08:00', '03-10T16:20', ' Beton '),
      site.shift(site.eva, '03-10T08:00', '03-10T12:00'),
    ]);
    expect(await autofill('2026-03-10')).toEqual([HOURS, 'activities']);
    expect(await site.entries('2026-03-10')).toEqual(['activities Max Maurer Beton', `${HOURS} Eva Estrich 4`, `${HOURS} Max Maurer 8.33`]);
    const [entry] = (await context.ports.entries.ofReport(site, { tagId: site.project.id, date: 20_522 })).filter(
      ({ onBehalfOfId, value }) => onBehalfOfId === site.max.id && value.type === HOURS,
    );
    expect(entry).toMatchObject({ authorId: null, submittedAt: null, burned: false });
    expect(entry?.value).toEqual({ ...worked(8.33), employeeName: 'Max Maurer', employeePosition: 'Polier' });
  });

  it('writes each value once under concurrent calls, and publishes an event for each call that wrote something', async () => {
    const others = Array.from({ length: 8 }, (_, number) =>
      buildEmployee({ institution_id: site.institutionId, first_name: `Nr${String(number)}` }),
    );
    await reports.importRecords([
      ...others,
      ...[site.max, site.eva, ...others].map((employee) => site.shift(employee, '03-10T08:00', '03-10T16:00', 'Beton')),
    ]);
    const filled = (await autofillTwentyTimes('2026-03-10')).filter((fields) => fields.length > 0);
    expect(await site.countEntries('2026-03-10')).toBe(20);
    expect(new Set(filled.flat())).toEqual(new Set([HOURS, 'activities']));
    await waitFor(() => published('recorded').length === 20 && published('autofilled').length === filled.length);
    const told = published('autofilled').map(({ data }) => data.fields);
    expect(told.sort()).toEqual([...filled].sort());
    expect(await autofillTwentyTimes('2026-03-10')).toEqual(Array.from({ length: 20 }, () => []));
    expect(await site.countEntries('2026-03-10')).toBe(20);
    expect(published('autofilled')).toHaveLength(filled.length);
  });

  it('keeps what a person corrected or deleted, even during twenty concurrent calls', async () => {
    await reports.importRecords([
      site.shift(site.max, '03-10T08:00', '03-10T16:00', 'Beton'),
      site.shift(site.eva, '03-10T08:00', '03-10T12:00'),
    ]);
    await Promise.all([
      autofillTwentyTimes('2026-03-10'),
      site.write('2026-03-10', { employee: site.max, value: worked(6) }),
      site.write('2026-03-10', { employee: site.max, value: text('Beton'), burned: true }),
    ]);
    await autofillTwentyTimes('2026-03-10');
    const expected = ['deleted manual activities Max Maurer Beton', `${HOURS} Eva Estrich 4`, `manual ${HOURS} Max Maurer 6`];
    expect(await site.entries('2026-03-10')).toEqual(expected);
    await reports.importRecords([site.shift(site.max, '03-10T17:00', '03-10T19:00', 'Beton')]);
    expect(await autofill('2026-03-10')).toEqual([]);
    expect(await site.entries('2026-03-10')).toEqual(expected);
  });

  it('follows changes of tracked time, with tombstones for removed time', async () => {
    const [beton, geruest] = [
      site.shift(site.max, '03-10T08:00', '03-10T12:00', 'Beton'),
      site.shift(site.eva, '03-10T08:00', '03-10T12:00', 'Gerüst'),
    ];
    await reports.importRecords([beton, geruest]);
    await autofill('2026-03-10');
    const timespans = beton.timespans.map((span) => ({ ...span, comment: 'Estrich' }));
    await reports.importRecords([{ ...beton, timespans }]);
    expect(await autofill('2026-03-10')).toEqual(['activities']);
    await reports.importRecords([buildDeletion(geruest)]);
    expect(await autofill('2026-03-10')).toEqual([HOURS, 'activities']);
    expect(await site.entries('2026-03-10')).toEqual([
      'activities Max Maurer Estrich',
      'deleted activities Eva Estrich Gerüst',
      'deleted activities Max Maurer Beton',
      `deleted ${HOURS} Eva Estrich 4`,
      `${HOURS} Max Maurer 4`,
    ]);
    await waitFor(() => published('burned').length === 3);
    await reports.importRecords([geruest]);
    expect(await autofill('2026-03-10')).toEqual([HOURS, 'activities']);
    expect(await site.entries('2026-03-10')).toContain(`${HOURS} Eva Estrich 4`);
    expect(await autofill('2026-03-10')).toEqual([]);
  });

  it('splits hours at midnight, and counts no hours of an open shift', async () => {
    await reports.importRecords([
      site.shift(site.max, '03-31T22:00', '04-01T06:00', 'Nachtguss'),
      site.shift(site.eva, '04-01T08:00', null),
    ]);
    for (const date of ['2026-03-31', '2026-04-01', '2026-04-02']) await autofill(date);
    expect(await site.entries('2026-03-31')).toEqual(['activities Max Maurer Nachtguss', `${HOURS} Max Maurer 2`]);
    expect(await site.entries('2026-04-01')).toEqual(['activities Max Maurer Nachtguss', `${HOURS} Max Maurer 6`]);
    expect(await site.entries('2026-04-02')).toEqual([]);
  });

  it('fills only the requested field, and none that is not filled from tracking', async () => {
    await reports.importRecords([site.shift(site.max, '03-10T08:00', '03-10T16:00', 'Beton')]);
    for (const field of ['weather', 'comments', 'unknown']) expect(await autofill('2026-03-10', { field })).toEqual([]);
    expect(await autofill('2026-03-10', { field: 'activities' })).toEqual(['activities']);
    expect(await site.entries('2026-03-10')).toEqual(['activities Max Maurer Beton']);
    expect(await autofill('2026-03-10', { field: null })).toEqual([HOURS]);
  });
});

describe('a request that autofill rejects', () => {
  const unknown = (id: string) => ({ code: 'invalid', details: { tag: [`Invalid pk "${id}" - object does not exist.`] } });

  it('is for a project that is unknown, invisible, without daily reports, or of another institution', async () => {
    const without = buildProject({ institution_id: site.institutionId, daily_reports_enabled: false });
    const nothing = newId();
    await reports.importRecords([without]);
    const date = '2026-03-10';
    await expect(ask({ tag: nothing, date })).rejects.toMatchObject(unknown(nothing));
    await expect(ask({ tag: without.id, date })).rejects.toMatchObject(unknown(without.id));
    const elsewhere = [callerOf(site.institutionId, [without.id]), callerOf(newId())];
    for (const caller of elsewhere) await expect(autofill(date, {}, { caller })).rejects.toMatchObject(unknown(site.project.id));
  });

  it.each<[string, object, string[]]>([
    ['an empty body', {}, ['tag', 'date']],
    ['a date that is none, of an unknown project', { tag: newId(), date: '2026-02-30' }, ['date', 'tag']],
    ['a tag that is none', { tag: 'roof', date: '2026-03-10', field: 7 }, ['tag', 'field']],
  ])('has %s, with all problems together', async (_, body, fields) => {
    const failure = (await ask(body).catch((caught: unknown) => caught)) as { code: string; details: object };
    expect([failure.code, ...Object.keys(failure.details)]).toEqual(['invalid', ...fields]);
  });

  it('is for a submitted or closed report without the permission to approve, or for an archived one', async () => {
    await reports.importRecords([site.shift(site.max, '03-10T08:00', '03-10T16:00')]);
    const date = '2026-03-10';
    await site.changeStatus(date, submitted);
    await expect(autofill(date)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await autofill(date, {}, { mayApprove: true })).toEqual([HOURS]);
    await site.changeStatus(date, closed);
    await expect(autofill(date)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await autofill(date, {}, { mayApprove: true })).toEqual([]);
    await site.changeStatus(date, archived);
    for (const mayApprove of [false, true]) {
      const failure = { code: 'invalid', details: { non_field_errors: [expect.any(String)] } };
      await expect(autofill(date, {}, { mayApprove })).rejects.toMatchObject(failure);
    }
    const caller = callerOf(site.institutionId, []);
    await expect(autofill(date, {}, { caller })).rejects.toMatchObject(unknown(site.project.id));
  });
});
