import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cloudEventSchema, events as catalogue } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { openBidi } from '@stechuhr/service';
import { parseLocalDate } from '@stechuhr/worktime';
import {
  buildAbsence,
  buildAbsenceApplication,
  buildAccount,
  buildContract,
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  buildTimespan,
  buildWorkday,
  buildWorkmonth,
  testServers,
  watchSubjects,
  type SubjectWatch,
  type TestServers,
} from '@stechuhr/testing';
import { startRecords, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
});
afterAll(async () => {
  await records.stop();
  await servers.stop();
});

/** One record of each kind, in the order in which they refer to each other. */
function oneOfEach() {
  const institution = buildInstitution();
  const ids = { institution_id: institution.id };
  const department = buildDepartment(ids);
  const project = buildProject(ids);
  const account = buildAccount({ ...ids, role: 'department_leader', department_ids: [department.id], project_ids: [project.id] });
  const employee = buildEmployee({ ...ids, account_id: account.id, department_id: department.id });
  const ofEmployee = { ...ids, employee_id: employee.id };
  const span = buildTimespan({ started_at: '2026-03-02T08:00:00', ended_at: '2026-03-02T12:00:00', project_id: project.id });
  return {
    institution,
    department,
    project,
    account,
    employee,
    contract: buildContract(ofEmployee),
    workmonth: buildWorkmonth(ofEmployee),
    workday: buildWorkday({ ...ofEmployee, timespans: [span] }),
    absence: buildAbsence(ofEmployee),
    absence_application: buildAbsenceApplication(ofEmployee),
  };
}

const eachOnce = Object.fromEntries(Object.keys(oneOfEach()).map((kind) => [kind, 1]));

/** Returns the workdays of the month with the number of their timespans. */
async function timespansOf(institutionId: string, workday: { readonly employee_id: string; readonly date: string }) {
  const day = parseLocalDate(workday.date) ?? 0;
  const [found] = await records.timeRecords({ institutionId }, { employeeIds: [workday.employee_id], fromDay: day, toDay: day });
  return found?.workmonths.flatMap(({ workdays }) => workdays.map(({ id, timespans }) => [id, timespans.length]));
}

async function publishedTo(watch: SubjectWatch): Promise<SubjectWatch['messages']> {
  await records.allPublished();
  await watch.settled();
  return watch.messages;
}

