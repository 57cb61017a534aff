import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { connectMongo, MAX_WAITING_EVENTS, type MongoDb } from '@stechuhr/mongo';
import { callUnary, createLogger } from '@stechuhr/service';
import { buildTimespan, buildWorkday } from '@stechuhr/testing';
import { openOrganization, shown, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';

let running: RunningDailyReports;
let firm: Organization;

beforeAll(async () => {
  // Nothing listens at this address.
  running = await startDailyReports({ NATS_URL: 'nats://127.0.0.1:9' });
});
beforeEach(async () => {
  firm = await openOrganization(running);
});
afterAll(async () => {
  await running.stop();
});

describe('an entry that is removed while its event is unpublished', () => {
  it('can be stored again', async () => {
    const removal = (id: unknown) => ({ kind: 'daily_report_entry', institution_id: firm.institutionId, id, deleted: true });
    const entry = firm.entry({ value: 'Erste Fassung' });
    const other = firm.entry({ value: 'Anderes' });
    await firm.record(entry, other);
    await firm.record(removal(entry.id), removal(other.id));
    const corrected = { ...entry, value: 'Zweite Fassung', date: '2026-03-03' };
    await firm.record(corrected, firm.entry({ value: 'Drittes' }), other);
    const { entries } = await firm.entries();
    expect(entries.map(shown)).toEqual([
      '2026-03-03 comments Zweite Fassung',
      '2026-03-02 comments Anderes',
      '2026-03-02 comments Drittes',
    ]);
    expect((await firm.reports()).count).toBe(2);
    await firm.record(removal(entry.id));
    expect((await firm.entries()).count).toBe(2);
  });
});

describe('a form or report of which too many events wait', () => {
  const full = { code: 'unavailable', message: expect.stringContaining('wait to be published') };
  const FIELDS = [{ id: 'employee-working-times', type: 'employee-working-times', label: 'x', config: { autofill_from_tracking: true } }];
  let mongo: MongoDb;

  beforeAll(async () => {
    const { servers } = running;
    const logger = createLogger('daily-reports', 'fatal');
    mongo = await connectMongo({ url: servers.mongodbUrl, database: servers.database('daily_reports'), logger });
  });
  afterAll(() => mongo.close());

  const fill = async (collection: 'forms' | 'descriptors') => {
    const outbox = Array.from({ length: MAX_WAITING_EVENTS }, () => ({ id: newId() }));
    await mongo.connection.collection(collection).updateMany({ institution_id: firm.institutionId }, { $set: { outbox } });
  };

  it('takes no change that leaves another, until they are published; a form can still be removed', async () => {
    const form = firm.form('2026-01-01', FIELDS);
    await firm.record(form);
    await fill('forms');
    await expect(firm.record({ ...form, valid_from: '2026-02-01' })).rejects.toMatchObject(full);
    const removal = { kind: 'daily_report_form', institution_id: firm.institutionId, id: form.id, deleted: true };
    await firm.record(removal);
    await expect(firm.record(form)).rejects.toMatchObject(full);
  });

  it('is not filled, and takes entries', async () => {
    await firm.record(
      firm.form('2026-01-01', FIELDS),
      firm.entry({ field_id: 'employee-working-times', on_behalf_of_id: firm.eva, hours: 1 }),
    );
    await fill('descriptors');
    const timespans = [buildTimespan({ started_at: '2026-03-02T08:00:00', ended_at: '2026-03-02T16:00:00', project_id: firm.site })];
    const times = { started_at: '2026-03-02T08:00:00', ended_at: '2026-03-02T16:00:00' };
    const worked = { institution_id: firm.institutionId, employee_id: firm.max, date: '2026-03-02', ...times, timespans };
    await running.importRecords([buildWorkday(worked)]);
    const autofill = () => {
      const request = { caller: firm.caller, json: JSON.stringify({ tag: firm.site, date: '2026-03-02' }), mayApprove: false };
      return callUnary(running.client, running.client.autofill, request);
    };
    await expect(autofill()).rejects.toMatchObject(full);
    expect((await firm.entries()).count).toBe(1);
    await firm.record(firm.entry({ field_id: 'employee-working-times', on_behalf_of_id: firm.eva, hours: 2 }));
    expect((await firm.entries()).count).toBe(2);
    await mongo.connection.collection('descriptors').updateMany({ institution_id: firm.institutionId }, { $set: { outbox: [] } });
    expect((await autofill()).filled).toEqual(['employee-working-times']);
  });
});
