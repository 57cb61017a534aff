import { gzipSync } from 'node:zlib';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, uuidV5 } from '@stechuhr/kernel';
import { buildAccount, buildDeletion, buildEmployee, buildInstitution, buildWorkday, toNdjson, watchSubjects } from '@stechuhr/testing';
import { startRecords, type RunningRecords } from './support/records.js';
import { readDirectory } from '../src/import/csv/directory.js';
import { readMapping } from '../src/import/csv/mapping.js';
import { readingOf, sendCsv } from '../src/import/csv/send-csv.js';
import { openImport } from '../src/import/session.js';
import { stechuhr, type Ended } from './support/stechuhr.js';

let records: RunningRecords;
let folder: string;

beforeAll(async () => {
  [records, folder] = await Promise.all([startRecords(), mkdtemp(path.join(tmpdir(), 'stechuhr-import-'))]);
});
afterAll(async () => {
  await Promise.all([records.stop(), rm(folder, { recursive: true })]);
});

async function importFiles(files: Readonly<Record<string, string | Uint8Array>>, ...options: string[]): Promise<Ended> {
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return stechuhr(['import', ...options, ...Object.keys(files)], { env: records.env, cwd: folder });
}

function organization() {
  const institution = buildInstitution();
  const account = buildAccount({ institution_id: institution.id });
  const employee = buildEmployee({ institution_id: institution.id, account_id: account.id });
  return { institution, account, employee };
}

