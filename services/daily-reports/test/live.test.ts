import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@stechuhr/bus';
import { dailyReportsV1, eventSubject, handOverHeaders, handOverSubjectAmongJobs, ingestSubject } from '@stechuhr/contracts';
import { ingestObjects } from '@stechuhr/ingest';
import { newId } from '@stechuhr/kernel';
import { createLogger } from '@stechuhr/service';
import { buildProject, waitFor, watchSubjects, type SubjectWatch } from '@stechuhr/testing';
import type { Context } from '../src/context.js';
import { dailyReportIngest } from '../src/operations/ingest/ingest.js';
import { interruptedStores, type Interruption } from './support/interrupted-stores.js';
import { openOrganization, saidBy, shown, type Line, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { openContext } from './support/site.js';

const logger = createLogger('test', 'fatal');

let running: RunningDailyReports;
let bus: Bus;
let dead: SubjectWatch;
let events: SubjectWatch;
let context: Context;
let firm: Organization;
/** The interruption between two steps of a writer. */
let between: Interruption | undefined;

beforeAll(async () => {
  running = await startDailyReports({}, { ingestBackoffMs: [100, 500, 1500] });
  bus = await connectBus({ servers: running.servers.natsUrl, name: 'test', logger });
  dead = await watchSubjects(running.servers.natsUrl, 'stechuhr.dead.>');
  events = await watchSubjects(running.servers.natsUrl, 'stechuhr.events.*.daily-reports.>');
  context = await openContext(running, { stores: interruptedStores(() => between) });
});
afterAll(async () => {
  await context.close();
  await Promise.all([dead.stop(), events.stop()]);
  await bus.close();
  await running.stop();
});

beforeEach(async () => {
  firm = await openOrganization(running);
});

const publish = (line: Line, institutionId = firm.institutionId) =>
  bus.publish(ingestSubject(institutionId, String(line.kind)), JSON.stringify(line));

/** Waits for this number of entries and returns them. */
const entries = (count: number) =>
  waitFor(async () => {
    const listed = await firm.entries();
    // The count may include an entry that was written after the page had been read.
    return listed.entries.length === count ? listed.entries : undefined;
  });

/** Two replicas may publish the same event; the stream stores it once. */
const published = () => {
  const own = events.messages.filter(({ subject }) => subject.includes(firm.institutionId));
  const byId = new Map(own.map(({ subject, text }) => [(JSON.parse(text) as { id: string }).id, subject]));
  return [...byId.values()].map((subject) => subject.split('.').slice(-2).join('.'));
};

describe('live objects', () => {
  it('can be entries, forms and status changes as in an import, in order', async () => {
    const values = ['Erste', 'Zweite', 'Dritte'];
    for (const value of values) await publish(firm.entry({ field_id: 'comments', value }));
    await publish(firm.entry({ field_id: 'comments', value: 'Dritte', burned: true }));
    expect((await entries(4)).map(shown).map((text) => text.slice(11))).toEqual([
      'comments Dritte deleted',
      'comments Dritte',
      'comments Zweite',
      'comments Erste',
    ]);
    await publish(firm.status('submitted'));
    await publish(firm.form('2026-01-01', [{ id: 'comments', type: 'string', label: 'Notizen' }]));
    const expected = [...Array.from({ length: 3 }, () => 'entry.recorded'), 'entry.burned', 'form.configured', 'report.status-changed'];
    await waitFor(() => (published().length === expected.length ? true : undefined));
    expect(published().sort()).toEqual(expected.sort());
  });

  it('are written that version 0.2 has handed over among the jobs', async () => {
    const { institutionId } = firm;
    const line = firm.entry({ field_id: 'comments', value: 'Von 0.2' });
    const headers = handOverHeaders(ingestSubject(institutionId, String(line.kind)), 7);
    await bus.publish(handOverSubjectAmongJobs(institutionId, String(line.kind)), JSON.stringify(line), { headers });
    expect((await entries(1)).map(shown).map((text) => text.slice(11))).toEqual(['comments Von 0.2']);
  });

  it('publish nothing if they change nothing', async () => {
    const [line, form, status] = [
      firm.entry(),
      firm.form('2026-01-01', [{ id: 'comments', type: 'string', label: 'x' }]),
      firm.status('closed'),
    ];
    await firm.record(line, form, status);
    await firm.record(line, form, status);
    for (const again of [line, form, status]) await publish(again);
    await publish(firm.entry({ field_id: 'comments', value: 'Letzte' }));
    await entries(2);
    const expected = ['entry.recorded', 'entry.recorded', 'form.configured', 'report.status-changed'];
    await waitFor(() => (published().length >= expected.length ? true : undefined));
    expect(published().sort()).toEqual(expected);
  });

  it('report removed entries, once each', async () => {
    const [first, second] = [firm.entry({ field_id: 'comments', value: 'Erste' }), firm.entry({ field_id: 'comments', value: 'Zweite' })];
    await firm.record(first, second);
    await publish(deletionOf(first));
    await entries(1);
    await firm.record(deletionOf(first), deletionOf(second));
    await firm.record(deletionOf(second));
    await waitFor(() => (published().length >= 4 ? true : undefined));
    await firm.record(firm.status('closed'));
    await waitFor(() => published().includes('report.status-changed'));
    expect(published().sort()).toEqual(['entry.recorded', 'entry.recorded', 'entry.removed', 'entry.removed', 'report.status-changed']);
    const removed = events.messages.filter(({ subject }) => subject === eventSubject(firm.institutionId, 'daily-reports.entry.removed'));
    const data = removed.map(({ text }) => (JSON.parse(text) as { data: unknown }).data);
    expect(data).toEqual(expect.arrayContaining([first, second].map(({ id, tag_id, date }) => ({ id, tag_id, date }))));
  });

  it('wait for their references, then become dead letters, without blocking others', async () => {
    const soon = buildProject({ institution_id: firm.institutionId });
    const known = dead.messages.length;
    const wrong = firm.entry({ field_id: 'comments', value: '' });
    await publish(wrong);
    await publish(firm.entry({ tag_id: soon.id }));
    await publish(firm.entry({ author_id: newId() }));
    await publish(firm.entry());
    await running.importRecords([soon]);
    await entries(2);
    const letters = await waitFor(() => (dead.messages.length >= known + 2 ? dead.messages.slice(known) : undefined));
    const told = letters.map(({ text }) => JSON.parse(text) as { reason: string; deliveries: number; subject: string });
    expect(told.map(({ reason, deliveries }) => [reason.replace(/: .*/, ''), deliveries])).toEqual([
      ['value may not be blank.', 1],
      ['author_id names no account of the institution', 4],
    ]);
    expect(told[0]?.subject).toBe(ingestSubject(firm.institutionId, 'daily_report_entry'));
  });

  /** Passes an entry or its deletion to the service as the stream does. */
  const take = ({ kind, ...object }: Line, sequence: number) =>
    ingestObjects(dailyReportIngest(context.ingestNeeds()))({
      institutionId: firm.institutionId,
      kind: String(kind),
      sequence,
      json: JSON.stringify({ kind, ...object }),
    });

  it('that change a status are tried again while the change that they follow is on its way in another replica', async () => {
    const [submitted, archived] = [firm.status('submitted'), firm.status('archived')];
    const reason = 'A report that is draft cannot become archived.';
    await expect(take(archived, 6)).rejects.toMatchObject({ code: 'precondition', message: reason });
    await take(submitted, 5);
    await take(archived, 6);
    expect(await firm.statusOf()).toBe(dailyReportsV1.ReportStatus.REPORT_STATUS_ARCHIVED);
  });

  it('that take the first day of a form are written after the object that frees it', async () => {
    const fields = [{ id: 'comments', type: 'string', label: 'Notizen' }];
    const [old, taking] = [firm.form('2026-01-01', fields), firm.form('2026-01-01', fields)];
    await take(old, 1);
    // Each process counts on the order of the objects that wait in it, but a replica may handle the second one first.
    await expect(take(taking, 5)).rejects.toMatchObject({
      code: 'precondition',
      message: 'valid_from is that of another form of the institution.',
    });
    const ingest = ingestObjects(dailyReportIngest(context.ingestNeeds()));
    const objects = [firm.entry(), deletionOf(old), taking].map((line, at) => ({
      institutionId: firm.institutionId,
      kind: String(line.kind),
      sequence: 3 + at,
      json: JSON.stringify(line),
    }));
    await Promise.all(objects.map(ingest));
    const forms = await context.ports.forms.list({ institutionId: firm.institutionId });
    expect(forms.map(({ id }) => id)).toEqual([taking['id']]);
  });

  it('that were sent before their report was archived are written after it, in the order of the stream', async () => {
    const [kept, removed, early, late] = [1, 2, 3, 4].map(() => firm.entry()) as [Line, Line, Line, Line];
    await take(kept, 1);
    await take(removed, 2);
    await take(firm.status('submitted'), 3);
    await take(firm.status('archived'), 6);
    await take(early, 4);
    await take(deletionOf(removed), 5);
    const refused = { code: 'invalid', message: 'The report of that day is archived.' };
    await expect(take(late, 7)).rejects.toMatchObject(refused);
    await expect(take(deletionOf(kept), 8)).rejects.toMatchObject(refused);
    expect((await firm.entries()).entries.map(({ id }) => id).sort()).toEqual([String(kept['id']), String(early['id'])].sort());
  });

  it('are refused by a report that was archived otherwise since they were sent', async () => {
    await firm.record(firm.status('submitted'), firm.status('archived'));
    await expect(take(firm.entry(), 5)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('that are delivered again do not undo what an import changed meanwhile', async () => {
    const form = firm.form('2026-01-01', [{ id: 'comments', type: 'string', label: 'Live' }]);
    await take(form, 5);
    await firm.record({ ...form, fields: [{ id: 'comments', type: 'string', label: 'Imported' }] });
    await take(form, 5);
    const forms = await context.ports.forms.list({ institutionId: firm.institutionId });
    expect(forms.flatMap(({ fields }) => fields.map(({ label }) => label))).toEqual(['Imported']);
  });

  it('that are delivered again do not delete what an import created meanwhile', async () => {
    const form = firm.form('2026-01-01', [{ id: 'comments', type: 'string', label: 'Live' }]);
    const entry = firm.entry();
    await take(entry, 3);
    await take(form, 4);
    for (const [line, sequence] of [[entry, 5] as const, [form, 6] as const]) {
      await take(deletionOf(line), sequence);
      await firm.record(line);
      await take(deletionOf(line), sequence);
    }
    expect((await context.ports.forms.list({ institutionId: firm.institutionId })).map(({ id }) => id)).toEqual([form['id']]);
    expect((await firm.entries()).count).toBe(1);
  });

  it('keep their effect after a dry run that deletes the same records', async () => {
    const form = firm.form('2026-01-01', [{ id: 'comments', type: 'string', label: 'Live' }]);
    await take(form, 5);
    expect((await firm.check([deletionOf(form)])).rejected).toEqual([]);
    await take(form, 5);
    expect((await context.ports.forms.list({ institutionId: firm.institutionId })).map(({ id }) => id)).toEqual([form['id']]);
  });

  it('do not replace a form that was deleted and created again since they read it', async () => {
    const tenant = { institutionId: firm.institutionId };
    const { forms } = context.ports;
    const form = firm.form('2026-01-01', [{ id: 'comments', type: 'string', label: 'First' }]);
    const id = String(form['id']);
    await firm.record(form);
    const before = (await forms.load([{ ...tenant, id }])).get(id);
    if (before === undefined) throw new Error('The form was not stored.');
    await firm.record(deletionOf(form));
    // Its document is removed when its events have been published.
    await waitFor(async () => !(await forms.isTakenByOthers({ institutionId: newId() }, id)));
    await firm.record({ ...form, fields: [{ id: 'comments', type: 'string', label: 'Second' }] });
    expect(await forms.replace(tenant, { before, after: before }, undefined)).toBe('stale');
    expect((await forms.list(tenant)).flatMap(({ fields }) => fields.map(({ label }) => label))).toEqual(['Second']);
  });

  const deletionOf = ({ kind, institution_id, id }: Line): Line => ({ kind, institution_id, id, deleted: true });

  it('are removed if their deletion arrived while they were written', async () => {
    const line = firm.entry();
    const act = async (): Promise<void> => {
      between = undefined;
      await take(deletionOf(line), 7);
    };
    between = { store: 'entries', method: 'insert', before: true, act };
    await take(line, 5);
    expect((await firm.entries()).count).toBe(0);
    expect((await firm.reports()).count).toBe(0);
  });

  it('have no effect after a deletion that arrived first', async () => {
    const line = firm.entry();
    const deletion = deletionOf(line);
    await take(deletion, 7);
    await take(line, 5);
    expect((await firm.entries()).count).toBe(0);
    await take(line, 9);
    await take(deletion, 8);
    expect((await firm.entries()).entries.map(({ value }) => saidBy(value))).toEqual(['Regen bis mittags']);
    await take(deletion, 10);
    expect((await firm.entries()).count).toBe(0);
  });
});
