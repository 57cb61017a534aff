import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cloudEventSchema, commonV1, events as catalogue } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import {
  buildAbsence,
  buildContract,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  buildTimespan,
  buildWorkday,
  buildWorkmonth,
  testServers,
  watchSubjects,
  type TestServers,
} from '@stechuhr/testing';
import { startRecords, type RecordsProcess } from './support/records-process.js';
import { startExports, type RunningExports } from './support/running-exports.js';

const MARCH = { daterange: '2026-03-01|2026-03-31', response_only: 'true' };
const institution = buildInstitution();
const ids = { institution_id: institution.id };
const office = buildDepartment({ ...ids, name: 'Büro' });
const yard = buildDepartment({ ...ids, name: 'Bauhof' });
const project = buildProject({ ...ids, code: 'P-7' });
const abel = buildEmployee({ ...ids, first_name: 'Anna', last_name: 'Abel', department_id: office.id });
const blau = buildEmployee({ ...ids, first_name: 'Bernd', last_name: 'Blau', department_id: yard.id });
const cron = buildEmployee({ ...ids, first_name: 'Carla', last_name: 'Cron', department_id: yard.id, archived_on: '2026-02-28' });
const morning = { started_at: '2026-03-03T08:00:00', ended_at: '2026-03-03T10:30:00' };

const records = [
  institution,
  office,
  yard,
  project,
  abel,
  blau,
  cron,
  buildContract({ ...ids, employee_id: abel.id }),
  buildWorkday({ ...ids, employee_id: abel.id }),
  buildAbsence({ ...ids, employee_id: abel.id, starts_on: '2026-03-04', ends_on: '2026-03-05' }),
  buildWorkmonth({ ...ids, employee_id: blau.id, year: 2025, month: 11, opening_balance_minutes: 600 }),
  buildWorkday({
    ...ids,
    employee_id: blau.id,
    date: '2026-01-05',
    started_at: '2026-01-05T08:00:00',
    ended_at: '2026-01-05T10:00:00',
    timespans: [],
  }),
  buildWorkday({
    ...ids,
    employee_id: blau.id,
    date: '2026-03-03',
    ...morning,
    timespans: [buildTimespan({ ...morning, project_id: project.id, comment: 'Fundament' })],
  }),
];

let servers: TestServers;
let recordsService: RecordsProcess;
let admin: RunningExports;
let leader: RunningExports;

beforeAll(async () => {
  servers = await testServers();
  recordsService = await startRecords(servers);
  await recordsService.importLines(records);
  const addresses = { recordsAddress: recordsService.address, natsUrl: servers.natsUrl };
  admin = await startExports({ ...addresses, caller: callerOf(commonV1.Role.ROLE_ADMIN) });
  leader = await startExports({ ...addresses, caller: callerOf(commonV1.Role.ROLE_DEPARTMENT_LEADER, [office.id]) });
});
afterAll(async () => {
  await admin.stop();
  await leader.stop();
  await recordsService.stop();
  await servers.stop();
});

function callerOf(role: commonV1.Role, departmentIds: string[] = []): commonV1.Caller {
  return { institutionId: institution.id, accountId: newId(), visibility: { role, departmentIds, projects: undefined } };
}

it('lists the exporters of the spec in its order', async () => {
  expect(await admin.listExporters()).toEqual(['generic', 'payroll_a', 'payroll_b', 'multi']);
});

