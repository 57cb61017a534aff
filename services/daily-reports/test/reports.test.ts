import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dailyReportsV1 } from '@stechuhr/contracts';
import { AppError, newId } from '@stechuhr/kernel';
import { connectMongo } from '@stechuhr/mongo';
import { callUnary, createLogger } from '@stechuhr/service';
import { buildDeletion, buildEmployee, buildProject, judgeOutOfBounds, OUT_OF_BOUNDS } from '@stechuhr/testing';
import { formatLocalDate } from '@stechuhr/worktime';
import type { Stores } from '../src/store/stores.js';
import { callerIn, dayOf, openOrganization, saidBy, type Organization } from './support/organization.js';
import { startDailyReports, type RunningDailyReports } from './support/running-daily-reports.js';

let running: RunningDailyReports;
let firm: Organization;
/** The calls of the stores, by name. */
let calls: string[] = [];

beforeAll(async () => {
  running = await startDailyReports({}, { stores: counted });
});
afterAll(() => running.stop());

beforeEach(async () => {
  firm = await openOrganization(running);
});

const { REPORT_STATUS_SUBMITTED: submitted, REPORT_STATUS_DRAFT: draft } = dailyReportsV1.ReportStatus;
const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const TEXT = [{ id: 'a', type: 'string', label: 'A' }];

/** Returns a page as `<date> <S-1 or S-2>`. */
async function listed(parameters: Record<string, string>, caller = firm.caller): Promise<string[]> {
  const { reports } = await firm.reports(parameters, { caller });
  return reports.map(({ date, tag }) => `${formatLocalDate(date).slice(5)} ${tag?.code ?? '?'}`);
}

function counted(stores: Stores): Stores {
  const around = <T extends object>(store: T): T =>
    new Proxy(store, {
      get(target, property, receiver) {
        const method: unknown = Reflect.get(target, property, receiver);
        if (typeof method === 'function') calls.push(String(property));
        return method;
      },
    });
  return { entries: around(stores.entries), reports: around(stores.reports), forms: around(stores.forms) };
}