describe('an import', () => {
  it.each([
    ['in the order of references', (lines: object[]) => lines],
    ['in the opposite order', (lines: object[]) => lines.toReversed()],
    ['with the middle first', (lines: object[]) => [...lines.slice(4), ...lines.slice(0, 4)]],
  ])('accepts every kind %s', async (_, order) => {
    const result = await records.importLines(...order(Object.values(oneOfEach())));
    expect(result).toMatchObject({ accepted: eachOnce, rejected: [] });
  });

  it('publishes one event for each record and one at its end, as the event catalogue describes', async () => {
    const lines = oneOfEach();
    const watch = await watchSubjects(servers.natsUrl, `stechuhr.events.${lines.institution.id}.>`);
    await records.importLines(...Object.values(lines));
    const events = (await publishedTo(watch)).map(({ text }) => cloudEventSchema.parse(JSON.parse(text)));
    const published = events.map(({ type, subject }) => `${type} ${subject}`).filter((line) => !line.includes('.import.'));
    expect(published.sort()).toEqual(
      Object.entries(lines)
        .map(([kind, { id }]) => `stechuhr.records.${kind}.changed.v1 ${id}`)
        .sort(),
    );
    const finished = events.filter(({ type }) => type === 'stechuhr.records.import.finished.v1');
    expect(finished.map(({ data }) => data)).toEqual([{ id: expect.any(String), accepted: eachOnce, rejected: 0 }]);
    for (const { type, data } of events) {
      expect(catalogue.find((definition) => `stechuhr.${definition.type}.v1` === type)?.data.safeParse(data)).toMatchObject({
        success: true,
      });
    }
    await watch.stop();
  });

  it('publishes nothing for unchanged records, and counts them as accepted', async () => {
    const lines = Object.values(oneOfEach());
    await records.importLines(...lines);
    await records.allPublished();
    const watch = await watchSubjects(servers.natsUrl, `stechuhr.events.${lines[0]?.id ?? ''}.>`);
    expect(await records.importLines(...lines)).toMatchObject({ accepted: eachOnce, rejected: [] });
    expect((await publishedTo(watch)).map(({ subject }) => subject.split('.').slice(3).join('.'))).toEqual(['records.import.finished']);
    await watch.stop();
  });

  it('treats a record with the same id and other content as an update', async () => {
    const { institution, department } = oneOfEach();
    await records.importLines(institution, department, { ...department, name: 'Tiefbau' }, { ...department, name: 'Hochbau' });
    expect(await records.departments({ institutionId: institution.id })).toEqual([
      { id: department.id, name: 'Hochbau', costCenter: '4711' },
    ]);
  });

  it('keeps the order of the lines of a record when the first one waits for a reference', async () => {
    const { institution, department, employee } = oneOfEach();
    const unassigned = { ...employee, account_id: null };
    const lines = [
      { ...unassigned, last_name: 'First' },
      { ...unassigned, last_name: 'Second', department_id: null },
      { ...unassigned, last_name: 'Third' },
    ];
    expect(await records.importLines(institution, ...lines, department)).toMatchObject({ accepted: { employee: 3 }, rejected: [] });
    expect((await records.employees({ institutionId: institution.id })).map(({ lastName }) => lastName)).toEqual(['Third']);
  });

  it('rejects a line with its number, kind, id and reason, and continues', async () => {
    const { institution, department, employee } = oneOfEach();
    const stranger = newId();
    const result = await records.importLines(
      institution,
      '{"kind":',
      '',
      { ...department, name: '' },
      { ...employee, department_id: stranger, account_id: null },
      { ...department, kind: 'team' },
      { kind: 'review_settings', institution_id: institution.id },
      department,
    );
    expect(result.accepted).toEqual({ institution: 1, department: 1 });
    const at = (line: number) => ({ file: 'records.ndjson', line, kind: undefined, id: undefined });
    expect(result.rejected).toEqual([
      { ...at(2), reason: expect.stringContaining('is not valid JSON') },
      { ...at(4), kind: 'department', id: department.id, reason: 'name may not be blank.' },
      { ...at(6), kind: 'team', id: department.id, reason: 'kind team is unknown.' },
      { ...at(7), kind: 'review_settings', reason: 'kind review_settings is not taken by the records service.' },
      { ...at(5), kind: 'employee', id: employee.id, reason: `department_id names no department of the institution: ${stranger}.` },
    ]);
  });

  it('warns about shared accounting numbers and about unknown fields', async () => {
    const { institution } = oneOfEach();
    const ids = { institution_id: institution.id, accounting_number: '7' };
    const max = buildEmployee({ ...ids, number: '1', first_name: 'Max', last_name: 'Holzner' });
    const eva = buildEmployee({ ...ids, number: '2', first_name: 'Eva', last_name: 'Çelik' });
    const gone = buildEmployee({ ...ids, archived_on: '2026-01-31' });
    const workday = {
      ...buildWorkday({ institution_id: institution.id, employee_id: max.id }),
      ended_at: undefined,
      end_at: '2026-03-02T16:00:00',
    };
    const { accepted, warnings } = await records.importLines(institution, max, gone, workday);
    expect(accepted).toMatchObject({ employee: 2, workday: 1 });
    expect(warnings).toMatchObject([{ line: 4, kind: 'workday', id: workday.id, message: 'end_at is unknown; did you mean ended_at?' }]);
    const shared = await records.importLines(eva);
    expect(shared.warnings.map(({ message }) => message)).toEqual([
      'The accounting number 7 is shared by 2 employees: Eva Çelik (2), Max Holzner (1).',
    ]);
  });

  it('names every problem of a line', async () => {
    const { institution, employee } = oneOfEach();
    const [unknown, other] = [newId(), newId()];
    const { rejected } = await records.importLines(
      institution,
      { ...employee, number: null, hired_on: 'x', department_id: null, account_id: null },
      { ...employee, department_id: unknown, account_id: other },
    );
    expect(rejected.map(({ reason }) => reason)).toEqual([
      'number is required. hired_on must be a date like 2026-03-31.',
      `account_id names no account of the institution: ${other}. department_id names no department of the institution: ${unknown}.`,
    ]);
  });

  it('rejects records that refer to a rejected record', async () => {
    const { institution, employee, contract, absence, workday } = oneOfEach();
    const bad = { ...employee, account_id: null, department_id: null, left_on: '2019-01-01' };
    const result = await records.importLines(contract, absence, { ...workday, timespans: [] }, bad, institution);
    expect(result.accepted).toEqual({ institution: 1 });
    const missing = `employee_id names no employee of the institution: ${employee.id}.`;
    expect(result.rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'left_on lies before hired_on.'],
      [1, missing],
      [3, missing],
      [2, missing],
    ]);
  });

  it('checks absence types against the final state of the institution', async () => {
    const { institution, employee, absence, absence_application: application } = oneOfEach();
    const setting = { id: newId(), label: 'Urlaub', amount: '30.00', priority: 0, cycle_start: '01-01', valid_from: '2020-01-01' };
    const more = { valid_to: null, expiry: null, proration: 'none' };
    const entitled = {
      ...employee,
      account_id: null,
      department_id: null,
      entitlements: [{ ...setting, ...more, missing_type: 'parental' }],
    };
    const lines = [entitled, { ...absence, missing_type: 'parental' }, { ...application, missing_type: 'strike' }];
    const parental = { value: 'parental', label: 'Elternzeit', category: 'other', credited: false };
    await records.importLines(institution);
    const noEmployee = `employee_id names no employee of the institution: ${employee.id}.`;
    const before = await records.importLines(...lines);
    expect(before.accepted).toEqual({});
    expect(before.rejected.map(({ reason }) => reason)).toEqual([
      'entitlements[0].missing_type names no absence type of the institution: parental.',
      `${noEmployee} missing_type names no absence type of the institution: parental.`,
      `${noEmployee} missing_type names no absence type of the institution: strike.`,
    ]);
    const after = await records.importLines(...lines, { ...institution, absence_types: [parental] });
    expect(after.accepted).toEqual({ institution: 1, employee: 1, absence: 1 });
    expect(after.rejected.map(({ reason }) => reason)).toEqual(['missing_type names no absence type of the institution: strike.']);
  });

  it('rejects records without an existing institution', async () => {
    const { institution, department } = oneOfEach();
    const { rejected } = await records.importLines(department);
    expect(rejected.map(({ reason }) => reason)).toEqual([`institution_id names no institution: ${institution.id}.`]);
  });

  it('does not change records of another institution', async () => {
    const mine = oneOfEach();
    const theirs = buildInstitution();
    await records.importLines(theirs, ...Object.values(mine));
    const taken = { institution_id: theirs.id };
    const { department, project, workday, workmonth, contract } = mine;
    const employee = buildEmployee(taken);
    const result = await records.importLines(
      employee,
      { ...department, ...taken },
      buildDeletion({ ...project, ...taken }),
      // This line is in the same batch as the one before.
      buildDeletion(buildProject({ institution_id: mine.institution.id })),
      { ...workday, ...taken, employee_id: employee.id, timespans: [] },
      buildDeletion({ ...workmonth, ...taken }),
      { ...contract, ...taken },
    );
    // Records of other institutions count as missing. Workday ids are unique only within an institution.
    expect(result.accepted).toEqual({ employee: 1, project: 2, workday: 1, workmonth: 1 });
    const foreign = 'id belongs to a record of another institution.';
    expect(result.rejected.map(({ kind, reason }) => [kind, reason]).sort()).toEqual([
      ['contract', `employee_id names no employee of the institution: ${contract.employee_id}.`],
      ['department', foreign],
    ]);
    expect(await records.departments({ institutionId: mine.institution.id })).toHaveLength(1);
    expect(await records.departments({ institutionId: theirs.id })).toEqual([]);
    expect(await records.projects({ institutionId: mine.institution.id })).toHaveLength(1);
    const untouched = [[workday.id, workday.timespans.length]];
    expect(await timespansOf(mine.institution.id, workday)).toEqual(untouched);
    expect(await timespansOf(theirs.id, { employee_id: employee.id, date: workday.date })).toEqual([[workday.id, 0]]);
    await records.importLines(buildDeletion({ ...workday, ...taken }));
    expect(await timespansOf(theirs.id, { employee_id: employee.id, date: workday.date })).toEqual([]);
    expect(await timespansOf(mine.institution.id, workday)).toEqual(untouched);
  });

  it('counts deletions as accepted, even of missing records, and allows an id to be used again', async () => {
    const { institution, department } = oneOfEach();
    const watch = await watchSubjects(servers.natsUrl, `stechuhr.events.${institution.id}.records.department.>`);
    const deletion = buildDeletion(department);
    const result = await records.importLines(institution, deletion, department, deletion, deletion, department);
    expect(result).toMatchObject({ accepted: { institution: 1, department: 5 }, rejected: [] });
    expect(await records.departments({ institutionId: institution.id })).toHaveLength(1);
    expect((await publishedTo(watch)).map(({ subject }) => subject.split('.').at(-1))).toEqual(['changed', 'deleted', 'changed']);
    await watch.stop();
  });
});

