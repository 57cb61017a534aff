import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@stechuhr/kernel';
import {
  buildAbsence,
  buildAccount,
  buildContract,
  buildDeletion,
  buildDepartment,
  buildEmployee,
  buildInstitution,
  buildProject,
  buildWorkmonth,
  toNdjson,
} from '@stechuhr/testing';
import { startDailyReports, type RunningDailyReports } from './support/daily-reports.js';
import { startRecords, type RunningRecords } from './support/records.js';
import { startReviews } from './support/reviews.js';
import { stechuhr } from './support/stechuhr.js';

type Line = object;

/** Each case uses an institution of its own, so that one import can contain all of them. */
interface Case {
  readonly name: string;
  /** Imported beforehand. */
  readonly stored: readonly Line[];
  readonly lines: readonly Line[];
  /** Reasons by the position of the line in the case. */
  readonly rejected: Readonly<Record<number, string>>;
}

type Firm = ReturnType<typeof firm>;

function firm() {
  const institution = buildInstitution();
  const ids = { institution_id: institution.id };
  const department = buildDepartment(ids);
  const account = buildAccount(ids);
  const employee = buildEmployee({ ...ids, account_id: account.id, department_id: department.id });
  const project = buildProject(ids);
  const all: readonly Line[] = [institution, department, account, employee, project];
  const gone = ({ kind, id }: { kind: string; id: string }): Line => buildDeletion({ kind, id, ...ids });
  const day = { tag_id: project.id, date: '2026-03-02' };
  return {
    ...{ institution, ids, department, account, employee, project, all, gone },
    month: (given: { readonly month?: number } = {}) => buildWorkmonth({ ...ids, employee_id: employee.id, ...given }),
    entry: (given: Line = {}): Line => {
      const place = { ...day, field_id: 'comments', author_id: account.id };
      return { kind: 'daily_report_entry', ...ids, id: newId(), ...place, value: 'Regen bis mittags', ...given };
    },
    form: (validFrom: string, given: Line = {}): Line => {
      const fields = [{ id: 'notes', type: 'string', label: 'Notizen', config: {} }];
      return { kind: 'daily_report_form', ...ids, id: newId(), valid_from: validFrom, fields, ...given };
    },
    status: (status: string, given: Line = {}): Line => {
      const change = { ...day, actor_id: account.id, at: '2026-03-02T18:00:00', status };
      return { kind: 'daily_report_status', ...ids, id: newId(), ...change, ...given };
    },
  };
}

function inFirm(name: string, of: (firm: Firm) => Omit<Case, 'name' | 'stored'> & { readonly stored?: readonly Line[] }): Case {
  const own = firm();
  return { name, stored: own.all, ...of(own) };
}

const other = firm();