describe('stechuhr import', () => {
  it('accepts records in any order, across files, and counts them by kind', async () => {
    const { institution, account, employee } = organization();
    const { exitCode, stdout } = await importFiles(
      { 'a.ndjson': toNdjson([employee]), 'b.ndjson': toNdjson([account, institution]) },
      '--json',
    );
    expect(JSON.parse(stdout)).toEqual({ accepted: { account: 1, employee: 1, institution: 1 }, rejected: [], warnings: [] });
    expect(exitCode).toBe(0);
  });

  it('reads standard input', async () => {
    const input = toNdjson(Object.values(organization()));
    const { exitCode, stdout } = await stechuhr(['import', '-', '--json'], { env: records.env, input });
    expect({ exitCode, accepted: JSON.parse(stdout).accepted }).toEqual({
      exitCode: 0,
      accepted: { account: 1, employee: 1, institution: 1 },
    });
  });

  it('names columns only in problems of rows, and not in warnings about what is stored', async () => {
    const institution = buildInstitution();
    const stored = ['1', '2'].map((number) => buildEmployee({ institution_id: institution.id, number, accounting_number: '4711' }));
    const columns = { number: 'Nr', first_name: 'Vorname', last_name: 'Name', hired_on: 'Eintritt' };
    const mapping = path.join(folder, 'mapping.json');
    await writeFile(mapping, JSON.stringify({ kind: 'employee', institution_id: institution.id, columns }));
    await importFiles({ 'stored.ndjson': toNdjson([institution, ...stored]) });
    const rows = 'Nr;Vorname;Name;Eintritt\n3;Eva;Maier;01.02.2026\n';
    const { stdout } = await importFiles({ 'new.csv': rows }, '--mapping', mapping, '--json');
    const message = expect.stringMatching(/^The accounting number 4711 is shared by 2 employees: [^"]*$/);
    expect(JSON.parse(stdout)).toMatchObject({ accepted: { employee: 1 }, warnings: [{ file: null, line: null, message }] });
  });

  it('skips a byte order mark and blank lines, takes CRLF, and keeps counting lines', async () => {
    const { institution, employee } = organization();
    const unknown = newId();
    const lines = ['\ufeff' + JSON.stringify(institution), '', '  ', JSON.stringify({ ...employee, account_id: unknown })];
    const { stdout } = await importFiles({ 'crlf.ndjson': lines.join('\r\n') }, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      accepted: { institution: 1 },
      rejected: [{ file: 'crlf.ndjson', line: 4, kind: 'employee', id: employee.id }],
    });
  });

  it('rejects line by line with file, number, kind, id and reason, keeps the rest, and exits 1', async () => {
    const { institution, employee } = organization();
    const noRecord = newId();
    const first = ['{"kind":"employee",', '[]', `{"kind":"holiday","id":"${noRecord}"}`, JSON.stringify(institution)];
    const second = [`{"id":"${noRecord}"}`, `{"kind":"invoice","id":"${noRecord}"}`, JSON.stringify({ ...employee, hired_on: 'x' })];
    const { exitCode, stdout } = await importFiles({ 'first.ndjson': first.join('\n'), 'second.ndjson': second.join('\n') }, '--json');
    const { accepted, rejected } = JSON.parse(stdout);
    expect({ exitCode, accepted }).toEqual({ exitCode: 1, accepted: { institution: 1 } });
    expect(rejected).toEqual([
      { file: 'first.ndjson', line: 1, kind: null, id: null, reason: expect.stringContaining('is not valid JSON') },
      { file: 'first.ndjson', line: 2, kind: null, id: null, reason: 'The line is not a JSON object.' },
      { file: 'first.ndjson', line: 3, kind: 'holiday', id: noRecord, reason: '"holiday" is not a known kind.' },
      { file: 'second.ndjson', line: 1, kind: null, id: noRecord, reason: 'The field "kind" is missing.' },
      { file: 'second.ndjson', line: 2, kind: 'invoice', id: noRecord, reason: expect.stringContaining('"invoice"') },
      { file: 'second.ndjson', line: 3, kind: 'employee', id: employee.id, reason: expect.stringContaining('hired_on') },
    ]);
  });

  it('rejects bytes that are no UTF-8', async () => {
    const { stdout } = await importFiles(
      { 'latin1.ndjson': Buffer.from('{"kind":"employee","last_name":"M\u00fcller"}', 'latin1') },
      '--json',
    );
    expect(JSON.parse(stdout).rejected).toEqual([
      { file: 'latin1.ndjson', line: 1, kind: null, id: null, reason: 'The line is not UTF-8.' },
    ]);
  });

  it.each([
    ['gzip', gzipSync('{"kind":"employee"}\n'), 'compressed with gzip. Unpack it: zcat … | stechuhr import -'],
    ['a workbook', Buffer.from('PK\u0003\u0004\n\n\n'), 'a zip archive or a workbook. Unpack it, or save the sheet as CSV'],
    ['UTF-16', Buffer.from('\ufeff{"kind":"employee"}\n', 'utf16le'), 'UTF-16. Save it as UTF-8'],
  ])('says what a file is that is no text: %s', async (_name, content, what) => {
    const { exitCode, stdout, stderr } = await importFiles({ 'export.ndjson': content }, '--json');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe(`export.ndjson is ${what}. What was accepted before is kept.\n`);
  });

  it('shows people a summary and a table of the rejected lines', async () => {
    const { institution } = organization();
    const { exitCode, stdout, stderr } = await importFiles({ 'people.ndjson': `${JSON.stringify(institution)}\n{` });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^institution {2}1 +0$/mu);
    expect(stdout).toMatch(/^people\.ndjson {2}2 +\? +\? +The line is not valid JSON: it ends too early, after character 1\.$/mu);
    expect(stderr).toBe('');
  });

  it('shows warnings with line and nearest name, and rejects them with --strict', async () => {
    const { institution, employee } = organization();
    const workday = {
      ...buildWorkday({ institution_id: institution.id, employee_id: employee.id }),
      ended_at: undefined,
      end_at: '2026-03-02T16:00:00',
    };
    const content = toNdjson([institution, { ...employee, account_id: null }, workday]);
    const strict = await importFiles({ 'typo.ndjson': content }, '--strict', '--json');
    expect({ exitCode: strict.exitCode, ...JSON.parse(strict.stdout) }).toMatchObject({
      exitCode: 1,
      accepted: { institution: 1, employee: 1 },
      rejected: [{ line: 3, kind: 'workday', reason: 'end_at is unknown; did you mean ended_at?' }],
      warnings: [],
    });
    const { exitCode, stdout } = await importFiles({ 'typo.ndjson': content });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^typo\.ndjson {2}3 +workday +\S+ +end_at is unknown; did you mean ended_at\?$/mu);
  });

  it('accepts an empty file', async () => {
    const { exitCode, stdout } = await importFiles({ 'empty.ndjson': '' }, '--json');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"accepted":{},"rejected":[],"warnings":[]}\n' });
  });

  it('sends nothing when one of the files does not exist', async () => {
    const { institution, account } = organization();
    await writeFile(path.join(folder, 'there.ndjson'), toNdjson([institution]));
    const missing = await stechuhr(['import', 'there.ndjson', 'missing.ndjson'], { env: records.env, cwd: folder });
    expect(missing.exitCode).toBe(2);
    expect(missing.stderr).toContain('There is no file missing.ndjson.');
    const { stdout } = await importFiles({ 'account.ndjson': toNdjson([account]) }, '--json');
    expect(JSON.parse(stdout).rejected).toHaveLength(1);
  });

  it('finds a file from the folder in which npm was called', async () => {
    await writeFile(path.join(folder, 'beside.ndjson'), toNdjson([buildInstitution()]));
    const { exitCode } = await stechuhr(['import', 'beside.ndjson'], { env: { ...records.env, INIT_CWD: folder } });
    expect(exitCode).toBe(0);
  });

  it('counts deletions as accepted', async () => {
    const { institution, employee } = organization();
    const deletion = buildDeletion({ kind: 'employee', id: employee.id, institution_id: institution.id });
    await importFiles({ 'all.ndjson': toNdjson([institution, { ...employee, account_id: null }]) });
    const { stdout } = await importFiles({ 'gone.ndjson': toNdjson([deletion]) }, '--json');
    expect(JSON.parse(stdout)).toEqual({ accepted: { employee: 1 }, rejected: [], warnings: [] });
  });

  it('ends when one service interrupts its call while the call to another one is open', async () => {
    // A full message opens the call to records. It does not know the calls of reviews, and refuses them while more messages are sent.
    const institutions = Array.from({ length: 200 }, () => buildInstitution());
    const settings = Array.from({ length: 10_000 }, () => ({ kind: 'review_settings' }));
    const input = [...institutions, ...settings].map((line) => `${JSON.stringify(line)}\n`).join('');
    const { exitCode, stderr } = await stechuhr(['import', '-'], { env: { ...records.env, REVIEWS_ADDRESS: records.address }, input });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(records.address) });
  });

  it('is one import for all files: one event says that it finished', async () => {
    const { institution, employee } = organization();
    const watch = await watchSubjects(records.servers.natsUrl, `stechuhr.events.${institution.id}.records.import.finished`);
    const workday = buildWorkday({ institution_id: institution.id, employee_id: employee.id });
    const lines = [institution, { ...employee, account_id: null }, workday];
    await importFiles({ '1.ndjson': toNdjson(lines.slice(0, 1)), '2.ndjson': toNdjson(lines.slice(1)) });
    const { text } = await watch.next(() => true);
    expect(JSON.parse(text).data).toMatchObject({ accepted: { institution: 1, employee: 1, workday: 1 }, rejected: 0 });
    expect(watch.messages).toHaveLength(1);
    await watch.stop();
  });
});