describe('a report in the list', () => {
  it('contains all values of its entries', async () => {
    const working = { field_id: 'employee-working-times' };
    await firm.record(
      firm.entry({ ...working, on_behalf_of_id: firm.max, hours: 8.1 }),
      firm.entry({ ...working, on_behalf_of_id: firm.eva, hours: 3 }),
      firm.entry({ ...working, on_behalf_of_id: firm.eva, hours: 0.2, author_id: firm.ben }),
      firm.entry({ field_id: 'weather', time: '12:00', temperature: 9.5, weather_condition: 'cloudy', precipitation: 1 }),
      firm.entry({ field_id: 'weather', time: '07:00', temperature: null, author_id: null }),
      firm.entry({ field_id: 'comments', value: 'Erster' }),
      firm.entry({ field_id: 'materials', value: 'Kran' }),
      firm.entry({ field_id: 'comments', value: 'Zweiter' }),
      firm.entry({ field_id: 'comments', value: 'Zweiter', burned: true }),
      firm.entry({ field_id: 'signatures', image: PNG }),
      firm.status('submitted'),
    );
    const [report] = (await firm.reports()).reports;
    expect(report).toMatchObject({
      tagId: firm.site,
      date: dayOf('2026-03-02'),
      status: submitted,
      tag: { id: firm.site, name: 'Neubau Musterstraße', code: 'S-1', color: '#336699' },
      address: 'Musterstraße 1, 80331 München',
      costCenter: '4711',
      client: 'Bauherr AG',
      contributorCount: 2,
      employees: [
        { id: firm.eva, firstName: 'Eva', lastName: 'Estrich' },
        { id: firm.max, firstName: 'Max', lastName: 'Maurer' },
      ],
      totalHours: 8.3,
      weather: [
        { time: '07:00', temperature: undefined, weatherCondition: undefined },
        { time: '12:00', temperature: 9.5, weatherCondition: 'cloudy' },
      ],
    });
    // In the order of the form, the newest value of each type; the deleted comment is missing.
    expect(report?.values.map((value) => [value.value?.$case, saidBy(value)])).toEqual([
      ['weather', '07:00 undefined undefined'],
      ['employeeWorkingTimes', 'Eva Estrich 0.2'],
      ['string', 'Kran'],
      ['signature', PNG.slice(0, 15)],
    ]);
  });

  it('sorts employees like other lists, by German collation', async () => {
    const named = ['Zorn', 'Öztürk', 'Çelik', 'estrich'].map((name) => buildEmployee({ institution_id: newId(), last_name: name }));
    const other = await openOrganization(running, named);
    const hours = { field_id: 'employee-working-times', hours: 8 };
    await other.record(...[other.max, other.eva, ...named.map(({ id }) => id)].map((id) => other.entry({ ...hours, on_behalf_of_id: id })));
    const names = (await other.reports()).reports.map(({ employees }) => employees.map(({ lastName }) => lastName));
    expect(names).toEqual([['Çelik', 'estrich', 'Estrich', 'Maurer', 'Öztürk', 'Zorn']]);
  });

  it('exists even if all its entries were deleted or their fields were removed from the form', async () => {
    const hours = { field_id: 'employee-working-times', on_behalf_of_id: firm.max };
    await firm.record(firm.entry({ ...hours, hours: 8 }), firm.entry({ ...hours, burned: true, author_id: firm.ben }));
    const empty = { contributorCount: 2, totalHours: 0, employees: [], weather: [], values: [] };
    expect((await firm.reports()).reports).toEqual([expect.objectContaining(empty)]);
    await firm.record(firm.entry({ ...hours, hours: 8 }));
    await firm.record(firm.form('2026-01-01', [{ id: 'notes', type: 'string', label: 'Notizen' }]));
    expect((await firm.reports()).reports).toEqual([expect.objectContaining(empty)]);
  });

  it('follows changes of the form during a project', async () => {
    const field = (id: string, type: string) => ({ id, type, label: id });
    const old = firm.form('2026-01-01', [field('comments', 'string')]);
    const later = firm.form('2026-03-02', [field('notes', 'string'), field('comments', 'string')]);
    const said = async () => (await firm.reports({ order: 'date' })).reports.map(({ values }) => values.map(saidBy));
    await firm.record(firm.entry({ date: '2025-12-31' }), firm.entry({ date: '2026-03-01' }), firm.entry(), later);
    await firm.record(firm.entry({ field_id: 'notes', value: 'Notiz' }));
    // Before the first stored form, the oldest one applies.
    expect(await said()).toEqual([['Regen bis mittags'], ['Regen bis mittags'], ['Notiz']]);
    await firm.record({ ...later, fields: [field('notes', 'string')] }, { ...old, fields: [field('notes', 'string')] });
    expect(await said()).toEqual([[], [], ['Notiz']]);
    await firm.record({ ...old, fields: [field('comments', 'string')] });
    expect(await said()).toEqual([['Regen bis mittags'], ['Regen bis mittags'], ['Notiz']]);
    await firm.record({ kind: 'daily_report_form', institution_id: firm.institutionId, id: later.id, deleted: true });
    expect(await said()).toEqual([['Regen bis mittags'], ['Regen bis mittags'], ['Regen bis mittags']]);
  });

  it('keeps the name of an employee who was deleted', async () => {
    await firm.record(firm.entry({ field_id: 'employee-working-times', on_behalf_of_id: firm.max, hours: 8 }));
    await running.importRecords([buildDeletion({ kind: 'employee', institution_id: firm.institutionId, id: firm.max })]);
    expect((await firm.reports()).reports[0]?.employees).toEqual([{ id: firm.max, firstName: '', lastName: 'Max Maurer' }]);
    expect((await firm.entries()).entries.map(({ onBehalfOfName }) => onBehalfOfName)).toEqual([undefined]);
  });
});

