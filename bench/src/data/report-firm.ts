import { addDays, epochDay, formatLocalDate } from '@stechuhr/worktime';
import { firmId } from './firm-id.js';
import { randomFrom } from './random.js';

/** A firm with daily reports, each of twelve entries: the same number of reports is the same firm. */
export interface ReportFirm {
  /** Tells firms of one platform apart, and seeds. */
  readonly number: number;
  readonly reports: number;
}

const PROJECTS = 40;
const EMPLOYEES = 60;
const CREW = 4;
const LAST_DAY = epochDay(2025, 12, 31);
const TIMES = ['07:00', '12:00', '17:00'];
const CONDITIONS = ['sunny', 'cloudy', 'precipitation', 'snow'];
/** As long as a drawn signature is. */
const SIGNATURE = `data:image/png;base64,${'iVBORw0KGgoAAAAN'.repeat(190)}`;

export const reportInstitution = ({ number }: ReportFirm): string => firmId(number, 'institution', 0);
export const reportAdministrator = ({ number }: ReportFirm): string => firmId(number, 'account', 1);

/** Ids of the reports, `<project>|<date>`, in the order in which they are listed. */
export function reportIds({ number, reports }: ReportFirm): readonly string[] {
  return Array.from({ length: reports }, (_, index) => {
    const { project, date } = placeOf(number, index);
    return `${project}|${date}`;
  });
}

/** Day after day back into the past, on each of them all projects. */
function placeOf(number: number, index: number): { readonly project: string; readonly date: string } {
  return { project: firmId(number, 'project', index % PROJECTS), date: formatLocalDate(addDays(LAST_DAY, -Math.floor(index / PROJECTS))) };
}

/** The import lines in groups of reports, references first. */
export function* reportFirmRecords(firm: ReportFirm, reportsAGroup: number): Generator<Iterable<object>> {
  for (let first = 0; first < firm.reports; first += reportsAGroup) {
    yield groupRecords(firm, first, Math.min(first + reportsAGroup, firm.reports));
  }
}

function* groupRecords(firm: ReportFirm, first: number, end: number): Generator<object> {
  if (first === 0) yield* masterRecords(firm);
  for (let index = first; index < end; index += 1) yield* reportRecords(firm, index);
}

function* masterRecords(firm: ReportFirm): Generator<object> {
  const { number } = firm;
  const institution_id = reportInstitution(firm);
  const settings = { federal_state: 'DE-BY', payroll_client_number: '12345', absence_types: [] };
  yield { kind: 'institution', id: institution_id, institution_id, name: 'Berichtsbau GmbH', ...settings };
  for (const n of [1, 2, 3]) {
    const person = { first_name: 'Ada', last_name: `Polier ${n}`, email: `ada${n}@example.com` };
    yield {
      kind: 'account',
      id: firmId(number, 'account', n),
      institution_id,
      ...person,
      role: 'admin',
      department_ids: [],
      project_ids: null,
    };
  }
  for (let n = 0; n < PROJECTS; n += 1) {
    const about = { name: `Neubau "Haus ${n}"`, code: `P-${n}`, color: '#336699', address: `Straße ${n}, 80331 München` };
    const billing = { cost_center: '4711', client: 'Bauherr AG', daily_reports_enabled: true, archived: false };
    yield { kind: 'project', id: firmId(number, 'project', n), institution_id, ...about, ...billing };
  }
  for (let n = 0; n < EMPLOYEES; n += 1) {
    const person = { number: String(n), accounting_number: null, first_name: 'Max', last_name: `Maurer ${n}`, email: null };
    const place = { account_id: null, department_id: null, custom_fields: { position: 'Maurer' }, entitlements: [] };
    const times = { hired_on: '2020-01-01', left_on: null, archived_on: null };
    yield { kind: 'employee', id: firmId(number, 'employee', n), institution_id, ...person, ...place, ...times };
  }
}

function* reportRecords(firm: ReportFirm, index: number): Generator<object> {
  const { number } = firm;
  const { project: tag_id, date } = placeOf(number, index);
  const random = randomFrom(number * 1_000_003 + index);
  const pick = (below: number): number => Math.floor(random() * below);
  const at = `${date}T16:00:00`;
  const first = pick(EMPLOYEES);
  const crew = Array.from({ length: CREW }, (_, n) => firmId(number, 'employee', (first + n) % EMPLOYEES));
  const author = (): string => firmId(number, 'account', 1 + pick(3));
  const values: readonly object[] = [
    ...TIMES.map((time) => ({ field_id: 'weather', time, temperature: pick(30), weather_condition: CONDITIONS[pick(4)] })),
    ...crew.map((on_behalf_of_id) => ({ field_id: 'employee-working-times', author_id: null, on_behalf_of_id, hours: 4 + pick(20) / 4 })),
    { field_id: 'activities', author_id: null, on_behalf_of_id: crew[0], text: `Mauerwerk, Achse ${pick(9)}` },
    { field_id: 'subcontractors', name: 'Gerüstbau Hofbauer GmbH', employees: 1 + pick(5), hours: pick(40) },
    { field_id: 'materials', value: `Transportbeton C25/30, ${pick(60)} m³` },
    { field_id: 'comments', value: 'Zufahrt am Vormittag durch Anlieger zugeparkt.' },
    { field_id: 'signatures', on_behalf_of_id: crew[0], image: SIGNATURE },
  ];
  for (const [n, value] of values.entries()) {
    const id = firmId(number, 'report-entry', index * values.length + n);
    const times = { submitted_at: at, created_at: at, modified_at: at };
    const place = { institution_id: reportInstitution(firm), tag_id, date };
    yield { kind: 'daily_report_entry', id, ...place, author_id: author(), ...times, ...value };
  }
}
