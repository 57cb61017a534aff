import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
let watch: SubjectWatch;

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  watch = await watchSubjects(servers.natsUrl, 'stechuhr.events.>');
});
afterAll(async () => {
  await watch.stop();
  await records.stop();
  await servers.stop();
});

const build = () => {
  const institution = buildInstitution();
  const ids = { institution_id: institution.id };
  const department = buildDepartment(ids);
  const project = buildProject(ids);
  const account = buildAccount({ ...ids, role: 'department_leader', department_ids: [department.id], project_ids: [project.id] });
  const employee = buildEmployee({ ...ids, account_id: account.id, department_id: department.id });
  const ofEmployee = { ...ids, employee_id: employee.id };
  const span = buildTimespan({ started_at: '2026-03-02T08:00:00', ended_at: '2026-03-02T12:00:00', project_id: project.id });
  const owned = {
    contract: buildContract(ofEmployee),
    workmonth: buildWorkmonth(ofEmployee),
    workday: buildWorkday({ ...ofEmployee, timespans: [span] }),
    april: buildWorkday({ ...ofEmployee, date: '2026-04-01' }),
    absence: buildAbsence(ofEmployee),
    application: buildAbsenceApplication(ofEmployee),
  };
  return { institution, department, project, account, employee, owned };
};

let all = build();

beforeEach(async () => {
  all = build();
  const { owned, ...others } = all;
  await records.importLines(...Object.values(others), ...Object.values(owned));
  await records.allPublished();
});

async function eventsAfter(...lines: object[]): Promise<string[]> {
  await records.allPublished();
  await watch.settled();
  const before = watch.messages.length;
  await records.importLines(...lines);
  await records.allPublished();
  await watch.settled();
  const events = watch.messages
    .slice(before)
    .map(({ subject, text }) => `${subject.split('.').slice(4).join('.')} ${(JSON.parse(text) as { subject: string }).subject}`);
  return events.filter((event) => !event.startsWith('import.')).sort();
}

/** Counts the documents of the institution that are left in each collection. */
async function documents(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of await records.database.listCollections().toArray()) {
    const count = await records.database.collection(name).countDocuments({ institution_id: all.institution.id });
    if (count > 0) counts[name] = count;
  }
  return counts;
}

