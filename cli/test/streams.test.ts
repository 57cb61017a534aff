import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus, type Bus } from '@stechuhr/bus';
import { deadLetterSubject, ingestSubject } from '@stechuhr/contracts';
import { buildDepartment, buildEmployee, buildInstitution, toNdjson, watchSubjects } from '@stechuhr/testing';
import { oneProcess } from './support/one-process.js';
import { startRecords, type RunningRecords } from './support/records.js';
import { stechuhr, type Ended } from './support/stechuhr.js';

const { PATH, NODE_COMPILE_CACHE } = process.env;
const MAIN = path.resolve(import.meta.dirname, '../dist/main.js');
const institution = buildInstitution();
const other = buildInstitution();
const employee = buildEmployee({ institution_id: institution.id });
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const commands = oneProcess();
let records: RunningRecords;
let bus: Bus;

beforeAll(async () => {
  records = await startRecords();
  bus = await connectBus({ servers: records.servers.natsUrl, name: 'test', logger: silent });
  const published = await watchSubjects(records.servers.natsUrl, `stechuhr.events.${institution.id}.records.import.finished`);
  await stechuhr(['import', '-'], { env: records.env, input: toNdjson([institution, other, employee]) });
  await published.next(() => true);
  await published.stop();
});
afterAll(async () => {
  await commands.stop();
  await bus.close();
  await records.stop();
});

const run = (...args: string[]): Promise<Ended> => commands.run(args, { env: records.env });
const json = (text: string): unknown => JSON.parse(text);
const typesOf = (ndjson: string) =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (json(line) as { type: string }).type)
    .sort();

describe('stechuhr events replay', () => {
  it('prints the events of an institution, one a line', async () => {
    const { exitCode, stdout } = await run('events', 'replay', '--institution', institution.id);
    expect(exitCode).toBe(0);
    expect(typesOf(stdout)).toEqual([
      'stechuhr.records.employee.changed.v1',
      'stechuhr.records.import.finished.v1',
      'stechuhr.records.institution.changed.v1',
    ]);
  });

  it.each([
    [['--type', 'records.employee'], ['stechuhr.records.employee.changed.v1']],
    [
      ['--type', 'records.institution.changed', '--type', '*.employee.*', '--since', '1h'],
      ['stechuhr.records.employee.changed.v1', 'stechuhr.records.institution.changed.v1', 'stechuhr.records.institution.changed.v1'],
    ],
    [
      ['--type', 'records.employee.changed', '--type', 'records.employee', '--type', '*.*.changed', '--institution', institution.id],
      ['stechuhr.records.employee.changed.v1', 'stechuhr.records.institution.changed.v1'],
    ],
    [['--type', 'tasks'], []],
    [['--since', '2126-01-01'], []],
  ])('prints the selected events: %j', async (options, types) => {
    expect(typesOf((await run('events', 'replay', ...options)).stdout)).toEqual(types);
  });

  // A script that goes on with the file would otherwise take its beginning for all.
  it('exits 1 when it is interrupted before the last event', async () => {
    const many = 3_000;
    const text = JSON.stringify({ padding: 'x'.repeat(300) });
    await Promise.all(Array.from({ length: many }, () => bus.publish(`stechuhr.events.${other.id}.tasks.task.progressed`, text)));
    const child = spawn(process.execPath, [MAIN, 'events', 'replay', '--institution', other.id], {
      env: { PATH, NODE_COMPILE_CACHE, STECHUHR_HOME: '/nonexistent', ...records.env },
    });
    // It waits for the reader of its output, who takes nothing until the signal has arrived.
    await once(child.stdout, 'readable');
    child.kill('SIGINT');
    const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')]);
    expect({ exitCode: child.exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'It was interrupted: later events are missing.\n' });
    expect(stdout.split('\n').length).toBeLessThan(many);
  });

  it('exits 2 for a type that there is not', async () => {
    const { exitCode, stdout, stderr } = await run('events', 'replay', '--type', 'records.employees');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('--type: There are no events "records.employees".');
  });
});

