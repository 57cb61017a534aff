import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commonV1, exportJobSubject, tasksV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import {
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildTimespan,
  buildWorkday,
  testServers,
  watchSubjects,
  type ServiceProcess,
  type SubjectWatch,
  type TestServers,
} from '@stechuhr/testing';
import { startRecords, type RecordsProcess } from './support/records-process.js';
import { startExports, type Run, type RunningExports } from './support/running-exports.js';
import { startTasks } from './support/tasks-process.js';

const institution = buildInstitution();
const ids = { institution_id: institution.id };
const office = buildDepartment({ ...ids, name: 'Büro' });
const abel = buildEmployee({ ...ids, last_name: 'Abel', department_id: office.id });
const cron = buildEmployee({ ...ids, last_name: 'Cron', archived_on: '2020-01-01' });
const { ROLE_ADMIN, ROLE_DEPARTMENT_LEADER } = commonV1.Role;

/** Returns a different day for each test, so that no test finds a task of another. */
let day = 0;
function request(more: Record<string, string> = {}): Record<string, string> {
  const date = new Date(Date.UTC(2026, 0, ++day)).toISOString().slice(0, 10);
  return { daterange: `${date}|${date}`, is_async: 'true', ...more };
}

let servers: TestServers;
let records: RecordsProcess;
let tasks: ServiceProcess;
let jobs: SubjectWatch;
let addresses: { recordsAddress: string; tasksAddress: string; natsUrl: string };
const accountId = newId();
const running: RunningExports[] = [];
beforeAll(async () => {
  servers = await testServers();
  [records, tasks] = await Promise.all([startRecords(servers), startTasks(servers)]);
  await records.importLines([institution, office, abel, cron]);
  jobs = await watchSubjects(servers.natsUrl, exportJobSubject);
  addresses = { recordsAddress: records.address, tasksAddress: tasks.address, natsUrl: servers.natsUrl };
});
afterAll(async () => {
  await Promise.all(running.map((exports) => exports.stop()));
  await jobs.stop();
  await Promise.all([records.stop(), tasks.stop()]);
  await servers.stop();
});

async function exportsAs(role: commonV1.Role, departmentIds: string[] = [], account = accountId): Promise<RunningExports> {
  const caller = { institutionId: institution.id, accountId: account, visibility: { role, departmentIds, projects: undefined } };
  const exports = await startExports({ ...addresses, caller });
  running.push(exports);
  return exports;
}

const idOf = ({ answered }: Run) => answered?.task?.id;