describe('a run', () => {
  it('starts with the header of the file', async () => {
    const { header, text } = await admin.run(MARCH);
    expect(header).toEqual({
      contentType: expect.stringMatching(/^text\/csv/),
      fileName: 'generic-2026-03-01-2026-03-31.csv',
      skipped: 1,
      warnings: [],
    });
    // Anna: 8 h worked and two days of vacation of 8 h.
    expect(text).toBe('last-name,first-name,type,value\r\nAbel,Anna,credit-time:hours,24\r\nBlau,Bernd,credit-time:hours,2.5\r\n');
  });

  it('without response_only returns an envelope', async () => {
    const { header, text } = await admin.run({ ...MARCH, response_only: 'false', export_format: 'json' });
    expect(header).toEqual({ contentType: 'application/json', fileName: undefined, skipped: 1, warnings: [] });
    expect(JSON.parse(text)).toMatchObject({ request: { exporter: 'generic' }, response: [{ value: 24 }, { value: 2.5 }] });
  });

  it('reads projects and timespans if columns need them', async () => {
    const columns = 'last-name|start-time|project-code|comment|value';
    const { text } = await admin.run({ ...MARCH, types: 'timespan:hours', columns, filter: 'project=P-7' });
    expect(text).toBe(`${columns.replaceAll('|', ',')}\r\nBlau,08:00,P-7,Fundament,2.5\r\n`);
  });

  it('reads from the beginning of an overtime account', async () => {
    const { text } = await admin.run({ ...MARCH, types: 'overtime-account:hours', columns: 'last-name|value', employee_ids: blau.id });
    // Bernd has no contract. He worked 10 h at the beginning of November, 2 h in January and 2.5 h in March.
    expect(text).toBe('last-name,value\r\nBlau,14.5\r\n');
  });

  it('is rejected before its first byte if a comment at its end cannot be encoded', async () => {
    const days = Array.from({ length: 10 }, (_, index) => `2025-03-${String(index + 10)}`);
    const commented = (employee_id: string, day: string, comment: string) => {
      const times = { started_at: `${day}T08:00:00`, ended_at: `${day}T10:00:00` };
      return buildWorkday({ ...ids, employee_id, date: day, ...times, timespans: [buildTimespan({ ...times, comment })] });
    };
    // More than one chunk of the response precedes it.
    await recordsService.importLines([
      ...days.map((day) => commented(abel.id, day, 'ä'.repeat(9_000))),
      ...days.slice(0, 2).map((day) => commented(blau.id, day, 'Fertig 👍')),
      commented(blau.id, '2025-03-31', 'Łódź'),
    ]);
    const asked = {
      daterange: '2025-03-01|2025-03-31',
      response_only: 'true',
      columns: 'last-name|comment',
      types: 'timespan:hours|balance:hours',
    };
    const windows = { export_format: 'csv:encoding>windows-1252' };
    const parts: unknown[] = [];
    const reading = async () => {
      for await (const { part } of admin.stream({ ...asked, ...windows })) parts.push(part?.$case);
    };
    await expect(reading()).rejects.toMatchObject({
      code: 'invalid',
      details: {
        export_format: ['Fertig 👍', 'Łódź'].map(
          (comment) => `"${comment}" (comment of employee ${blau.number}) has characters that windows-1252 cannot encode.`,
        ),
      },
    });
    expect(parts).toEqual([]);
    await expect(admin.run({ ...asked, ...windows }, { headerOnly: true })).rejects.toMatchObject({ code: 'invalid' });
    const { text } = await admin.run({ ...asked, ...windows, employee_ids: abel.id, types: 'timespan:hours' });
    expect(text.split('\r\n')).toHaveLength(12);
  });

  it('shows department leaders only their own departments', async () => {
    const { header, text } = await leader.run({ ...MARCH, columns: 'last-name|department|value' });
    expect(header?.skipped).toBe(0);
    expect(text).toBe('last-name,department,value\r\nAbel,Büro,24\r\n');
  });

  it('publishes export.ran', async () => {
    const watch = await watchSubjects(servers.natsUrl, `stechuhr.events.${institution.id}.exports.>`);
    await admin.run({ ...MARCH, export_format: 'csv:newline>lf', employee_ids: `${abel.id}|${cron.id}` });
    // Events of earlier runs may arrive late, but none of them has these counts.
    const { text, headers } = await watch.next((message) => /"rows":1,"skipped":1\b/u.test(message.text));
    const event = cloudEventSchema.parse(JSON.parse(text));
    expect(event).toMatchObject({ type: 'stechuhr.exports.export.ran.v1', source: '/stechuhr/exports', institutionid: institution.id });
    expect(event.data).toEqual({ id: event.subject, exporter: 'generic', export_format: 'csv', rows: 1, skipped: 1 });
    expect(catalogue.find(({ type }) => type === 'exports.export.ran')?.data.safeParse(event.data).success).toBe(true);
    expect(headers['Nats-Msg-Id']).toBe(event.id);
    await watch.stop();
  });
});