describe('stechuhr events tail', () => {
  it.each([[[]], [['--json']]])('shows what happens until it is stopped: %j', async (options) => {
    const args = [MAIN, 'events', 'tail', '--type', 'records.department', '--since', '1h', ...options];
    const child = spawn(process.execPath, args, { env: { PATH, NODE_COMPILE_CACHE, STECHUHR_HOME: '/nonexistent', ...records.env } });
    const lines = createInterface({ input: child.stdout });
    const department = buildDepartment({ institution_id: institution.id });
    const shown = new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        if (line.includes(department.id)) resolve(line);
      });
    });
    await bus.publish(ingestSubject(institution.id, 'department'), JSON.stringify(department));
    const line = await shown;
    if (options.length > 0) expect(json(line)).toMatchObject({ subject: department.id, institutionid: institution.id });
    else expect(line).toMatch(/^\S+Z {2}records\.department\.changed {2}\S+ {2}\(institution \S+\)$/u);
    child.kill('SIGINT');
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
  });
});

describe('stechuhr dead-letters', () => {
  const letterOf = (line: { kind: string; institution_id: string }, reason = 'It came too early.') => ({
    subject: ingestSubject(line.institution_id, line.kind),
    ...{ reason, deliveries: 4, failed_at: '2026-05-01T08:00:00.000Z', payload: JSON.stringify(line) },
  });
  let given = 0;
  const give = (letter: object, origin = 'ingest') => {
    const text = JSON.stringify(letter);
    const subject = deadLetterSubject({ origin, institutionId: institution.id, bytes: text.length, number: ++given });
    return bus.publish(subject, text);
  };
  const list = async (...options: string[]) =>
    json((await run('dead-letters', 'list', '--json', ...options)).stdout) as { sequence: number; reason: string }[];

  it('are listed, shown, and sent again', async () => {
    expect(await list()).toEqual([]);
    const department = buildDepartment({ institution_id: institution.id });
    await give(letterOf(department));
    await give(letterOf(department, 'Of somebody else.'), 'reviews');
    const [letter, ...none] = await list('--origin', 'ingest');
    expect([letter, none]).toMatchObject([{ origin: 'ingest', reason: 'It came too early.', deliveries: 4 }, []]);
    const sequence = String(letter?.sequence);
    expect(json((await run('dead-letters', 'show', sequence, '--json')).stdout)).toMatchObject({ payload: JSON.stringify(department) });
    const watch = await watchSubjects(records.servers.natsUrl, `stechuhr.events.${institution.id}.records.department.changed`);
    const retried = await run('dead-letters', 'retry', sequence, '--json');
    expect([retried.exitCode, json(retried.stdout)]).toEqual([0, { retried: [letter?.sequence], failed: [] }]);
    await watch.next(({ text }) => text.includes(department.id));
    await watch.stop();
    expect(await list()).toMatchObject([{ origin: 'reviews' }]);
    expect((await run('dead-letters', 'show', sequence)).exitCode).toBe(1);
  });

  // Ids of messages are those of the whole stream: a publisher of another institution would have it dropped as a repeat.
  it('are sent again whatever ids others have used', async () => {
    const department = buildDepartment({ institution_id: institution.id });
    await give(letterOf(department), 'guessed');
    const [letter] = await list('--origin', 'guessed');
    const sequence = String(letter?.sequence);
    const theirs = buildDepartment({ institution_id: other.id });
    await bus.publish(ingestSubject(other.id, 'department'), JSON.stringify(theirs), { msgId: `retry:${sequence}` });
    const watch = await watchSubjects(records.servers.natsUrl, `stechuhr.events.${institution.id}.records.department.changed`);
    expect((await run('dead-letters', 'retry', sequence)).exitCode).toBe(0);
    await watch.next(({ text }) => text.includes(department.id));
    await watch.stop();
  });

  it('are found on the subjects of version 0.2, too', async () => {
    await bus.publish('stechuhr.dead.old', JSON.stringify(letterOf(employee)));
    await give(letterOf(employee), 'older');
    expect(await list('--origin', 'old')).toMatchObject([{ origin: 'old' }]);
  });

  it('stay where they were cut', async () => {
    await give({ ...letterOf(employee), payload: undefined, payload_base64: 'eA==', payload_truncated: true }, 'cut');
    const { exitCode, stdout } = await run('dead-letters', 'retry', '--all', '--origin', 'cut');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('The message was too long to be stored completely.');
    expect(await list('--origin', 'cut')).toHaveLength(1);
  });

  it('are not sent again to an institution that their message does not name', async () => {
    const stranger = buildDepartment({ institution_id: institution.id });
    await give({ ...letterOf(stranger), subject: ingestSubject(other.id, stranger.kind) }, 'forged');
    const { exitCode, stdout } = await run('dead-letters', 'retry', '--all', '--origin', 'forged');
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`which does not match its subject stechuhr.ingest.${other.id}.department.`);
    expect(await list('--origin', 'forged')).toHaveLength(1);
  });

  it('are deleted by their number or by their origin, and not sent', async () => {
    for (const reason of ['One.', 'Two.', 'Three.']) await give(letterOf(employee, reason), 'unwanted');
    const [first] = await list('--origin', 'unwanted');
    const deleted = await run('dead-letters', 'delete', String(first?.sequence), '--json');
    expect([deleted.exitCode, json(deleted.stdout)]).toEqual([0, { deleted: [first?.sequence] }]);
    expect((await list('--origin', 'unwanted')).map(({ reason }) => reason)).toEqual(['Two.', 'Three.']);
    expect(await run('dead-letters', 'delete', '--all', '--origin', 'unwanted')).toMatchObject({ exitCode: 0, stdout: 'Deleted: 2.\n' });
    expect(await list('--origin', 'unwanted')).toEqual([]);
  });

  it('are sent once, also where their number is given twice', async () => {
    const department = buildDepartment({ institution_id: institution.id });
    await give(letterOf(department), 'twice');
    const [letter] = await list('--origin', 'twice');
    const sequence = String(letter?.sequence);
    const retried = await run('dead-letters', 'retry', sequence, sequence, '--json');
    expect([retried.exitCode, json(retried.stdout)]).toEqual([0, { retried: [letter?.sequence], failed: [] }]);
  });

  // The stream may have 256 MiB of them, most of all when somebody floods it.
  it('need little memory, however many there are', async () => {
    const flood = { subject: 'stechuhr.ingest.none', reason: 'Too many.', deliveries: 4, failed_at: '2026-05-01T08:00:00.000Z' };
    const large = { ...flood, payload: 'x'.repeat(30_000) };
    for (let turn = 0; turn < 5; turn += 1) {
      await Promise.all(Array.from({ length: 500 }, () => give(large, `flood-${String(turn)}`)));
    }
    const few = { env: records.env, nodeOptions: ['--max-old-space-size=48'] };
    const { exitCode, stdout } = await stechuhr(['dead-letters', 'list', '--json'], few);
    expect(exitCode).toBe(0);
    expect(json(stdout)).toContainEqual(expect.objectContaining({ origin: 'flood-0', reason: 'Too many.' }));
  });

  // NATS would treat these as wildcards that match all services.
  it.each([
    [['list', '--origin', '*']],
    [['retry', '--all', '--origin', 'ingest.>']],
    [['delete', '--all', '--origin', '*']],
    [['list', '--origin', 'in gest']],
  ])('exit 2 for an origin that is no name: %j', async (args) => {
    const { exitCode, stdout, stderr } = await run('dead-letters', ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('It must be the name of an origin, as "dead-letters list" shows it.');
  });

  it.each([[['retry']], [['delete']], [['delete', '7', '--origin', 'ingest']], [['show', '0']]])('exit 2 for %j', async (args) => {
    expect(await run('dead-letters', ...args)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('stechuhr import --dry-run', () => {
  it('checks lines and their references without writing anything', async () => {
    const fresh = buildInstitution();
    const ids = { institution_id: fresh.id };
    const department = buildDepartment(ids);
    const good = buildEmployee({ ...ids, department_id: department.id });
    const lost = buildEmployee({ ...ids, department_id: employee.id });
    const lines = [good, lost, department, fresh, { ...employee, institution_id: fresh.id }, { kind: 'contract', ...ids, id: 'x' }];
    const dry = await commands.run(['import', '--dry-run', '--json', '-'], { env: records.env, input: toNdjson(lines) });
    expect(dry.exitCode).toBe(1);
    expect(json(dry.stdout)).toMatchObject({
      accepted: { department: 1, employee: 1, institution: 1 },
      rejected: [
        { line: 2, reason: `department_id names no department of the institution: ${employee.id}.` },
        { line: 5, reason: 'id belongs to a record of another institution.' },
        { line: 6, reason: expect.stringMatching(/^id must be a UUID\. .*employee_id is required\./) },
      ],
    });
    expect(dry.stderr).toContain('nothing was written');
    const alone = await commands.run(['import', '--dry-run', '--json', '-'], { env: records.env, input: toNdjson([department]) });
    expect(json(alone.stdout)).toMatchObject({ rejected: [{ reason: `institution_id names no institution: ${fresh.id}.` }] });
  });
});