const cases: readonly Case[] = [
  inFirm('everything new, in any order', (f) => ({
    stored: [],
    lines: [f.entry(), f.status('submitted'), f.month(), { kind: 'review_settings', ...f.ids }, ...f.all.toReversed()],
    rejected: {},
  })),
  inFirm('references to nothing', (f) => ({
    lines: [
      buildContract({ ...f.ids, employee_id: other.employee.id }),
      f.entry({ tag_id: other.project.id }),
      f.status('submitted', { actor_id: other.account.id }),
      { kind: 'review_settings', institution_id: f.employee.id },
    ],
    rejected: {
      0: 'employee_id names no employee of the institution: ',
      1: 'tag_id names no project of the institution: ',
      2: 'actor_id names no account of the institution: ',
      3: 'institution_id names no institution: ',
    },
  })),
  inFirm('references to what lines before delete', (f) => ({
    lines: [f.gone(f.department), f.gone(f.project), buildEmployee({ ...f.ids, department_id: f.department.id }), f.entry()],
    rejected: { 2: 'department_id names no department of the institution: ', 3: 'tag_id names no project of the institution: ' },
  })),
  inFirm('everything of an institution that is deleted', (f) => ({
    lines: [f.gone(f.institution), f.employee, f.entry()],
    rejected: { 1: 'institution_id names no institution: ', 2: 'institution_id names no institution: ' },
  })),
  inFirm('ids of another institution, stored and in the file', (f) => {
    const employee = buildEmployee(f.ids);
    const stolen = { ...employee, ...other.ids };
    return {
      lines: [{ ...other.employee, ...f.ids, account_id: null, department_id: null }, employee, stolen],
      rejected: { 0: 'id belongs to a record of another institution.', 2: 'id belongs to a record of another institution.' },
    };
  }),
  inFirm('a second record of a month', (f) => {
    const moved = f.month();
    return {
      lines: [moved, f.month(), { ...moved, month: 4 }, f.month(), f.month({ month: 4 })],
      // A record that moves to another month frees its old one for later lines.
      rejected: { 1: 'year and month already have', 4: 'year and month already have' },
    };
  }),
  inFirm('a second record of a stored month', (f) => {
    const kept = f.month();
    // A deletion frees what later lines of the same import need.
    return { stored: [...f.all, kept], lines: [f.month(), f.gone(kept), f.month()], rejected: { 2: 'year and month already have' } };
  }),
  inFirm('lines that are wrong by themselves, and unknown fields', (f) => ({
    lines: [{ ...f.employee, hired_on: 'soon' }, { ...f.project, colour: 'red' }, f.entry({ date: null }), { kind: 'invoice' }],
    rejected: { 0: 'hired_on must be', 2: 'date is required.', 3: '"invoice" is not a known kind.' },
  })),
  inFirm('forms of one day, and entries without a field', (f) => {
    const kept = f.form('2026-01-01');
    return {
      stored: [...f.all, kept],
      lines: [f.form('2026-01-01'), f.form('2026-02-01'), f.form('2026-02-01'), f.entry(), f.entry({ field_id: 'notes' })],
      rejected: {
        0: 'valid_from is that of another form of the institution.',
        2: 'valid_from is that of another form of the institution.',
        3: 'field_id names no field of the form',
      },
    };
  }),
  inFirm('entries that contradict themselves', (f) => {
    const kept = f.entry();
    const fresh = f.entry();
    return {
      stored: [...f.all, kept],
      lines: [{ ...kept, value: 'anders' }, fresh, { ...fresh, value: 'auch anders' }, fresh],
      rejected: { 0: 'id belongs to another entry; entries never change.', 2: 'id belongs to another entry; entries never change.' },
    };
  }),
  inFirm('changes of status that no report makes', (f) => {
    const first = f.status('submitted');
    return {
      lines: [first, f.status('submitted'), f.status('closed'), f.status('submitted'), { ...first, at: '2026-03-03T08:00:00' }],
      rejected: { 3: 'A report that is closed cannot become submitted.', 4: 'id belongs to another change of status.' },
    };
  }),
  inFirm('entries of an archived report', (f) => ({
    stored: [...f.all, f.status('closed'), f.status('archived', { at: '2026-03-02T19:00:00' })],
    lines: [f.entry()],
    rejected: { 0: 'The report of that day is archived.' },
  })),
  inFirm('accounting numbers that employees share', (f) => {
    const lines = [1, 2].map(() => buildEmployee({ ...f.ids, accounting_number: '4711' }));
    return { lines, rejected: {} };
  }),
  inFirm('the type of an absence, which the institution loses', (f) => ({
    stored: [...f.all, buildAbsence({ ...f.ids, employee_id: f.employee.id, missing_type: 'vacation' })],
    lines: [{ ...f.institution, absence_types: [] }],
    rejected: {},
  })),
];

interface Result {
  readonly accepted: Readonly<Record<string, number>>;
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly warnings: readonly { readonly line: number | null; readonly message: string }[];
}

let records: RunningRecords;
let reports: RunningDailyReports;
let reviews: Awaited<ReturnType<typeof startReviews>>;
let dry: Result;
let dryAgain: Result;
let written: Result;
let repeated: Result;
beforeAll(async () => {
  records = await startRecords();
  [reports, reviews] = await Promise.all([startDailyReports(records), startReviews(records)]);
  await run(cases.flatMap(({ stored }) => stored).concat(other.all));
  const lines = cases.flatMap((one) => one.lines);
  dry = await run(lines, '--dry-run');
  written = await run(lines);
  dryAgain = await run(lines, '--dry-run');
  repeated = await run(lines);
});
afterAll(async () => {
  await Promise.all([reports.stop(), reviews.stop()]);
  await records.stop();
});

async function run(lines: readonly Line[], ...options: string[]): Promise<Result> {
  const env = { ...records.env, ...reports.env, ...reviews.env };
  const { stdout, stderr } = await stechuhr(['import', '--json', ...options, '-'], { env, input: toNdjson(lines) });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Result;
}

/** The reasons that a result gives for the lines of one case. */
function reasonsOf({ rejected }: Result, index: number): Record<number, string> {
  const first = cases.slice(0, index).reduce((sum, { lines }) => sum + lines.length, 1);
  const end = first + (cases[index]?.lines.length ?? 0);
  return Object.fromEntries(rejected.filter(({ line }) => line >= first && line < end).map(({ line, reason }) => [line - first, reason]));
}

describe('stechuhr import --dry-run', () => {
  it.each(cases.map(({ name, rejected }, index) => ({ name, rejected, index })))(
    'finds what a write finds: $name',
    ({ rejected, index }) => {
      const expected = Object.fromEntries(Object.entries(rejected).map(([line, reason]) => [line, expect.stringContaining(reason)]));
      expect(reasonsOf(written, index)).toEqual(expected);
      expect(reasonsOf(dry, index)).toEqual(reasonsOf(written, index));
      expect(reasonsOf(dryAgain, index)).toEqual(reasonsOf(repeated, index));
    },
  );

  it('counts and warns as a write does', () => {
    expect({ ...dry, rejected: [] }).toEqual({ ...written, rejected: [] });
    expect(dry.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('colour is unknown'),
      expect.stringContaining('The accounting number 4711 is shared by 2 employees'),
      expect.stringContaining('Absences of the type vacation: 1.'),
    ]);
    expect({ ...dryAgain, rejected: [] }).toEqual({ ...repeated, rejected: [] });
  });
});
