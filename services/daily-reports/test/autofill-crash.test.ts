import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dailyReportsV1 } from '@stechuhr/contracts';
import { callUnary, createGrpcClient, createLogger, type StartedService } from '@stechuhr/service';
import { waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import { readConfig } from '../src/config.js';
import type { Context } from '../src/context.js';
import { settleLeftBehind } from '../src/operations/settle-reports.js';
import { createDailyReportsService } from '../src/service.js';
import { interruptedStores, type Interruption } from './support/interrupted-stores.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { buildSite, dayOf, openContext, type Site } from './support/site.js';

const HOURS = 'employee-working-times';
const DATE = '2026-03-10';
const {
  REPORT_STATUS_DRAFT: draft,
  REPORT_STATUS_SUBMITTED: submitted,
  REPORT_STATUS_CLOSED: closed,
  REPORT_STATUS_ARCHIVED: archived,
} = dailyReportsV1.ReportStatus;

let reports: RunningDailyReports;
/** The replica that is interrupted; the other one continues. */
let replica: StartedService;
let replicaClient: dailyReportsV1.DailyReportsServiceClient;
let interruption: Interruption | undefined;
let context: Context;
let watch: SubjectWatch;
let site: Site;
let present = Date.now();
const clock = { now: () => present };

beforeAll(async () => {
  reports = await startDailyReports({}, { clock });
  const overrides = { clock, stores: interruptedStores(() => interruption) };
  replica = await createDailyReportsService(readConfig(reports.environment), createLogger('daily-reports', 'fatal'), overrides);
  replicaClient = createGrpcClient(dailyReportsV1.DailyReportsServiceClient, `127.0.0.1:${String(replica.grpcPort)}`);
  context = await openContext(reports, { clock });
  watch = await watchSubjects(reports.servers.natsUrl, 'stechuhr.events.*.daily-reports.report.autofilled');
});
afterAll(async () => {
  await watch.stop();
  await context.close();
  replicaClient.close();
  await replica.stop();
  await reports.stop();
});

beforeEach(async () => {
  interruption = undefined;
  site = await buildSite(reports, context.ports);
  await reports.importRecords([site.shift(site.max, '03-10T08:00', '03-10T16:00', 'Beton')]);
});

async function autofill(client = reports.client, { date = DATE, mayApprove = false } = {}): Promise<string[]> {
  const request = { caller: site.caller, json: JSON.stringify({ tag: site.project.id, date }), mayApprove };
  return (await callUnary(client, client.autofill, request, { deadlineMs: 30_000 })).filled;
}

/** The fields of each event. The relays of several replicas may publish an event more than once. */
function told(): readonly (readonly string[])[] {
  const own = watch.messages.filter(({ subject }) => subject.includes(site.institutionId));
  const events = own.map(({ text }) => JSON.parse(text) as { readonly id: string; readonly data: { readonly fields: string[] } });
  return [...new Map(events.map(({ id, data }) => [id, data.fields])).values()];
}

const settleAll = () => settleLeftBehind(context.ports, context.claims, new AbortController().signal);

async function marks(): Promise<number> {
  return (await context.ports.reports.marked({ institutionId: site.institutionId })).length;
}

describe('an autofill that is killed', () => {
  it.each<[string, Interruption]>([
    ['after its entries were there', { store: 'entries', method: 'insert', before: false }],
    ['before the report was described', { store: 'reports', method: 'describe', before: true }],
    ['after the report was described', { store: 'reports', method: 'describe', before: false }],
  ])('%s is published once, even if it is repeated', async (_when, where) => {
    interruption = where;
    await expect(autofill(replicaClient)).rejects.toMatchObject({ code: 'internal' });
    interruption = undefined;
    expect(await autofill()).toEqual([]);
    present += 61_000;
    await Promise.all([settleAll(), settleAll()]);
    expect(await autofill()).toEqual([]);
    await waitFor(() => told().length > 0);
    expect(await marks()).toBe(0);
    expect(told()).toEqual([[HOURS, 'activities']]);
  });

  it('before its entries were stored is published when another writer stores them', async () => {
    interruption = { store: 'entries', method: 'insert', before: true };
    await expect(autofill(replicaClient)).rejects.toMatchObject({ code: 'internal' });
    interruption = undefined;
    present += 61_000;
    await settleAll();
    expect([await marks(), await site.countEntries(DATE)]).toEqual([0, 0]);
    expect(await autofill()).toEqual([HOURS, 'activities']);
    await waitFor(() => told().length > 0);
    expect(told()).toEqual([[HOURS, 'activities']]);
  });
});

describe('an autofill that is suspended for more than a minute', () => {
  it('before its entries were stored is published, although its mark was cleared meanwhile', async () => {
    const act = async (): Promise<void> => {
      interruption = undefined;
      present += 61_000;
      await settleAll();
      expect(await marks()).toBe(0);
    };
    interruption = { store: 'entries', method: 'insert', before: true, act };
    expect(await autofill(replicaClient)).toEqual([HOURS, 'activities']);
    await waitFor(() => told().length > 0);
    expect(told()).toEqual([[HOURS, 'activities']]);
  });

  it('after its entries were stored is published under one id, although another process has published it, too', async () => {
    const act = async (): Promise<void> => {
      interruption = undefined;
      present += 61_000;
      await settleAll();
      expect(await marks()).toBe(0);
    };
    interruption = { store: 'entries', method: 'insert', before: false, act };
    expect(await autofill(replicaClient)).toEqual([HOURS, 'activities']);
    // Published after the events of the first report.
    await reports.importRecords([site.shift(site.max, '03-11T08:00', '03-11T16:00')]);
    await autofill(replicaClient, { date: '2026-03-11' });
    await waitFor(() => new Set(told().map((fields) => fields.length)).size === 2);
    expect(told()).toHaveLength(2);
    expect(new Set(told())).toEqual(new Set([[HOURS, 'activities'], [HOURS]]));
  });
});

describe('an autofill whose report changes its status in the meantime', () => {
  /** Runs once, right before the replica marks the report. */
  function meanwhile(...statuses: dailyReportsV1.ReportStatus[]): void {
    const act = async (): Promise<void> => {
      interruption = undefined;
      await site.changeStatus(DATE, ...statuses);
    };
    interruption = { store: 'reports', method: 'mark', before: true, act };
  }

  it.each<[string, dailyReportsV1.ReportStatus[], boolean, string]>([
    ['is archived', [closed, archived], true, 'invalid'],
    ['is handed in', [submitted], false, 'forbidden'],
  ])('writes nothing if it %s', async (_what, statuses, mayApprove, code) => {
    meanwhile(...statuses);
    await expect(autofill(replicaClient, { mayApprove })).rejects.toMatchObject({ code });
    expect([await site.countEntries(DATE), await marks()]).toEqual([0, 0]);
  });

  it('writes nothing if a report with entries is archived', async () => {
    await autofill();
    await reports.importRecords([site.shift(site.eva, '03-10T08:00', '03-10T12:00')]);
    meanwhile(closed, archived);
    await expect(autofill(replicaClient, { mayApprove: true })).rejects.toMatchObject({ code: 'invalid' });
    expect(await site.countEntries(DATE)).toBe(2);
  });

  it('continues if it may still be filled', async () => {
    meanwhile(closed, draft);
    expect(await autofill(replicaClient)).toEqual([HOURS, 'activities']);
    const { revision } = await context.ports.reports.logOf(site, { tagId: site.project.id, date: dayOf(DATE) });
    expect([revision, await marks()]).toEqual([2, 0]);
  });
});

describe('an autofill that is slower than a later one', () => {
  it('replaces nothing by the time that it has read before', async () => {
    const shift = site.shift(site.max, '03-11T08:00', '03-11T16:00', 'Beton');
    const [timespan] = shift.timespans;
    const corrected = {
      ...shift,
      ended_at: '2026-03-11T17:00:00',
      timespans: [{ ...timespan, ended_at: '2026-03-11T17:00:00', comment: 'Putz' }],
    };
    await reports.importRecords([shift]);
    const date = '2026-03-11';
    const act = async (): Promise<void> => {
      interruption = undefined;
      await reports.importRecords([corrected]);
      expect(await autofill(reports.client, { date })).toEqual([HOURS, 'activities']);
    };
    interruption = { store: 'reports', method: 'mark', before: true, act };
    await autofill(replicaClient, { date });
    expect(await site.entries(date)).toEqual([
      'activities Max Maurer Putz',
      'deleted activities Max Maurer Beton',
      `${HOURS} Max Maurer 9`,
    ]);
    expect(await autofill(reports.client, { date })).toEqual([]);
  });
});
