import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@stechuhr/bus';
import { handedOverKinds, handOverHeaders, handOverSubject, ingestSubject } from '@stechuhr/contracts';
import { newId } from '@stechuhr/kernel';
import { createLogger } from '@stechuhr/service';
import {
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  buildWorkday,
  buildWorkmonth,
  testServers,
  waitFor,
  watchSubjects,
  type SubjectWatch,
  type TestServers,
} from '@stechuhr/testing';
import { parseLocalDate } from '@stechuhr/worktime';
import { startRecords, type RunningRecords } from './support/running-records.js';

let servers: TestServers;
let records: RunningRecords;
let bus: Bus;
let dead: SubjectWatch;
/** The acknowledgements that the consumer sends for each delivery. */
let acks: SubjectWatch;
let published = 0;
let institution = buildInstitution();
let ids = { institution_id: institution.id };

beforeAll(async () => {
  servers = await testServers();
  records = await startRecords(servers, { ingestBackoffMs: [50, 100, 150] });
  bus = await connectBus({ servers: servers.natsUrl, name: 'test', logger: createLogger('test', 'fatal') });
  dead = await watchSubjects(servers.natsUrl, 'stechuhr.dead.>');
  acks = await watchSubjects(servers.natsUrl, '$JS.ACK.STECHUHR_INGEST.>');
});
afterAll(async () => {
  await dead.stop();
  await acks.stop();
  await bus.close();
  await records.stop();
  await servers.stop();
});

beforeEach(async () => {
  institution = buildInstitution();
  ids = { institution_id: institution.id };
  await records.importLines(institution);
});

interface Line {
  readonly kind: string;
  readonly institution_id: string;
}

function publish<T extends Line>(line: T, subject = ingestSubject(line.institution_id, line.kind)): Promise<void> {
  return publishBytes(subject, JSON.stringify(line));
}

function publishBytes(subject: string, payload: string | Uint8Array): Promise<void> {
  published += 1;
  return bus.publish(subject, payload);
}

const departmentNames = async () => (await records.departments({ institutionId: institution.id })).map(({ name }) => name).sort();

async function deadLetter(subject: string) {
  const { subject: origin, text } = await dead.next((message) => message.text.includes(subject));
  return { origin, ...(JSON.parse(text) as { reason: string; deliveries: number; subject: string; payload: string }) };
}