describe('the list of reports', () => {
  beforeEach(async () => {
    await firm.record(
      ...['2026-03-01', '2026-03-02', '2026-03-03'].map((date) => firm.entry({ date })),
      firm.entry({ date: '2026-03-02', tag_id: firm.otherSite }),
      firm.status('submitted', { date: '2026-03-02', tag_id: firm.otherSite }),
      firm.status('closed', { date: '2026-03-03' }),
      // A day with a status but no entry has no report.
      firm.status('submitted', { date: '2026-03-09' }),
    );
  });

  it('handles each of its parameters', async () => {
    const day2 = [`03-02 S-1`, '03-02 S-2'].sort((a, b) => Number(idOf(a) > idOf(b)) * 2 - 1);
    const all = ['03-03 S-1', ...day2, '03-01 S-1'];
    const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
      [{}, all],
      [{ order: '-date' }, all],
      [{ order: 'date' }, ['03-01 S-1', ...day2, '03-03 S-1']],
      [{ date_from: '2026-03-03' }, ['03-03 S-1']],
      [{ date_to: '2026-03-01' }, ['03-01 S-1']],
      [{ date_from: 'soon', date_to: '2026-02-30' }, all],
      [{ daterange: '2026-03-01|2026-03-01', date_from: '2026-03-03' }, ['03-01 S-1']],
      [{ daterange: '2026-03-01|' }, []],
      [{ daterange: '2026-03-01' }, []],
      [{ daterange: '' }, all],
      [{ projects: `${firm.otherSite}|nonsense` }, ['03-02 S-2']],
      [{ projects: 'nonsense' }, []],
      [{ projects: '' }, all],
      [{ status: 'submitted' }, ['03-02 S-2']],
      [{ status: 'submitted|closed|nonsense' }, ['03-03 S-1', '03-02 S-2']],
      [{ status: 'archived' }, []],
      [{ status: 'nonsense' }, all],
      [{ status: '' }, all],
    ];
    for (const [parameters, expected] of cases) expect([parameters, await listed(parameters)]).toEqual([parameters, expected]);
    await expect(listed({ order: 'status' })).rejects.toMatchObject({ details: { $query: ['"status" is not a valid ordering field.'] } });
  });

  it('is paginated, with the total count', async () => {
    const whole = (await firm.reports()).reports.map(({ tagId, date }) => [tagId, date]);
    const pages = [await firm.reports({}, { limit: 3 }), await firm.reports({}, { limit: 3, offset: 3 })];
    expect(pages.map(({ count }) => count)).toEqual([4, 4]);
    expect(pages.flatMap(({ reports }) => reports.map(({ tagId, date }) => [tagId, date]))).toEqual(whole);
  });

  it('rejects pages outside of its bounds, like the list of entries', async () => {
    expect(await judgeOutOfBounds((page) => firm.reports({}, page))).toEqual(OUT_OF_BOUNDS);
    expect(await judgeOutOfBounds((page) => firm.entries({}, page))).toEqual(OUT_OF_BOUNDS);
  });

  it('limits pages to a size that fits into memory', async () => {
    const text = '€'.repeat(10_000);
    const days = Array.from({ length: 300 }, (_, at) => formatLocalDate(dayOf('2024-01-01') + at));
    const entries = days.flatMap((date) => [firm.entry({ date, value: text }), firm.entry({ date, field_id: 'activities', text })]);
    for (let at = 0; at < entries.length; at += 100) await firm.record(...entries.slice(at, at + 100));
    await expect(firm.reports({}, { limit: 1_000 })).rejects.toMatchObject({
      details: { limit: ['The page has more than 16777216 bytes; ask for fewer entries.'] },
    });
    expect((await firm.reports({}, { limit: 250 })).reports).toHaveLength(250);
  });

  it('is returned in several messages if it is too large for one', async () => {
    const [long, name] = ['€'.repeat(10_000), '€'.repeat(255)];
    const people = Array.from({ length: 60 }, () =>
      buildEmployee({ institution_id: firm.institutionId, first_name: name, last_name: name, account_id: null }),
    );
    await running.importRecords(people);
    const image = `data:image/png;base64,${'A'.repeat(270_000)}`;
    const days = Array.from({ length: 20 }, (_, at) => formatLocalDate(dayOf('2024-01-01') + at));
    for (const date of days) {
      await firm.record(
        ...people.map(({ id }) => firm.entry({ date, field_id: 'employee-working-times', on_behalf_of_id: id, hours: 8 })),
        firm.entry({ date, value: long }),
        firm.entry({ date, field_id: 'activities', text: long }),
        firm.entry({ date, field_id: 'subcontractors', name: 'Kran GmbH', employees: 2, comment: long }),
        firm.entry({ date, field_id: 'signatures', image }),
      );
    }
    expect((await firm.reports({ date_to: '2024-01-31' })).reports).toHaveLength(20);
  });

  it('needs as many queries for a hundred reports as for one', async () => {
    const days = Array.from({ length: 100 }, (_, at) => formatLocalDate(dayOf('2026-05-01') + at));
    const fields = { field_id: 'employee-working-times', on_behalf_of_id: firm.max };
    await firm.record(
      ...days.flatMap((date) => [firm.entry({ date, ...fields, hours: 8 }), firm.entry({ date, field_id: 'signatures', image: PNG })]),
    );
    const ask = async (limit: number) => {
      calls = [];
      expect((await firm.reports({ date_from: '2026-05-01' }, { limit })).reports).toHaveLength(limit);
      return calls.toSorted();
    };
    const known = ['find', 'list', 'marked', 'page'];
    expect([await ask(1), await ask(100)]).toEqual([known, known]);
    // Another form makes all descriptions outdated; they are recomputed once, together.
    await firm.record(
      firm.form('2026-01-01', [
        { id: 'employee-working-times', type: 'employee-working-times', label: 'x', config: { autofill_from_tracking: true } },
      ]),
    );
    const anew = ['describe', 'list', 'list', 'load', 'marked', 'ofReports', 'page'];
    expect([await ask(100), await ask(100)]).toEqual([anew, ['list', 'marked', 'page']]);
  });

  it('contains only visible projects with daily reports', async () => {
    const sees = (...projectIds: string[]) => callerIn(firm.institutionId, { projects: { projectIds } });
    expect(await listed({}, sees(firm.otherSite))).toEqual(['03-02 S-2']);
    expect(await listed({ projects: firm.site }, sees(firm.otherSite))).toEqual([]);
    expect(await listed({}, sees())).toEqual([]);
    const other = await openOrganization(running);
    expect(await listed({}, other.caller)).toEqual([]);
    expect(await listed({ projects: firm.site }, other.caller)).toEqual([]);
    const off = buildProject({ institution_id: firm.institutionId, id: firm.otherSite, code: 'S-2', daily_reports_enabled: false });
    await running.importRecords([off]);
    expect(await listed({ date_from: '2026-03-02', date_to: '2026-03-02' })).toEqual(['03-02 S-1']);
    await running.importRecords([{ ...off, daily_reports_enabled: true, archived: true }]);
    expect((await listed({})).length).toBe(4);
    await running.importRecords([buildDeletion({ kind: 'project', institution_id: firm.institutionId, id: firm.otherSite })]);
    expect((await listed({})).length).toBe(3);
  });

  function idOf(text: string): string {
    return text.endsWith('S-1') ? firm.site : firm.otherSite;
  }
});