describe('an asynchronous request', () => {
  it('starts a task and its job', async () => {
    const anna = await exportsAs(ROLE_ADMIN);
    const { header, text, answered } = await anna.run(request({ export_format: 'xlsx', response_only: 'true' }));
    expect(header).toEqual({ contentType: 'application/json', fileName: undefined, skipped: 1, warnings: [] });
    expect(text).toBe('');
    expect(answered).toMatchObject({
      started: true,
      task: { status: tasksV1.TaskStatus.TASK_STATUS_CREATED, target: undefined, skipped: 1 },
    });
    await jobs.next((message) => message.text.includes(answered?.task?.id ?? '-'));
  });

  it('returns the same task when it is repeated, even with equivalent parameters', async () => {
    const anna = await exportsAs(ROLE_ADMIN);
    const parameters = request({ employee_ids: abel.id });
    const first = await anna.run(parameters);
    const again = await anna.run({ ...parameters, employee_ids: abel.id.toUpperCase(), is_async: '1', export_format: 'csv', unknown: 'x' });
    expect(again.answered).toEqual({ ...first.answered, started: false });
    expect(again.header).toEqual(first.header);
  });

  it('starts another task for another account, visibility or parameter', async () => {
    const parameters = request();
    const anna = await exportsAs(ROLE_ADMIN);
    const others = await Promise.all([exportsAs(ROLE_ADMIN, [], newId()), exportsAs(ROLE_DEPARTMENT_LEADER, [office.id])]);
    const runs = await Promise.all([
      ...[anna, ...others].map((exports) => exports.run(parameters)),
      anna.run({ ...parameters, filter: 'q=A' }),
    ]);
    expect(new Set(runs.map(idOf)).size).toBe(4);
    expect(runs.every(({ answered }) => answered?.started)).toBe(true);
  });

  it('returns the same task for a department leader, regardless of the order of departments', async () => {
    const parameters = request();
    const other = newId();
    const [one, two] = await Promise.all([
      exportsAs(ROLE_DEPARTMENT_LEADER, [office.id, other]),
      exportsAs(ROLE_DEPARTMENT_LEADER, [other, office.id]),
    ]);
    expect(idOf(await one.run(parameters))).toBe(idOf(await two.run(parameters)));
  });

  it('is validated like a synchronous request', async () => {
    const anna = await exportsAs(ROLE_ADMIN);
    await expect(anna.run(request({ export_format: 'xlsx' }))).rejects.toMatchObject({
      code: 'invalid',
      details: { export_format: [expect.any(String)] },
    });
    await expect(anna.run(request({ employee_ids: newId(), types: 'x' }))).rejects.toMatchObject({
      code: 'invalid',
      details: { employee_ids: [expect.any(String)], types: [expect.any(String)] },
    });
  });

  it('is refused where a comment cannot be written in the encoding, and starts no task', async () => {
    const anna = await exportsAs(ROLE_ADMIN);
    const date = '2025-07-01';
    const times = { started_at: `${date}T08:00:00`, ended_at: `${date}T10:00:00` };
    const timespans = [buildTimespan({ ...times, comment: 'Łódź' })];
    const workday = buildWorkday({ ...ids, employee_id: abel.id, date, ...times, timespans });
    await records.importLines([workday]);
    const asked = { daterange: `${date}|${date}`, is_async: 'true', types: 'timespan:hours', columns: 'last-name|comment' };
    const windows = { ...asked, export_format: 'csv:encoding>windows-1252' };
    const problem = `"Łódź" (comment of employee ${abel.number}) has characters that windows-1252 cannot encode.`;
    await expect(anna.run(windows)).rejects.toMatchObject({ code: 'invalid', details: { export_format: [problem] } });
    await expect(anna.run(windows, { headerOnly: true })).rejects.toMatchObject({ code: 'invalid' });
    await expect(anna.run(windows, { existingOnly: true })).rejects.toMatchObject({ code: 'rate_limited' });
    // Corrected, the same request starts the task.
    await records.importLines([{ ...workday, timespans: timespans.map((timespan) => ({ ...timespan, comment: 'Lodz' })) }]);
    expect((await anna.run(windows)).answered?.started).toBe(true);
  });

  it('may cover more than a year', async () => {
    const anna = await exportsAs(ROLE_ADMIN);
    expect((await anna.run({ daterange: '2022-01-01|2026-12-31', is_async: 'true' })).answered?.started).toBe(true);
  });

  it('finds its task even if the selected records have been deleted', async () => {
    const anna = await exportsAs(ROLE_ADMIN);
    const gone = buildEmployee({ ...ids, last_name: 'Gone' });
    await records.importLines([gone]);
    const parameters = request({ employee_ids: gone.id });
    const first = await anna.run(parameters);
    await records.importLines([{ kind: 'employee', institution_id: institution.id, id: gone.id, deleted: true }]);
    expect(idOf(await anna.run(parameters))).toBe(idOf(first));
  });
});

describe('HEAD of an asynchronous request', () => {
  it('validates and starts nothing', async () => {
    const anna = await exportsAs(ROLE_ADMIN);
    const parameters = request();
    const { header, answered } = await anna.run(parameters, { headerOnly: true });
    expect(header).toEqual({ contentType: 'application/json', fileName: undefined, skipped: 1, warnings: [] });
    expect(answered).toBeUndefined();
    await expect(anna.run(request({ types: 'x' }), { headerOnly: true })).rejects.toMatchObject({ code: 'invalid' });
    expect((await anna.run(parameters)).answered?.started).toBe(true);
  });
});

describe('a request with existingOnly', () => {
  it('returns an existing task and is rejected otherwise', async () => {
    const anna = await exportsAs(ROLE_ADMIN);
    const parameters = request();
    const refused = { code: 'rate_limited' };
    await expect(anna.run(parameters, { existingOnly: true })).rejects.toMatchObject(refused);
    await expect(anna.run({ ...parameters, is_async: 'false' }, { existingOnly: true })).rejects.toMatchObject(refused);
    await expect(anna.run({ is_async: 'true' }, { existingOnly: true })).rejects.toMatchObject(refused);
    const first = await anna.run(parameters);
    expect(idOf(await anna.run(parameters, { existingOnly: true }))).toBe(idOf(first));
  });
});