describe('a live object', () => {
  it('is validated and written like an imported line, and publishes its event', async () => {
    const watch = await watchSubjects(servers.natsUrl, `stechuhr.events.${institution.id}.>`);
    const employee = buildEmployee(ids);
    const workday = buildWorkday({ ...ids, employee_id: employee.id });
    const workmonth = buildWorkmonth({ ...ids, employee_id: employee.id, opening_balance_minutes: 60 });
    for (const line of [employee, workmonth, workday]) await publish(line);
    await watch.next(({ subject }) => subject.endsWith('.workday.changed'));
    await watch.next(({ subject }) => subject.endsWith('.workmonth.changed'));
    const days = { fromDay: parseLocalDate('2026-03-01') ?? 0, toDay: parseLocalDate('2026-03-31') ?? 0 };
    const [found] = await records.timeRecords({ institutionId: institution.id }, { employeeIds: [employee.id], ...days });
    expect(found?.workmonths).toMatchObject([{ id: workmonth.id, openingBalanceMinutes: 60, workdays: [{ id: workday.id }] }]);
    await watch.stop();
  });

  it('without changes publishes nothing', async () => {
    const watch = await watchSubjects(servers.natsUrl, `stechuhr.events.${institution.id}.>`);
    const department = buildDepartment(ids);
    const last = buildDepartment(ids);
    for (const line of [department, department, department, last]) await publish(line);
    await watch.next(({ text }) => text.includes(last.id));
    await waitFor(async () => (await departmentNames()).length === 2);
    await records.allPublished();
    await watch.settled();
    expect(watch.messages.filter(({ text }) => text.includes(department.id))).toHaveLength(1);
    await watch.stop();
  });

  it('waits for a reference that arrives a little later', async () => {
    const department = buildDepartment(ids);
    const employee = buildEmployee({ ...ids, department_id: department.id });
    await publish(employee);
    await publish(department);
    await waitFor(async () => (await records.employees({ institutionId: institution.id })).length === 1);
  });

  it('becomes a dead letter after four deliveries if the reference never arrives, without blocking others', async () => {
    const department = buildDepartment(ids);
    const employee = buildEmployee({ ...ids, department_id: newId() });
    await publish(employee);
    await publish(department);
    await waitFor(async () => (await departmentNames()).length === 1);
    const letter = await deadLetter(employee.id);
    expect(letter).toMatchObject({
      origin: expect.stringMatching(`^stechuhr\\.dead\\.ingest\\.${institution.id}\\.\\d+$`),
      subject: ingestSubject(institution.id, 'employee'),
      reason: `department_id names no department of the institution: ${employee.department_id ?? ''}.`,
      deliveries: 4,
    });
    expect(JSON.parse(letter.payload)).toEqual(employee);
  });

  it.each([
    ['breaks a rule', (line: Line) => ({ ...line, name: '' }), undefined, 'name may not be blank.'],
    [
      'has another institution than its subject',
      (line: Line) => line,
      () => ingestSubject(newId(), 'department'),
      'institution_id is not that of the subject.',
    ],
    [
      'has another kind than its subject',
      (line: Line) => line,
      (line: Line) => ingestSubject(line.institution_id, 'project'),
      'kind is not that of the subject.',
    ],
    [
      'has an invalid subject',
      (line: Line) => line,
      () => 'stechuhr.ingest.department',
      'The subject is not stechuhr.ingest.<institution_id>.<kind>.',
    ],
    ['is of an unknown kind', (line: Line) => ({ ...line, kind: 'team' }), undefined, 'kind team is unknown.'],
  ])('becomes a dead letter at once if it %s', async (_, change, subject, reason) => {
    const department = buildDepartment(ids);
    const line = change({ ...department });
    await publish(line, subject?.(line));
    expect(await deadLetter(department.id)).toMatchObject({ reason, deliveries: 1 });
    expect(await departmentNames()).toEqual([]);
  });

  it('becomes a dead letter if it was handed over to another service', async () => {
    const department = buildDepartment(ids);
    const headers = handOverHeaders(ingestSubject(newId(), 'review_settings'), 7);
    published += 1;
    await bus.publish(ingestSubject(institution.id, 'department'), JSON.stringify(department), { headers });
    const letter = await deadLetter(department.id);
    expect(letter).toMatchObject({ reason: 'The object was on its way to another service.', deliveries: 1 });
    expect(await departmentNames()).toEqual([]);
  });

  it.each(handedOverKinds)('of kind %s is forwarded to the service that owns it, with its stream position', async (kind) => {
    const jobs = await watchSubjects(servers.natsUrl, handOverSubject('*', kind));
    await publish({ ...buildDepartment(ids), kind });
    const job = await jobs.next(() => true);
    expect(job.subject).toBe(handOverSubject(institution.id, kind));
    expect(JSON.parse(job.text)).toMatchObject({ kind, institution_id: institution.id });
    await jobs.stop();
  });

  it('becomes a dead letter if its id belongs to another institution', async () => {
    const [other, department] = [buildInstitution(), buildDepartment(ids)];
    await records.importLines(other, department);
    await publish({ ...department, institution_id: other.id });
    expect(await deadLetter(other.id)).toMatchObject({ reason: 'id belongs to a record of another institution.' });
    expect(await departmentNames()).toHaveLength(1);
  });

  it('that is not valid JSON or UTF-8 becomes a dead letter', async () => {
    const subject = ingestSubject(institution.id, 'department');
    await publishBytes(subject, '{"kind":');
    expect(await deadLetter(institution.id)).toMatchObject({
      reason: 'The line is not valid JSON: it ends too early, after character 8.',
      payload: '{"kind":',
    });
    await publishBytes(subject, Uint8Array.of(0xff));
    expect(await deadLetter('payload_base64')).toMatchObject({ reason: 'The message is not UTF-8.', payload_base64: '/w==' });
  });

  it('becomes a dead letter if another service owns it and it is too large to be handed over, with the headers that this adds', async () => {
    // The headers of the publisher fit into the rest.
    await publishBytes(ingestSubject(institution.id, 'daily_report_entry'), Buffer.alloc(1_048_576 - 100, ' '));
    expect(await deadLetter(institution.id)).toMatchObject({
      reason: 'The message and its headers are larger than NATS accepts.',
      deliveries: 1,
    });
  });
});