describe('a run of multi', () => {
  const parts = [
    { title: 'Büro', employee_group_ids: [office.id] },
    { title: 'Projekte', types: ['project:hours'], columns: ['last-name', 'project-code', 'value'] },
    { daterange: ['2026-02-01', '2026-02-28'], employee_ids: [cron.id], skip_zero_rows: false },
  ];
  const parameters = { ...MARCH, columns: 'last-name|value', config: JSON.stringify(parts) };

  it('reads the records of each part separately', async () => {
    const { header, text } = await admin.run(parameters, { exporter: 'multi' });
    expect(header).toMatchObject({ fileName: 'multi-2026-03-01-2026-03-31.csv', skipped: 1, warnings: [] });
    expect(text.split('\r\n')).toEqual([
      'Büro',
      'last-name,value',
      'Abel,24',
      '',
      'Projekte',
      'last-name,project-code,value',
      'Abel,,8',
      'Blau,P-7,2.5',
      '',
      'last-name,value',
      'Cron,0',
      '',
    ]);
  });

  it('counts employees whom a part leaves out', async () => {
    const config = JSON.stringify([{ employee_ids: [cron.id] }, { employee_ids: [cron.id, abel.id] }, { employee_ids: [abel.id] }]);
    expect((await admin.run({ ...parameters, config }, { exporter: 'multi' })).header?.skipped).toBe(1);
  });

  it('reports problems of a part at its position', async () => {
    const config = JSON.stringify([{}, { types: ['x'], employee_group_ids: [yard.id] }]);
    await expect(leader.run({ ...parameters, config, columns: 'valu' }, { exporter: 'multi' })).rejects.toMatchObject({
      code: 'invalid',
      details: {
        columns: ['"valu" is not a valid choice. Did you mean "value"?'],
        config: [{}, { types: ['"x" is not a valid choice.'], employee_group_ids: [`Unknown id "${yard.id}".`] }],
      },
    });
  });
});

describe('the header alone', () => {
  it('is sent without a body, for valid parameters', async () => {
    const { header, text } = await admin.run(MARCH, { headerOnly: true });
    expect(header).toMatchObject({ fileName: 'generic-2026-03-01-2026-03-31.csv', skipped: 1, warnings: [] });
    expect(text).toBe('');
  });

  it('is not sent for invalid parameters', async () => {
    await expect(admin.run({ daterange: 'x' }, { headerOnly: true })).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('a request that cannot run', () => {
  it('reports all problems together', async () => {
    await expect(admin.run({ export_format: 'pdf', employee_ids: newId() })).rejects.toMatchObject({
      code: 'invalid',
      details: { daterange: [expect.any(String)], export_format: [expect.any(String)], employee_ids: [expect.any(String)] },
    });
  });

  it('for an unknown exporter is not found', async () => {
    await expect(admin.run(MARCH, { exporter: 'Generic' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('for a department of another leader reports an unknown department', async () => {
    const foreign = leader.run({ ...MARCH, employee_group_ids: yard.id });
    await expect(foreign).rejects.toMatchObject({ code: 'invalid', details: { employee_group_ids: [expect.stringContaining(yard.id)] } });
  });
});

describe('without the absence rules', () => {
  it('exports that do not need them run, and others fail before their first byte', async () => {
    expect((await admin.run(MARCH)).text).toContain('Abel,Anna');
    await expect(admin.run({ ...MARCH, types: 'vacation-remaining:days' })).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('without NATS', () => {
  it('exports run', async () => {
    const lonely = await startExports({
      recordsAddress: recordsService.address,
      natsUrl: 'nats://127.0.0.1:1',
      caller: callerOf(commonV1.Role.ROLE_ADMIN),
    });
    const { text } = await lonely.run(MARCH);
    expect(text).toContain('Abel,Anna');
    await lonely.stop();
  });
});