describe('a status', () => {
  it('is requested by project and day', async () => {
    const ask = (parameters: Record<string, string>, caller = firm.caller) =>
      callUnary(running.client, running.client.getStatus, { caller, parameters });
    const day = { tag: firm.site, date: '2026-03-02' };
    expect(await ask(day)).toEqual({ tagId: firm.site, date: dayOf('2026-03-02'), status: draft });
    await firm.record(firm.status('submitted'));
    expect((await ask({ ...day, tag: firm.site.toUpperCase() })).status).toBe(submitted);
    const other = await openOrganization(running);
    const problem = async (parameters: Record<string, string>, caller = firm.caller) =>
      ask(parameters, caller).then(
        () => 'none',
        (caught: unknown) => (caught instanceof AppError ? caught.details : caught),
      );
    const unknown = { tag: [`Invalid pk "${firm.site}" - object does not exist.`] };
    expect(await problem(day, other.caller)).toEqual(unknown);
    expect(await problem(day, callerIn(firm.institutionId, { projects: { projectIds: [firm.otherSite] } }))).toEqual(unknown);
    const noDate = { date: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'] };
    expect(await problem({ ...day, date: '02.03.2026' }, other.caller)).toEqual({ ...noDate, ...unknown });
    expect(await problem({})).toEqual({ tag: ['This field is required.'], date: ['This field is required.'] });
    expect(await problem({ tag: 'x', date: '02.03.2026' })).toEqual({ tag: ['Must be a valid UUID.'], ...noDate });
  });
});

describe('names of people', () => {
  it('are read however much else is stored of them', async () => {
    const other = await openOrganization(running);
    const worked = (employee: string) => other.entry({ field_id: 'employee-working-times', on_behalf_of_id: employee, hours: 8 });
    await other.record(worked(other.max), worked(other.eva), other.entry(), other.entry({ author_id: other.ben, value: 'Kran' }));
    const { servers } = running;
    const mongo = await connectMongo({
      url: servers.mongodbUrl,
      database: servers.database('records'),
      logger: createLogger('test', 'fatal'),
    });
    // Two of them are more than a page of records may have.
    const many = Array.from({ length: 200_000 }, () => newId());
    const of = { institution_id: other.institutionId };
    await mongo.connection
      .collection('employees')
      .updateMany(of, { $set: { custom_fields: [{ name: 'notes', value: 'x'.repeat(9_000_000) }] } });
    await mongo.connection.collection('accounts').updateMany(of, { $set: { project_ids: many } });
    await mongo.close();
    const [report] = (await other.reports()).reports;
    expect(report?.employees.map(({ firstName }) => firstName)).toEqual(['Eva', 'Max']);
    const { entries } = await other.entries();
    expect(entries.map(({ authorName, onBehalfOfName }) => `${String(authorName)}, ${String(onBehalfOfName)}`)).toEqual([
      'Ben Bauer, undefined',
      'Ada Muster, undefined',
      'Ada Muster, Eva Estrich',
      'Ada Muster, Max Maurer',
    ]);
  });
});

describe('forms', () => {
  it('are validated together with their fields', async () => {
    const text = { id: 'a', type: 'string', label: 'A' };
    const times = { times: ['0700'], autofill_from_api: false };
    const halfHours = Array.from({ length: 48 }, (_, at) => `${String(Math.floor(at / 2)).padStart(2, '0')}${at % 2 === 0 ? '00' : '30'}`);
    const cases: readonly (readonly [string, readonly object[]])[] = [
      ['fields must not be empty.', []],
      ['fields must not repeat an id: a.', [text, { ...text, label: 'B' }]],
      ['fields[0].label may not be blank.', [{ ...text, label: ' ' }]],
      ['fields[0].config has no other options.', [{ ...text, config: { times: [] } }]],
      ['fields[0].config must be an object with the options of the type.', [{ ...text, type: 'weather' }]],
      ['fields[0].config.times must be a list of times like 0700.', [{ ...text, type: 'weather', config: { ...times, times: ['7:00'] } }]],
      ['fields[0].config.times must not repeat a time.', [{ ...text, type: 'weather', config: { ...times, times: ['0700', '0700'] } }]],
      ['fields[0].config.autofill_from_tracking is required.', [{ ...text, type: 'activities', config: {} }]],
      [
        'The weather fields of a form may not have more than 96 times.',
        ['a', 'b', 'c'].map((id, at) => ({
          id,
          type: 'weather',
          label: id,
          config: { ...times, times: halfHours.slice(0, at < 2 ? 48 : 1) },
        })),
      ],
    ];
    for (const [reason, fields] of cases) {
      expect((await firm.import([firm.form('2026-01-01', fields as never)])).rejected).toEqual([`1 daily_report_form: ${reason}`]);
    }
    expect((await firm.import([firm.form('2026-01-01', [{ ...text, type: 'video' }])])).rejected[0]).toContain(
      'fields[0].type must be one of',
    );
  });

  it('begin on different days, and are returned for a date', async () => {
    const getForm = (date: string) => callUnary(running.client, running.client.getForm, { caller: firm.caller, date: dayOf(date) });
    expect((await getForm('2026-03-02')).fields.map(({ id, label }) => `${id}: ${label}`)).toEqual([
      'weather: Witterung',
      'employee-working-times: Mitarbeitende',
      'subcontractors: Nachunternehmen',
      'activities: Tätigkeiten',
      'materials: Material- / Geräteeinsatz',
      'comments: Bemerkungen / Behinderungen',
      'photos: Fotos',
      'signatures: Unterschriften',
    ]);
    const form = firm.form('2026-03-01', [{ id: 'a', type: 'string', label: 'A' }]);
    await firm.record(form, form);
    expect((await firm.import([firm.form('2026-03-01', [{ id: 'b', type: 'string', label: 'B' }])])).rejected).toEqual([
      '1 daily_report_form: valid_from is that of another form of the institution.',
    ]);
    expect(await getForm('2026-02-01')).toMatchObject({
      id: form.id,
      validFrom: dayOf('2026-03-01'),
      fields: [{ id: 'a', type: 'string' }],
    });
  });

  it('may take the first day of a form that a later line moves, in imports and dry runs', async () => {
    const [first, second] = [firm.form('2026-06-01', TEXT), firm.form('2026-07-01', TEXT)];
    await firm.record(first, second);
    const later = [
      { ...first, valid_from: '2026-07-01' },
      { ...second, valid_from: '2026-08-01' },
    ];
    for (const write of [firm.check, firm.import]) expect(await write(later)).toEqual({ accepted: { daily_report_form: 2 }, rejected: [] });
  });

  it('may use the room that a later line frees, in imports and dry runs', async () => {
    const wide = Array.from({ length: 500 }, (_, at) => ({ id: String(100 + at), type: 'string', label: '€'.repeat(255) }));
    const forms = ['2026-06-01', '2026-07-01', '2026-08-01'].map((day, at) => firm.form(day, at === 2 ? TEXT : wide));
    await firm.record(...forms);
    const later = [
      { ...forms[2], fields: wide },
      { ...forms[0], fields: TEXT },
    ];
    for (const write of [firm.check, firm.import]) expect(await write(later)).toEqual({ accepted: { daily_report_form: 2 }, rejected: [] });
  });

  it('are limited in number, for imports and dry runs', async () => {
    const forms = Array.from({ length: 101 }, (_, at) => firm.form(formatLocalDate(dayOf('2026-01-01') + at), TEXT));
    const reason = 'The institution may not have more than 100 forms.';
    const outcome = { accepted: { daily_report_form: 100 }, rejected: [`101 daily_report_form: ${reason}`] };
    expect(await firm.check(forms)).toEqual(outcome);
    expect(await firm.import(forms)).toEqual(outcome);
    // Existing forms may change, and deleted ones free space.
    await firm.record({ ...forms[0], fields: [...TEXT, { id: 'b', type: 'string', label: 'B' }] });
    const deletion = { kind: 'daily_report_form', institution_id: firm.institutionId, id: forms[0]?.id, deleted: true };
    await firm.record(deletion, forms[100] ?? {});
  });

  it('are limited by the size of their fields', async () => {
    // 408,501 bytes: 500 × (51 + 765 of the label), 499 commas, two brackets. Two fit into 1,048,576.
    const wide = Array.from({ length: 500 }, (_, at) => ({ id: String(100 + at), type: 'string', label: '€'.repeat(255) }));
    const days = ['2026-01-01', '2026-02-01', '2026-03-01'];
    const forms = days.map((day) => firm.form(day, wide));
    const reason = 'The fields of the forms of the institution may not have more than 1048576 bytes.';
    expect((await firm.import(forms)).rejected).toEqual([`3 daily_report_form: ${reason}`]);
    await firm.record({ ...forms[1], fields: TEXT }, forms[2] ?? {});
    expect((await firm.import([forms[1] ?? {}])).rejected).toEqual([`1 daily_report_form: ${reason}`]);
  });
});