/** An object that is overtaken: what it refers to is created only after a newer object was written, so that its next delivery is too late. */
describe('an object that a newer one has overtaken', () => {
  it('has no effect', async () => {
    const [missing, employee] = [buildDepartment(ids), buildEmployee(ids)];
    await publish({ ...employee, last_name: 'Old', department_id: missing.id });
    await publish({ ...employee, last_name: 'New' });
    await waitFor(async () => (await records.employees({ institutionId: institution.id })).length === 1);
    await publish(missing);
    await ingestIsEmpty();
    const found = await records.employees({ institutionId: institution.id });
    expect(found.map(({ lastName, departmentId }) => [lastName, departmentId])).toEqual([['New', undefined]]);
  });

  it('does not restore a deleted record, even if it did not exist', async () => {
    const [missing, employee] = [buildDepartment(ids), buildEmployee(ids)];
    await publish({ ...employee, department_id: missing.id });
    await publish(buildDeletion(employee));
    await waitFor(() =>
      records.database.collection<{ _id: string }>('deletion_markers').findOne({ _id: `${institution.id}/employee/${employee.id}` }),
    );
    await publish(missing);
    await ingestIsEmpty();
    expect(await records.employees({ institutionId: institution.id })).toEqual([]);
  });

  it('removes a deleted record at once, regardless of which object is handled first', async () => {
    const employees = Array.from({ length: 100 }, () => buildEmployee(ids));
    await Promise.all(employees.flatMap((employee) => [publish(employee), publish(buildDeletion(employee))]));
    await ingestIsEmpty();
    expect(await records.employees({ institutionId: institution.id })).toEqual([]);
  });

  it('does not move a workday back to another month', async () => {
    const [missing, employee] = [buildProject(ids), buildEmployee(ids)];
    const workday = buildWorkday({ ...ids, employee_id: employee.id });
    await records.importLines(employee);
    await publish({ ...workday, timespans: workday.timespans.map((span) => ({ ...span, project_id: missing.id })) });
    await publish({ ...workday, date: '2026-04-01', started_at: '2026-04-01T08:00:00', ended_at: null, timespans: [] });
    const dates = async () => {
      const days = { fromDay: parseLocalDate('2026-03-01') ?? 0, toDay: parseLocalDate('2026-03-31') ?? 0 };
      const [found] = await records.timeRecords({ institutionId: institution.id }, { employeeIds: [employee.id], ...days });
      return found?.workmonths.flatMap(({ workdays }) => workdays.map(({ date }) => date)) ?? [];
    };
    await waitFor(async () => (await dates()).length === 1);
    await records.importLines(missing);
    await ingestIsEmpty();
    expect(await dates()).toEqual([parseLocalDate('2026-04-01')]);
  });

  it('is outdated even by a newer object that changed nothing', async () => {
    const department = buildDepartment(ids);
    await records.importLines(department);
    await publish(department);
    const stored = () => records.database.collection<{ _id: string; sequence?: number }>('departments').findOne({ _id: department.id });
    await waitFor(async () => (await stored())?.sequence);
  });
});

/** Waits until every object was acknowledged or terminated, including those that wait for their next delivery. */
async function ingestIsEmpty(): Promise<void> {
  await waitFor(() => acks.messages.filter(({ text }) => /^\+(ACK|TERM)/.test(text)).length === published);
}