describe('rows of employees that change while their file is imported', () => {
  /** Imports a CSV file, and other records after the employees were read. @returns what was accepted, and the reasons of rejected rows */
  async function importCsv(
    columns: object,
    { institutionId, rows, meanwhile }: { institutionId: string; rows: string; meanwhile: readonly object[] },
  ) {
    const mapping = readMapping(JSON.stringify({ kind: 'employee', institution_id: institutionId, columns }));
    if (!('kind' in mapping)) throw new Error(mapping.join());
    const reading = readingOf(mapping, await readDirectory(records.address, mapping));
    await importFiles({ 'meanwhile.ndjson': toNdjson(meanwhile) });
    const reasons: string[] = [];
    const found = { rejected: { add: ({ reason }: { reason: string }) => void reasons.push(reason) }, warnings: { add: () => undefined } };
    const session = openImport(() => records.address, found as unknown as Parameters<typeof openImport>[1]);
    try {
      const bytes = Buffer.from(rows);
      const open = async function* () {
        yield await Promise.resolve(bytes);
      };
      await sendCsv(session, { name: 'a.csv', bytes: bytes.length, open }, reading, () => undefined);
      return { accepted: await session.finish(), reasons };
    } finally {
      session.close();
    }
  }

  const reason = 'Another change of the record was written while this import was running. Import the line again.';
  const refused = { accepted: {}, reasons: [reason] };

  it('are rejected, so that neither the change of other fields nor a deletion is undone', async () => {
    const institution = buildInstitution();
    const ids = { institution_id: institution.id };
    const [changed, deleted, other] = ['1', '2', '3'].map((number) => buildEmployee({ ...ids, number, email: 'before@example.org' }));
    await importFiles({ 'stored.ndjson': toNdjson([institution, changed ?? {}, deleted ?? {}, other ?? {}]) });
    const columns = { number: 'Nr', last_name: 'Name' };
    const rows = 'Nr;Name\n1;Neu\n2;Neu\n3;Neu\n';
    const moved = { ...changed, email: 'after@example.org' };
    const meanwhile = [moved, buildDeletion({ kind: 'employee', id: deleted?.id ?? '', ...ids })];
    expect(await importCsv(columns, { institutionId: institution.id, rows, meanwhile })).toEqual({
      accepted: { employee: 1 },
      reasons: [reason, reason],
    });
    // Nothing has changed since: the row is accepted, and the field that it does not name is kept.
    expect(
      await importCsv(columns, { institutionId: institution.id, rows: 'Nr;Name\n1;Neu\n', meanwhile: [{ ...moved, last_name: 'Neu' }] }),
    ).toEqual({
      accepted: { employee: 1 },
      reasons: [],
    });
  });

  it('are rejected if another import has created the employee', async () => {
    const institution = buildInstitution();
    await importFiles({ 'stored.ndjson': toNdjson([institution]) });
    const columns = { number: 'Nr', first_name: 'Vorname', last_name: 'Name', hired_on: 'Ab' };
    const id = uuidV5(institution.id, 'csv/employee/1');
    const meanwhile = [buildEmployee({ institution_id: institution.id, id, number: '1', email: 'eva@example.org' })];
    const rows = 'Nr;Vorname;Name;Ab\n1;Eva;Neu;01.02.2026\n';
    expect(await importCsv(columns, { institutionId: institution.id, rows, meanwhile })).toEqual(refused);
  });
});