describe('an import of two institutions', () => {
  it('rejects ids that each takes from the other', async () => {
    const firms = [buildInstitution(), buildInstitution()].map(({ id }) => buildDepartment({ institution_id: id }));
    const [mine, theirs] = firms.map(({ institution_id: id }) => buildInstitution({ id }));
    await records.importLines(mine ?? {}, theirs ?? {}, ...firms);
    const swapped = firms.map(({ institution_id }, index) => buildDepartment({ institution_id, id: String(firms[1 - index]?.id) }));
    const { accepted, rejected } = await records.importLines(...swapped);
    expect(accepted).toEqual({});
    expect(rejected.map(({ reason }) => reason)).toEqual(Array(2).fill('id belongs to a record of another institution.'));
  });
});

describe('a long import', () => {
  it('reports the lines that are done, without those that still wait for a reference', async () => {
    const { institution, ...rest } = oneOfEach();
    const departments = Array.from({ length: 2_500 }, (_, number) =>
      buildDepartment({ institution_id: institution.id, name: `D${String(number)}` }),
    );
    const { progress, accepted } = await records.importLines(rest.absence, institution, ...departments);
    expect(accepted).toEqual({ institution: 1, department: 2500 });
    expect(progress).toEqual([999, 1999, 2501, 2502]);
  });

  it('accepts thousands of lines that all refer to the last one', async () => {
    const { institution, employee } = oneOfEach();
    // With a single employee they could not be published as fast as they are accepted: a document holds at most 200 unpublished events.
    const employees = Array.from({ length: 30 }, () => ({ ...employee, id: newId(), account_id: null, department_id: null }));
    const workdays = employees.flatMap(({ id }) =>
      Array.from({ length: 100 }, () => buildWorkday({ institution_id: institution.id, employee_id: id, timespans: [] })),
    );
    const { accepted, progress } = await records.importLines(...workdays, ...employees, institution);
    expect(accepted).toEqual({ institution: 1, employee: 30, workday: 3000 });
    expect(progress[0]).toBe(0);
  });

  it('that the client cancels keeps what it had accepted and has no summary', async () => {
    const { institution } = oneOfEach();
    const watch = await watchSubjects(servers.natsUrl, `stechuhr.events.${institution.id}.records.import.finished`);
    const departments = Array.from({ length: 1_200 }, () => buildDepartment({ institution_id: institution.id }));
    const leave = new AbortController();
    const call = openBidi(records.client, records.client.import, { signal: leave.signal });
    const lines = [institution, ...departments].map((record, index) => ({ file: '-', line: index + 1, json: JSON.stringify(record) }));
    await call.write({ lines });
    const read = async () => {
      for await (const { event } of call.responses) if (event?.$case === 'progress') leave.abort();
    };
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
    expect((await records.departments({ institutionId: institution.id })).length).toBe(999);
    await records.importLines(institution);
    expect(await publishedTo(watch)).toHaveLength(1);
    await watch.stop();
  });
});

