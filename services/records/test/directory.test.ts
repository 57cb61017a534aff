import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commonV1, recordsV1 } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { callUnary, readStream } from '@stechuhr/service';
import {
  buildAccount,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  testServers,
  type TestServers,
} from '@stechuhr/testing';
import { startRecords, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;

const institution = buildInstitution();
const elsewhere = buildInstitution();
const ids = { institution_id: institution.id };
const here = { institutionId: institution.id };
const departments = [buildDepartment({ ...ids, name: 'Hochbau' }), buildDepartment({ ...ids, name: 'Tiefbau', cost_center: null })];
const [first, second] = departments.map(({ id }) => id);
const projects = [buildProject({ ...ids, archived: true }), buildProject({ ...ids, name: 'Umbau' }), buildProject(ids)];
const leader = buildAccount({ ...ids, role: 'department_leader', department_ids: [first ?? ''], project_ids: [projects[0]?.id ?? ''] });
const admin = buildAccount(ids);
const person = (last_name: string, first_name: string, number: string, department_id: string | null = null) =>
  buildEmployee({ ...ids, last_name, first_name, number, department_id });
const sorted = [
  person('abel', 'Cem', '4', first ?? null),
  person('Ärmel', 'Dora', '5'),
  person('Çelik', 'Emil', '6', second ?? null),
  person('Claus', 'Ada', '8'),
  person('Häfner', 'Fritz', '7'),
  person('Holzner', 'Eva', '9'),
  person('Zander', 'Anna', '2', first ?? null),
  person('Zander', 'Anna', '3', second ?? null),
  person('Zander', 'Änne', '10'),
  person('Zander', 'Bea', '1'),
];

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers);
  const others = [elsewhere, buildEmployee({ institution_id: elsewhere.id }), buildProject({ institution_id: elsewhere.id })];
  await records.importLines(...others, institution, ...departments, ...projects, leader, admin, ...sorted.toReversed());
});
afterAll(async () => {
  await records.stop();
  await servers.stop();
});

describe('listAccounts', () => {
  const list = async (institutionId?: string) => {
    const listed: recordsV1.ListedAccount[] = [];
    for await (const { accounts } of readStream(records.client, records.client.listAccounts, { institutionId })) listed.push(...accounts);
    return listed;
  };

  it('returns the accounts of one or all institutions, with their e-mail addresses', async () => {
    const both = [admin, leader].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect((await list(institution.id.toUpperCase())).map(({ account, ...rest }) => ({ id: account?.id, ...rest }))).toEqual(
      both.map(({ id, email }) => ({ id, email, institutionName: institution.name })),
    );
    expect((await list()).map(({ account }) => account?.id)).toEqual(expect.arrayContaining(both.map(({ id }) => id)));
    expect(await list(elsewhere.id)).toEqual([]);
    await expect(list('x')).rejects.toMatchObject({ code: 'invalid' });
  });
});

/** What an institution may store, in fewer records than usually fit into a message. */
describe('lists of large records', () => {
  const own = { institution_id: newId(), version: 1 };

  it('have accounts that may see ten thousand projects', async () => {
    const accounts = Array.from({ length: 30 }, () => {
      const { kind: _, id, institution_id: __, ...fields } = buildAccount(own);
      return { _id: id, ...own, ...fields, project_ids: Array.from({ length: 10_000 }, newId) };
    });
    await records.database.collection<{ _id: string }>('accounts').insertMany(accounts);
    let listed = 0;
    for await (const message of readStream(records.client, records.client.listAccounts, { institutionId: own.institution_id }))
      listed += message.accounts.length;
    expect(listed).toBe(30);
  });

  it('have employees with hundreds of entitlements', async () => {
    const entitlement = {
      ...{
        label: 'U'.repeat(255),
        missing_type: 'vacation',
        amount: 100,
        priority: 0,
        cycle_start: '01-01',
        valid_from: 0,
        valid_to: null,
      },
      ...{ expiry: null, proration: 'none' },
    };
    const staff = Array.from({ length: 60 }, () => {
      const entitlements = Array.from({ length: 500 }, () => ({ id: newId(), ...entitlement }));
      return { _id: newId(), ...own, hired_on: 0, left_on: null, archived_on: null, entitlements };
    });
    await records.database.collection<{ _id: string }>('employees').insertMany(staff);
    const caller = {
      institutionId: own.institution_id,
      accountId: newId(),
      visibility: { role: commonV1.Role.ROLE_ADMIN, departmentIds: [], projects: undefined },
    };
    let listed = 0;
    for await (const message of readStream(records.client, records.client.listEntitlements, { caller, employeeIds: [] }))
      listed += message.employees.length;
    expect(listed).toBe(60);
  });
});

