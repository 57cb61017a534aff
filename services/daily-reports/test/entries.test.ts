import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import { buildProject, waitFor } from '@stechuhr/testing';
import { formatLocalDateTime } from '@stechuhr/worktime';
import { callUnary } from '@stechuhr/service';
import type { Context } from '../src/context.js';
import { reportId } from '../src/domain/report.js';
import { recordEntries } from '../src/operations/record-entries.js';
import { settleLeftBehind, settleReports } from '../src/operations/settle-reports.js';
import { callerIn, dayOf, openOrganization, saidBy, shown, type Line, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';
import { buildSite, openContext } from './support/site.js';

let running: RunningDailyReports;
let context: Context;
let firm: Organization;

beforeAll(async () => {
  running = await startDailyReports();
  context = await openContext(running);
});
afterAll(async () => {
  await context.close();
  await running.stop();
});

beforeEach(async () => {
  firm = await openOrganization(running);
});

const HOURS = 'employee-working-times';
const NEVER_ABORTED = new AbortController().signal;
/** A mark of a writer that was interrupted an hour ago. */
const marking = () => ({
  mark: { id: newId(), at: Math.floor(Date.now() / 1_000) - 3_600, autofilled: [] },
  ...{ sequences: 0, bytes: 0, logRevision: undefined },
});
const PNG = 'data:image/png;base64,iVBORw0KGgo=';

describe('a group', () => {
  it('keeps every version; the newest by server sequence is valid, regardless of its times', async () => {
    const hours = { field_id: 'employee-working-times', on_behalf_of_id: firm.max };
    await firm.record(
      firm.entry({ ...hours, hours: 8, created_at: '2026-03-02T20:00:00' }),
      firm.entry({ ...hours, hours: 7.5, created_at: '2026-03-01T06:00:00', author_id: firm.ben }),
      firm.entry({ ...hours, on_behalf_of_id: firm.eva, hours: 4 }),
    );
    const all = await firm.entries();
    expect(all.count).toBe(3);
    expect(all.entries.map((entry) => [saidBy(entry.value), entry.groupCount, entry.groupId])).toEqual([
      ['Eva Estrich 4', 1, `2026-03-02|${firm.site}|${firm.eva}`],
      ['Max Maurer 7.5', 2, `2026-03-02|${firm.site}|${firm.max}`],
      ['Max Maurer 8', 2, `2026-03-02|${firm.site}|${firm.max}`],
    ]);
    const grouped = await firm.entries({ grouped: '1' });
    expect(grouped.count).toBe(2);
    expect(grouped.entries.map((entry) => [saidBy(entry.value), entry.groupCount])).toEqual([
      ['Eva Estrich 4', 1],
      ['Max Maurer 7.5', 2],
    ]);
  });

  it('is distinguished from one with the same group id', async () => {
    const text = { value: 'Kran|A' };
    await firm.record(
      firm.entry({ field_id: 'comments', ...text }),
      firm.entry({ field_id: 'materials', ...text }),
      firm.entry({ field_id: 'comments', ...text, on_behalf_of_id: firm.max }),
      firm.entry({ field_id: 'comments', ...text, tag_id: firm.otherSite }),
      firm.entry({ field_id: 'comments', ...text, date: '2026-03-03' }),
      firm.entry({ field_id: 'comments', value: 'Kran' }),
    );
    const { count, entries } = await firm.entries({ grouped: '1' });
    expect(count).toBe(6);
    expect(new Set(entries.map(({ groupCount }) => groupCount))).toEqual(new Set([1]));
    expect(entries.map(({ groupId }) => groupId)).toContain(`2026-03-02|${firm.site}||Kran|A`);
  });

  it('is deleted by a tombstone with only its grouping values, and exists again with a newer entry', async () => {
    const hours = { field_id: 'employee-working-times', on_behalf_of_id: firm.max };
    await firm.record(firm.entry({ ...hours, hours: 8 }), firm.entry({ ...hours, burned: true }));
    const [deleted] = (await firm.entries({ grouped: '1' })).entries;
    expect([deleted?.burned, deleted?.groupCount]).toEqual([true, 2]);
    expect((await firm.reports()).reports.map(({ totalHours, employees }) => [totalHours, employees.length])).toEqual([[0, 0]]);
    await firm.record(firm.entry({ ...hours, hours: 6 }));
    expect((await firm.entries({ grouped: '1' })).entries.map(shown)).toEqual(['2026-03-02 employee-working-times Max Maurer 6']);
  });

  it('counts only requested ids, and shows the newest of these', async () => {
    const [first, second, third] = [1, 2, 3].map(() => firm.entry());
    await firm.record(first ?? {}, second ?? {}, third ?? {});
    const ids = `${String(first?.id)}|nonsense|${String(second?.id).toUpperCase()}|${newId()}`;
    const listed = await firm.entries({ ids });
    expect(listed.entries.map(({ id, groupCount }) => [id, groupCount])).toEqual([
      [second?.id, 2],
      [first?.id, 2],
    ]);
    const grouped = await firm.entries({ ids, grouped: '1' });
    expect([grouped.count, grouped.entries.map(({ id, groupCount }) => [id, groupCount])]).toEqual([1, [[second?.id, 2]]]);
    expect((await firm.entries({ ids: 'nonsense' })).count).toBe(0);
  });

  it('is listed in pages that fit into memory', async () => {
    const image = `data:image/png;base64,${'A'.repeat(270_000)}`;
    const signed = Array.from({ length: 64 }, (_, at) =>
      firm.entry({ field_id: 'signatures', image, on_behalf_of_id: firm.max, date: `2026-03-0${String(1 + (at % 2))}` }),
    );
    for (let at = 0; at < signed.length; at += 16) await firm.record(...signed.slice(at, at + 16));
    await expect(firm.entries({})).rejects.toMatchObject({
      details: { limit: ['The page has more than 16777216 bytes; ask for fewer entries.'] },
    });
    expect((await firm.entries({}, { limit: 50 })).entries).toHaveLength(50);
  });

  it('shows the previous version again if the newest is removed', async () => {
    const [first, second] = [firm.entry(), firm.entry({ author_id: firm.ben })];
    await firm.record(first, second);
    await firm.record({ kind: 'daily_report_entry', institution_id: firm.institutionId, id: second.id, deleted: true });
    const grouped = await firm.entries({ grouped: '1' });
    expect(grouped.entries.map(({ id, groupCount }) => [id, groupCount])).toEqual([[first.id, 1]]);
    expect((await firm.reports()).reports[0]?.contributorCount).toBe(1);
    await firm.record({ kind: 'daily_report_entry', institution_id: firm.institutionId, id: first.id, deleted: true });
    expect((await firm.reports()).count).toBe(0);
  });
});

describe('modified_since', () => {
  it('finds entries by when they were stored, regardless of their own times', async () => {
    const hour = (offset: number) => formatLocalDateTime(Math.floor(Date.now() / 1000) + offset * 3_600);
    await firm.record(firm.entry({ created_at: '2020-01-01T06:00:00', modified_at: '2020-01-01T06:00:00' }));
    await firm.record(firm.entry({ created_at: '2020-01-01T06:00:00', modified_at: '2098-01-01T06:00:00' }));
    expect((await firm.entries({ modified_since: hour(-1) })).count).toBe(2);
    expect((await firm.entries({ modified_since: hour(-1), grouped: '1' })).count).toBe(1);
    expect((await firm.entries({ modified_since: hour(1) })).count).toBe(0);
    await expect(firm.entries({ modified_since: '2026-03-02' })).rejects.toMatchObject({
      details: { modified_since: [expect.any(String)] },
    });
  });

  it('counts the entries of a group that match', async () => {
    await firm.record(firm.entry());
    const next = Math.floor(Date.now() / 1000) + 1;
    await waitFor(() => Date.now() >= next * 1000);
    await firm.record(firm.entry(), firm.entry());
    const counts = async (parameters: Record<string, string>) =>
      (await firm.entries(parameters)).entries.map(({ groupCount }) => groupCount);
    const since = { modified_since: formatLocalDateTime(next) };
    expect(await counts({})).toEqual([3, 3, 3]);
    expect(await counts(since)).toEqual([2, 2]);
    expect(await counts({ ...since, grouped: '1' })).toEqual([2]);
    expect(await counts({ grouped: '1' })).toEqual([3]);
  });
});

describe('an entry line', () => {
  it('is returned with all its fields and current names', async () => {
    const key = `uploads/${firm.institutionId}/${firm.ada}/a.jpg`;
    await firm.record(
      firm.entry({
        field_id: 'weather',
        time: '0700',
        temperature: -3.5,
        weather_condition: 'snow',
        precipitation: 2,
        cloud_cover: 80,
        wind: [12.5, 270],
      }),
      firm.entry({ field_id: 'subcontractors', name: 'Kran GmbH', employees: 3, hours: 27.5, comment: 'bis 15 Uhr' }),
      firm.entry({
        field_id: 'activities',
        text: '  Decke betoniert ',
        on_behalf_of_id: firm.max,
        author_id: null,
        submitted_at: '2026-03-02T10:00:00',
      }),
      firm.entry({
        field_id: 'photos',
        image_id: 'a',
        image_key: key,
        latitude: 48.137,
        longitude: 11.575,
        taken_at: '2026-03-02T09:15:00',
      }),
      firm.entry({ field_id: 'signatures', image: PNG, role: 'Bauleitung', on_behalf_of_id: firm.max }),
      firm.entry({ field_id: 'employee-working-times', on_behalf_of_id: firm.max, hours: 8.25 }),
    );
    const { entries } = await firm.entries();
    const values = new Map(entries.map(({ fieldId, value }) => [fieldId, value?.value?.value]));
    expect(values.get('weather')).toEqual({ time: '07:00', temperature: -3.5, weatherCondition: 'snow' });
    expect(values.get('subcontractors')).toEqual({ name: 'Kran GmbH', employees: 3, hours: 27.5, comment: 'bis 15 Uhr' });
    expect(values.get('activities')).toEqual({ text: 'Decke betoniert' });
    expect(values.get('signatures')).toEqual({ image: PNG, role: 'Bauleitung' });
    expect(values.get('photos')).toEqual({
      imageId: 'a',
      imageKey: key,
      imageUrl: expect.stringMatching(/\/uploads\/.*X-Amz-Expires=3600/),
      latitude: 48.137,
      longitude: 11.575,
      takenAt: Date.parse('2026-03-02T08:15:00Z') / 1000,
    });
    const worked = { employeeAccountId: firm.ben, employeeName: 'Max Maurer', employeePosition: 'Polier' };
    expect(values.get('employee-working-times')).toEqual({ hours: 8.25, ...worked });
    const people = new Map(
      entries.map((entry) => [entry.fieldId, [entry.authorName, entry.onBehalfOfName, entry.submittedAt !== undefined]]),
    );
    expect(people.get('photos')).toEqual(['Ada Muster', undefined, true]);
    expect(people.get('activities')).toEqual([undefined, 'Max Maurer', false]);
    expect(entries.find(({ fieldId }) => fieldId === 'weather')?.groupId).toBe(`2026-03-02|${firm.site}|07:00`);
  });

  it('is rejected if it violates a rule of the form, of its type or of its time', async () => {
    const own = `uploads/${firm.institutionId}/${firm.ada}/`;
    const cases: readonly (readonly [string, Line])[] = [
      ['field_id names no field of the form that is active on 2026-03-02.', { field_id: 'elsewhere', value: 'x' }],
      ['type must be string, the type of the field.', { field_id: 'comments', type: 'activities', text: 'x' }],
      ['value may not be blank.', { field_id: 'comments', value: '  ' }],
      ['value may not be longer than 10000 characters.', { field_id: 'comments', value: 'x'.repeat(10_001) }],
      ['hours must be a number from 0 to 24.', { field_id: 'employee-working-times', on_behalf_of_id: firm.max, hours: 24.5 }],
      ['hours is required.', { field_id: 'employee-working-times', on_behalf_of_id: firm.max }],
      ['on_behalf_of_id is required for working times.', { field_id: 'employee-working-times', hours: 8 }],
      ['time must be one of the times of the form.', { field_id: 'weather', time: '08:00' }],
      [
        'weather_condition must be one of sunny, cloudy, precipitation, snow.',
        { field_id: 'weather', time: '07:00', weather_condition: 'hail' },
      ],
      ['wind must be a pair of speed and direction, from 0 to 359 degrees.', { field_id: 'weather', time: '07:00', wind: [3, 360] }],
      ['employees must be an integer from 0 to 1000000.', { field_id: 'subcontractors', name: 'Kran GmbH', employees: 1.5 }],
      ['image must be a base64 data URL of a PNG or JPEG image.', { field_id: 'signatures', image: 'data:image/gif;base64,AAAA' }],
      ['role may not be longer than 255 characters.', { field_id: 'signatures', image: PNG, role: 'x'.repeat(256) }],
      ['role must be text.', { field_id: 'signatures', image: PNG, role: 7 }],
      ['image may not be larger than 200 kB.', { field_id: 'signatures', image: `data:image/png;base64,${'A'.repeat(280_000)}` }],
      [
        'image_key must be in the upload namespace of the author.',
        { field_id: 'photos', image_id: 'a', image_key: `uploads/${firm.institutionId}/${firm.ben}/a.jpg` },
      ],
      ['thumb_key must be in the upload namespace of the author.', { field_id: 'photos', image_id: 'a', thumb_key: `${own}../b.jpg` }],
      [
        'image_key must be in the upload namespace of the author.',
        { field_id: 'photos', image_id: 'a', image_key: `${own}a.jpg`, author_id: null },
      ],
      [`on_behalf_of_id names no employee of the institution: ${firm.ada}.`, { on_behalf_of_id: firm.ada }],
      [`author_id names no account of the institution: ${firm.max}.`, { author_id: firm.max }],
      ['tag_id must be a UUID.', { tag_id: 'x' }],
      ['date must be a date like 2026-03-31.', { date: '2026-02-30' }],
    ];
    for (const [reason, given] of cases) {
      const { rejected } = await firm.import([firm.entry(given)]);
      expect(rejected).toEqual([`1 daily_report_entry: ${reason}`]);
    }
    expect((await firm.entries()).count).toBe(0);
  });

  it('has no effect when repeated, and is rejected with other content', async () => {
    const line = firm.entry();
    await firm.record(line, line);
    expect(await firm.import([line, firm.entry({ id: line.id, value: 'Anders' })])).toEqual({
      accepted: { daily_report_entry: 1 },
      rejected: ['2 daily_report_entry: id belongs to another entry; entries never change.'],
    });
    expect((await firm.entries()).count).toBe(1);
    const other = await openOrganization(running);
    expect((await other.import([other.entry({ id: line.id })])).rejected).toEqual([
      '1 daily_report_entry: id belongs to a record of another institution.',
    ]);
  });

  it('takes effect in the order of the lines, even if an earlier one has to wait for its form', async () => {
    const field = { id: 'notes', type: 'string', label: 'Notizen' };
    const notes = ['a', 'b'].map((value) =>
      firm.entry({ field_id: 'notes', value: 'same', author_id: value === 'a' ? firm.ada : firm.ben }),
    );
    await firm.record(...notes, firm.form('2026-01-01', [field]));
    const { entries } = await firm.entries();
    expect(entries.map(({ authorName }) => authorName)).toEqual(['Ben Bauer', 'Ada Muster']);
  });

  it('is accepted for submitted and closed reports and rejected for archived ones', async () => {
    await firm.record(firm.entry(), firm.status('submitted'));
    await firm.record(firm.entry({ field_id: 'comments', value: 'Nachtrag' }), firm.status('archived'));
    expect((await firm.import([firm.entry({ field_id: 'comments', value: 'Zu spät' })])).rejected).toEqual([
      '1 daily_report_entry: The report of that day is archived.',
    ]);
    expect((await firm.entries()).count).toBe(2);
  });

  it('is not removed from an archived report until the report is reopened', async () => {
    const line = firm.entry();
    const removal = { kind: 'daily_report_entry', institution_id: firm.institutionId, id: line.id, deleted: true };
    await firm.record(line, firm.entry({ date: '2026-03-03' }), firm.status('closed'), firm.status('archived'));
    expect((await firm.import([removal])).rejected).toEqual(['1 daily_report_entry: The report of that day is archived.']);
    expect((await firm.entries()).count).toBe(2);
    await firm.record(firm.status('draft'));
    await firm.record(removal);
    expect((await firm.entries()).count).toBe(1);
  });
});

describe('a list of entries', () => {
  it('leaves out entries whose field is not in the form of the day or has another type', async () => {
    await firm.record(
      firm.entry(),
      firm.entry({ date: '2026-03-10' }),
      firm.entry({ field_id: 'photos', image_id: 'a', date: '2026-03-10' }),
    );
    await firm.record(
      firm.form('2026-01-01', [{ id: 'comments', type: 'string', label: 'Bemerkungen' }]),
      firm.form('2026-03-05', [{ id: 'comments', type: 'activities', label: 'Tätigkeiten', config: { autofill_from_tracking: false } }]),
    );
    expect((await firm.entries()).entries.map(shown)).toEqual(['2026-03-02 comments Regen bis mittags']);
    expect((await firm.entries({ grouped: '1' })).count).toBe(1);
  });

  it('contains only visible projects with daily reports', async () => {
    const off = buildProject({ institution_id: firm.institutionId, daily_reports_enabled: false });
    await running.importRecords([off]);
    const other = await openOrganization(running);
    await firm.record(firm.entry(), firm.entry({ tag_id: firm.otherSite }), firm.entry({ tag_id: off.id }));
    const seesOne = callerIn(firm.institutionId, { projects: { projectIds: [firm.site, off.id] } });
    const tagsOf = async (parameters: Record<string, string>, caller = firm.caller) =>
      (await firm.entries(parameters, { caller })).entries.map(({ tagId }) => tagId);
    expect(new Set(await tagsOf({}))).toEqual(new Set([firm.site, firm.otherSite]));
    expect(await tagsOf({}, seesOne)).toEqual([firm.site]);
    expect(await tagsOf({ tags: `${firm.site}|${firm.otherSite}` }, seesOne)).toEqual([]);
    expect(await tagsOf({ tags: firm.site }, seesOne)).toEqual([firm.site]);
    expect(await tagsOf({ tags: `${firm.site}|${off.id}` })).toEqual([]);
    expect(await tagsOf({}, other.caller)).toEqual([]);
    expect(await tagsOf({ tags: firm.site }, other.caller)).toEqual([]);
  });

  it('is paginated in a total order', async () => {
    const days = ['2026-03-01', '2026-03-02', '2026-03-03'];
    await firm.record(
      ...days.flatMap((date) => ['a', 'b', 'c'].map((value) => firm.entry({ field_id: 'comments', value, date }))),
      ...days.map((date) => firm.entry({ field_id: 'comments', value: 'x', date, tag_id: firm.otherSite })),
    );
    const whole = (await firm.entries({})).entries.map(({ id }) => id);
    const pages = [];
    for (let offset = 0; offset < 12; offset += 5) pages.push(...(await firm.entries({}, { limit: 5, offset })).entries);
    expect(pages.map(({ id }) => id)).toEqual(whole);
    expect(pages.slice(0, 4).map(shown).sort()).toEqual(['a', 'b', 'c', 'x'].map((text) => `2026-03-03 comments ${text}`));
    const ascending = (await firm.entries({ order: 'date' })).entries.map(shown);
    expect([ascending[0]?.slice(0, 10), ascending.at(-1)?.slice(0, 10)]).toEqual(['2026-03-01', '2026-03-03']);
    expect((await firm.entries({ daterange: '2026-03-02|2026-03-02', field_id: 'comments' })).count).toBe(4);
  });
});

describe('the size of a report', () => {
  const report = () => ({ tagId: firm.site, date: dayOf('2026-03-02') });
  const full = 'A report may not have more than 10000 entries.';

  /** Simulates a writer that is about to write this size: it is marked, but the entries are not stored. */
  const reserve = (tagId: string, { entries = 0, bytes = 0, at = Math.floor(Date.now() / 1_000), institutionId = firm.institutionId }) => {
    const marking = { mark: { id: newId(), at, autofilled: [] }, sequences: entries, bytes, logRevision: undefined };
    return context.ports.reports.mark({ institutionId }, { tagId, date: dayOf('2026-03-02') }, marking);
  };

  it('is limited by the number of entries, for imports and dry runs', async () => {
    await reserve(firm.site, { entries: 9_998 });
    const lines = ['a', 'b', 'c', 'd'].map((value) => firm.entry({ field_id: 'comments', value }));
    const outcome = { accepted: { daily_report_entry: 2 }, rejected: [3, 4].map((line) => `${String(line)} daily_report_entry: ${full}`) };
    expect(await firm.check(lines)).toEqual(outcome);
    expect(await firm.import(lines)).toEqual(outcome);
    expect((await firm.import([firm.entry({ date: '2026-03-03' })])).rejected).toEqual([]);
  });

  it('is limited by the size of texts, and removed entries free space', async () => {
    const image = `data:image/png;base64,${'A'.repeat(270_000)}`;
    const signed = Array.from({ length: 48 }, () => firm.entry({ field_id: 'signatures', image }));
    const rejected = [];
    for (let at = 0; at < signed.length; at += 12) rejected.push(...(await firm.import(signed.slice(at, at + 12))).rejected);
    // 46 × 270,022 is 12.42 million; one more exceeds 12,582,912.
    const reason = 'The entries of a report may not have more than 12582912 bytes.';
    expect(rejected).toEqual([11, 12].map((line) => `${String(line)} daily_report_entry: ${reason}`));
    await firm.record({ kind: 'daily_report_entry', institution_id: firm.institutionId, id: signed[0]?.id, deleted: true });
    expect((await firm.import([signed[47] ?? {}])).rejected).toEqual([]);
    const page = await firm.entries();
    expect(page.entries).toHaveLength(46);
  });

  it('is limited for an autofill, too', async () => {
    const site = await buildSite(running, context.ports);
    await running.importRecords([site.shift(site.max, '03-02T07:00', '03-02T12:00')]);
    await reserve(site.project.id, { entries: 10_000, institutionId: site.institutionId });
    const json = JSON.stringify({ tag: site.project.id, date: '2026-03-02' });
    const asked = callUnary(running.client, running.client.autofill, { caller: site.caller, json, mayApprove: false });
    await expect(asked).rejects.toMatchObject({ code: 'invalid', details: { non_field_errors: [full] } });
  });

  it('allows a thousand changes of the status', async () => {
    const { reports } = context.ports;
    const changes = Array.from({ length: 1_000 }, (_, at) => {
      const status = at % 2 === 0 ? ('submitted' as const) : ('draft' as const);
      return { id: newId(), status, actorId: firm.ada, at: 0, reason: 'x', liveSequence: undefined };
    });
    await reports.writeLog(firm, report(), { after: await reports.logOf(firm, report()), changes, event: undefined });
    expect((await firm.import([firm.status('submitted')])).rejected).toEqual([
      '1 daily_report_status: A report may not change its status more than 1000 times.',
    ]);
  });
});

describe('reports that are computed together', () => {
  it('are held in memory one at a time', async () => {
    const value = { type: HOURS, hours: 8, employeeAccountId: '', employeeName: '€'.repeat(10_000), employeePosition: '' } as const;
    const days = [1, 2, 3].map((day) => ({ tagId: firm.site, date: dayOf('2026-03-02') + day }));
    const none = { submittedAt: null, createdAt: 0, modifiedAt: 0, authorId: null, burned: false };
    const drafts = () => Array.from({ length: 150 }, () => ({ ...none, id: newId(), fieldId: HOURS, onBehalfOfId: newId(), value }));
    for (const day of days) await recordEntries(context.ports, firm, { report: day, drafts: drafts() });
    const steps: string[] = [];
    const { entries, reports } = context.ports;
    const watched = {
      ...context.ports,
      entries: {
        ...entries,
        async *ofReports(...given: Parameters<typeof entries.ofReports>) {
          for await (const one of entries.ofReports(...given)) {
            steps.push('read');
            yield one;
          }
        },
      },
      reports: {
        ...reports,
        describe: (...given: Parameters<typeof reports.describe>) => {
          steps.push('stored');
          return reports.describe(...given);
        },
      },
    };
    await settleReports(watched, firm, days, { insist: true });
    // Each has 4.5 MB of names; up to 4 MiB are stored together.
    expect(steps).toEqual(['read', 'stored', 'read', 'stored', 'read', 'stored']);
  });

  it('of one institution do not delay those of another', async () => {
    const [first = '', second = ''] = [newId(), newId()].sort();
    const day = { tagId: newId(), date: dayOf('2026-03-02') };
    const { reports } = context.ports;
    for (const institutionId of [first, second]) await reports.mark({ institutionId }, day, marking());
    const broken: typeof reports = {
      ...reports,
      load: (tenant, wanted) => (tenant.institutionId === first ? Promise.reject(new Error('broken')) : reports.load(tenant, wanted)),
    };
    await expect(settleLeftBehind({ ...context.ports, reports: broken }, context.claims, NEVER_ABORTED)).rejects.toThrow('broken');
    expect((await reports.load({ institutionId: second }, [day])).get(reportId(day))?.marks).toEqual([]);
  });

  it('of one institution do not delay those of another, however many there are', async () => {
    const [first = '', second = ''] = [newId(), newId()].sort();
    const { reports } = context.ports;
    const days = Array.from({ length: 201 }, (_, at) => ({ tagId: firm.site, date: dayOf('2026-03-02') + at }));
    await Promise.all(days.map((day) => reports.mark({ institutionId: first }, day, marking())));
    const [day = { tagId: '', date: 0 }] = days;
    await reports.mark({ institutionId: second }, day, marking());
    const broken: typeof reports = {
      ...reports,
      load: (tenant, wanted) => (tenant.institutionId === first ? Promise.reject(new Error('broken')) : reports.load(tenant, wanted)),
    };
    await expect(settleLeftBehind({ ...context.ports, reports: broken }, context.claims, NEVER_ABORTED)).rejects.toThrow('broken');
    expect((await reports.load({ institutionId: second }, [day])).get(reportId(day))?.marks).toEqual([]);
    await settleLeftBehind(context.ports, context.claims, NEVER_ABORTED);
    expect(await reports.marked({ institutionId: first })).toEqual([]);
  });

  it('are divided between the replicas', async () => {
    const { reports } = context.ports;
    const days = Array.from({ length: 250 }, (_, at) => ({ tagId: firm.site, date: dayOf('2026-03-02') + at }));
    await Promise.all(days.map((day) => reports.mark(firm, day, marking())));
    const settled: string[] = [];
    const counted: typeof reports = {
      ...reports,
      load: (tenant, wanted) => {
        settled.push(...wanted.map(reportId));
        return reports.load(tenant, wanted);
      },
    };
    const settle = () => settleLeftBehind({ ...context.ports, reports: counted }, context.claims, NEVER_ABORTED);
    await Promise.all([settle(), settle()]);
    expect([settled.length, new Set(settled).size]).toEqual([250, 250]);
  });
});