describe('an import of the institution itself', () => {
  it('warns about absences of types that the institution loses', async () => {
    const { institution, employee } = oneOfEach();
    const ofEmployee = { institution_id: institution.id, employee_id: employee.id };
    const max = { ...employee, account_id: null, department_id: null };
    const absences = [
      buildAbsence({ ...ofEmployee, missing_type: 'vacation' }),
      buildAbsence({ ...ofEmployee, missing_type: 'vacation' }),
    ] as const;
    const messagesOf = async (...lines: readonly object[]) => (await records.importLines(...lines)).warnings.map(({ message }) => message);
    expect(await messagesOf(institution, max, ...absences, buildAbsence({ ...ofEmployee, missing_type: 'sick' }))).toEqual([]);
    const without = { ...institution, absence_types: institution.absence_types.filter(({ value }) => value !== 'vacation') };
    const warning =
      'Absences of the type vacation: 2. The institution does not have this type any more, so they are not credited, and payroll files leave them out.';
    expect(await messagesOf(without)).toEqual([warning]);
    const warned = async (...lines: readonly object[]) =>
      (await records.checkLines(...lines)).warnings.map(({ message }) => message.slice(0, 'Absences of the type vacation: 2'.length));
    const deleted = ({ kind, institution_id, id }: { kind: string; institution_id: string; id: string }) => {
      return { kind, institution_id, id, deleted: true };
    };
    expect(await warned(without)).toEqual(['Absences of the type vacation: 2']);
    expect(await warned(without, deleted(absences[0]))).toEqual(['Absences of the type vacation: 1']);
    expect(await warned(without, deleted(absences[0]), { ...absences[1], missing_type: 'sick' })).toEqual([]);
    expect(await warned(deleted(max), without)).toEqual([]);
    // Only an import of the institution itself looks for them.
    expect(await messagesOf(max)).toEqual([]);
    expect(await messagesOf(institution)).toEqual([]);
  });
});