describe('getAccount', () => {
  it('returns what an account may see', async () => {
    const { Role } = commonV1;
    const visible = { role: Role.ROLE_DEPARTMENT_LEADER, departmentIds: [first], projects: { projectIds: [projects[0]?.id] } };
    const named = { institutionId: institution.id, firstName: 'Ada', lastName: 'Muster' };
    expect(await records.getAccount(leader.id.toUpperCase())).toEqual({ id: leader.id, ...named, visibility: visible });
    expect((await records.getAccount(admin.id))?.visibility).toEqual({ role: Role.ROLE_ADMIN, departmentIds: [], projects: undefined });
  });

  it.each([newId(), 'nonsense', ''])('finds no account %j', async (id) => {
    await expect(records.getAccount(id)).rejects.toMatchObject({ code: 'not_found', message: 'There is no such account.' });
  });
});

describe('getInstitution', () => {
  it('returns the institution of the caller', async () => {
    const { AbsenceCategory } = recordsV1;
    expect(await records.getInstitution(institution.id)).toEqual({
      id: institution.id,
      name: 'Muster GmbH',
      federalState: 'DE-BY',
      payrollClientNumber: '12345',
      absenceTypes: [
        { value: 'vacation', label: 'Urlaub', category: AbsenceCategory.ABSENCE_CATEGORY_VACATION, credited: true },
        { value: 'sick', label: 'Krankheit', category: AbsenceCategory.ABSENCE_CATEGORY_SICK, credited: true },
        { value: 'school', label: 'Berufsschule', category: AbsenceCategory.ABSENCE_CATEGORY_EDUCATION, credited: true },
        { value: 'unpaid', label: 'Unbezahlt', category: AbsenceCategory.ABSENCE_CATEGORY_OTHER, credited: false },
      ],
    });
  });

  it('does not find a missing institution', async () => {
    await expect(records.getInstitution(newId())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('lists', () => {
  it('contain all departments by id', async () => {
    const expected = departments.map(({ id, name, cost_center }) => ({ id, name, costCenter: cost_center ?? undefined }));
    expect(await records.departments({ ...here, departmentIds: [] })).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it('contain the projects that the caller may see, by id', async () => {
    const idsOf = async (projectIds?: string[]) =>
      (await records.projects({ ...here, ...(projectIds && { projectIds }) })).map(({ id }) => id);
    const all = projects.map(({ id }) => id).sort();
    expect(await idsOf()).toEqual(all);
    expect(await idsOf([all[2] ?? '', all[0] ?? '', newId()])).toEqual([all[0], all[2]]);
    expect(await idsOf([])).toEqual([]);
  });

  it('contain every field of a project', async () => {
    const [project] = projects;
    const { id, name, code, color, address, client } = project ?? buildProject(ids);
    const [found] = await records.projects({ ...here, projectIds: [id] });
    expect(found).toEqual({ id, name, code, color, address, client, costCenter: '4711', dailyReportsEnabled: true, archived: true });
  });

  it('contain the employees by German collation of their names, then by number and id', async () => {
    expect((await records.employees(here)).map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
  });

  it('contain for a leader only the employees of their departments', async () => {
    const numbersOf = async (departmentIds: string[]) => (await records.employees({ ...here, departmentIds })).map(({ number }) => number);
    expect(await numbersOf([first ?? ''])).toEqual(['4', '2']);
    expect(await numbersOf([second ?? '', newId()])).toEqual(['6', '3']);
    expect(await numbersOf([])).toEqual([]);
  });

  it('read the ids of what a caller may see in any case', async () => {
    const [project] = projects.map(({ id }) => id);
    const leading = { ...here, departmentIds: [first?.toUpperCase() ?? ''] };
    expect((await records.employees(leading)).map(({ number }) => number)).toEqual(['4', '2']);
    expect((await records.projects({ ...here, projectIds: [project?.toUpperCase() ?? ''] })).map(({ id }) => id)).toEqual([project]);
  });

  it('hold every field of an employee', async () => {
    const employee = buildEmployee({
      institution_id: elsewhere.id,
      ...{ accounting_number: '7', email: 'max@example.com', custom_fields: { position: 'Polier', helmet: 'M' } },
      ...{ hired_on: '1970-01-02', left_on: '1970-01-31', archived_on: '1970-02-01' },
    });
    await records.importLines(employee);
    const found = await records.employees({ institutionId: elsewhere.id });
    expect(found.find(({ id }) => id === employee.id)).toEqual({
      id: employee.id,
      accountId: undefined,
      number: '1001',
      accountingNumber: '7',
      firstName: 'Max',
      lastName: 'Beispiel',
      email: 'max@example.com',
      departmentId: undefined,
      customFields: { position: 'Polier', helmet: 'M' },
      hiredOn: 1,
      leftOn: 30,
      archivedOn: 31,
    });
  });

  it('hold only the custom fields of an employee that are asked for', async () => {
    const [large, employee] = [
      buildInstitution(),
      { custom_fields: { position: 'Polier', helmet: 'M', Größe: 'L', a: 'x'.repeat(10_000) } },
    ];
    await records.importLines(large, buildEmployee({ institution_id: large.id, ...employee }));
    const fieldsOf = async (names?: string[]) =>
      (await records.employees({ institutionId: large.id }, names)).map((one) => one.customFields);
    expect(await fieldsOf()).toEqual([employee.custom_fields]);
    expect(await fieldsOf([])).toEqual([{}]);
    expect(await fieldsOf(['helmet', 'unknown'])).toEqual([{ helmet: 'M' }]);
    expect(await fieldsOf(['Gro\u0308ße'])).toEqual([{ Größe: 'L' }]);
  });

  it('contain nothing of other institutions', async () => {
    const nobody = { institutionId: newId() };
    expect([await records.employees(nobody), await records.departments(nobody), await records.projects(nobody)]).toEqual([[], [], []]);
    expect(await records.projects({ institutionId: elsewhere.id, projectIds: projects.map(({ id }) => id) })).toEqual([]);
  });

  it('may be longer than one message', async () => {
    const large = buildInstitution();
    const many = Array.from({ length: 450 }, (_, number) => buildEmployee({ institution_id: large.id, number: String(1000 + number) }));
    await records.importLines(large, ...many);
    expect((await records.employees({ institutionId: large.id })).map(({ id }) => id)).toEqual(many.map(({ id }) => id));
  });
});

describe('a call of a service that states its caller itself', () => {
  const { ROLE_UNSPECIFIED } = commonV1.Role;
  const caller = { institutionId: institution.id, accountId: newId() };
  const details = { caller: ['The call has to name a caller, and what it may see by a role.'] };

  it.each([
    ['without a caller', undefined],
    ['without what it may see', { ...caller, visibility: undefined }],
    ['without a role', { ...caller, visibility: { role: ROLE_UNSPECIFIED, departmentIds: [], projects: undefined } }],
  ])('is refused with the reason %s', async (_what, incomplete) => {
    const { client } = records;
    const refused = { code: 'invalid', details };
    await expect(callUnary(client, client.getInstitution, { caller: incomplete })).rejects.toMatchObject(refused);
    const employees = readStream(client, client.listEmployees, { caller: incomplete, customFields: undefined });
    await expect(employees.next()).rejects.toMatchObject(refused);
  });
});