describe('a deletion', () => {
  it('of an employee deletes all their records', async () => {
    const bystander = buildEmployee({ institution_id: all.institution.id });
    const contract = buildContract({ institution_id: all.institution.id, employee_id: bystander.id });
    await records.importLines(bystander, contract);
    const { contract: own, workmonth, workday, april, absence, application } = all.owned;
    expect(await eventsAfter(buildDeletion(all.employee))).toEqual(
      [
        `absence.deleted ${absence.id}`,
        `absence_application.deleted ${application.id}`,
        `contract.deleted ${own.id}`,
        `employee.deleted ${all.employee.id}`,
        `workday.deleted ${workday.id}`,
        `workday.deleted ${april.id}`,
        `workmonth.deleted ${workmonth.id}`,
      ].sort(),
    );
    expect(await documents()).toEqual({ accounts: 1, contracts: 1, departments: 1, employees: 1, institutions: 1, projects: 1 });
    expect((await records.employees({ institutionId: all.institution.id })).map(({ id }) => id)).toEqual([bystander.id]);
  });

  it('of an employee is final for their records, even if the employee is imported again', async () => {
    await records.importLines(buildDeletion(all.employee));
    const { rejected } = await records.importLines(all.owned.contract);
    expect(rejected.map(({ reason }) => reason)).toEqual([`employee_id names no employee of the institution: ${all.employee.id}.`]);
    expect(await records.importLines(all.owned.contract, all.employee)).toMatchObject({ accepted: { employee: 1, contract: 1 } });
    expect(await documents()).toMatchObject({ employees: 1, contracts: 1 });
  });

  describe('of an employee, after a process was killed while it moved tracked time', () => {
    const months = () => records.database.collection<{ _id: string }>('workmonths');
    const march = (employeeId: string) => `${all.institution.id}/${employeeId}/2026-03`;

    /** Imports lines that move records, and restores a month from which they were moved, as if it had not been written any more. */
    async function moveWithoutRemoving(employeeId: string, ...lines: object[]): Promise<void> {
      const before = await months().findOne({ _id: march(employeeId) });
      if (before === null) throw new Error('The month does not exist.');
      await records.importLines(...lines);
      await records.allPublished();
      await months().replaceOne({ _id: before._id }, before, { upsert: true });
    }

    it('keeps what was moved to a colleague, without an event', async () => {
      const colleague = buildEmployee({ institution_id: all.institution.id });
      await records.importLines(colleague);
      const { workday, workmonth, april } = all.owned;
      const moved = [workday, workmonth].map((line) => ({ ...line, employee_id: colleague.id }));
      await moveWithoutRemoving(all.employee.id, ...moved);
      const events = await eventsAfter(buildDeletion(all.employee));
      expect(events.filter((event) => event.startsWith('work'))).toEqual([`workday.deleted ${april.id}`]);
      const left = await months().find({ institution_id: all.institution.id }).toArray();
      expect(left).toMatchObject([{ _id: march(colleague.id), id: workmonth.id, workdays: [{ id: workday.id }] }]);
    });

    it('deletes what was moved from a colleague, with one event', async () => {
      const colleague = buildEmployee({ institution_id: all.institution.id });
      const workday = buildWorkday({ institution_id: all.institution.id, employee_id: colleague.id, date: '2026-03-09', timespans: [] });
      await records.importLines(colleague, workday);
      await records.allPublished();
      await moveWithoutRemoving(colleague.id, { ...workday, employee_id: all.employee.id });
      const events = await eventsAfter(buildDeletion(all.employee));
      expect(events.filter((event) => event.endsWith(workday.id))).toEqual([`workday.deleted ${workday.id}`]);
      expect(await documents()).toEqual({ accounts: 1, departments: 1, employees: 1, institutions: 1, projects: 1 });
    });

    it('deletes what was moved between two months of the employee, with one event', async () => {
      const { workday, workmonth } = all.owned;
      const { id, institution_id, employee_id } = workday;
      const moved = buildWorkday({ id, institution_id, employee_id, date: '2026-05-04', timespans: [] });
      await moveWithoutRemoving(all.employee.id, moved, { ...workmonth, month: 5 });
      const events = await eventsAfter(buildDeletion(all.employee));
      expect(events.filter((event) => event.endsWith(workday.id))).toEqual([`workday.deleted ${workday.id}`]);
      expect(events.filter((event) => event.endsWith(workmonth.id))).toEqual([`workmonth.deleted ${workmonth.id}`]);
      expect(await documents()).toEqual({ accounts: 1, departments: 1, institutions: 1, projects: 1 });
    });
  });

  it('of a department removes it from its employees and accounts', async () => {
    expect(await eventsAfter(buildDeletion(all.department))).toEqual([
      `account.changed ${all.account.id}`,
      `department.deleted ${all.department.id}`,
      `employee.changed ${all.employee.id}`,
    ]);
    expect((await records.employees({ institutionId: all.institution.id })).map(({ departmentId }) => departmentId)).toEqual([undefined]);
    expect((await records.getAccount(all.account.id))?.visibility?.departmentIds).toEqual([]);
  });

  it('of a project keeps tracked time and removes it from accounts, which then see no project', async () => {
    expect(await eventsAfter(buildDeletion(all.project))).toEqual([
      `account.changed ${all.account.id}`,
      `project.deleted ${all.project.id}`,
    ]);
    expect((await records.getAccount(all.account.id))?.visibility?.projects).toEqual({ projectIds: [] });
    expect(await documents()).toMatchObject({ workmonths: 2 });
  });

  it('of an account removes it from its employee', async () => {
    expect(await eventsAfter(buildDeletion(all.account))).toEqual([
      `account.deleted ${all.account.id}`,
      `employee.changed ${all.employee.id}`,
    ]);
    await expect(records.getAccount(all.account.id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await records.employees({ institutionId: all.institution.id })).map(({ accountId }) => accountId)).toEqual([undefined]);
  });

  it('of an institution deletes all its records', async () => {
    const events = await eventsAfter(buildDeletion(all.institution));
    expect(events).toContain(`institution.deleted ${all.institution.id}`);
    expect(events).toContain(`workday.deleted ${all.owned.workday.id}`);
    expect(events.filter((event) => event.includes('.deleted'))).toHaveLength(11);
    expect(await documents()).toEqual({});
    await expect(records.getInstitution(all.institution.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('that was interrupted hides the record at once and is finished by the next start', async () => {
    await records.database
      .collection<{ _id: string }>('employees')
      .updateOne({ _id: all.employee.id }, { $set: { leaving: true }, $inc: { version: 1 } });
    expect(await records.employees({ institutionId: all.institution.id })).toEqual([]);
    const before = watch.messages.length;
    const second = await startRecords(servers);
    await second.allPublished();
    await second.stop();
    await watch.settled();
    expect(await documents()).toEqual({ accounts: 1, departments: 1, institutions: 1, projects: 1 });
    expect(watch.messages.slice(before).filter(({ subject }) => subject.endsWith('.deleted'))).toHaveLength(7);
  });

  it('that was interrupted is finished before the record is created again', async () => {
    await records.database
      .collection<{ _id: string }>('employees')
      .updateOne({ _id: all.employee.id }, { $set: { leaving: true }, $inc: { version: 1 } });
    await records.importLines(all.employee);
    await records.allPublished();
    expect(await documents()).toEqual({ accounts: 1, departments: 1, employees: 1, institutions: 1, projects: 1 });
  });
});
