import { generateDemo, type DemoRecord } from '@stechuhr/demo-firm';
import {
  parseExportRequest,
  selectStaff,
  settleStaff,
  writeExport,
  type ExportDirectory,
  type ExporterName,
  type StaffMember,
  type StaffRecords,
} from '@stechuhr/exporting';
import { firstDayOfMonth, parseLocalDate, parseLocalDateTime, type EpochDay } from '@stechuhr/worktime';

type Of<K extends DemoRecord['kind']> = Extract<DemoRecord, { readonly kind: K }>;

/** Every employee has some days left. The real balances are calculated by the absence-rules service. */
const VACATION = { granted: 9_000, taken: 6_000, remaining: 2_500, expiring: 2_500 };
const VACATION_BEFORE = { granted: 6_000, taken: 5_000, remaining: 1_000, expiring: 1_000 };

/** The response of an export. */
interface Exported {
  readonly rows: number;
  readonly text: string;
}

/** Runs exports of the demo organization as of a given day, without servers. */
export function demoExports(today: EpochDay): (exporter: ExporterName, query: string) => Promise<Exported> {
  const { records } = generateDemo({ seed: 'stechuhr', employees: 25, months: 4, today, hasStarted: true });
  const kinds = Map.groupBy(records, ({ kind }) => kind);
  const all = <K extends DemoRecord['kind']>(kind: K) => (kinds.get(kind) ?? []).filter((one): one is Of<K> => one.kind === kind);
  const directory = directoryOf(all('institution'), all('employee'), all('department'), all('project'));
  const staffRecords = directory.staff.map(({ id }) => recordsOf(id, all));
  return async (exporter, query) => {
    const request = parseExportRequest(exporter, Object.fromEntries(new URLSearchParams(query)), directory);
    const read = (staff: readonly StaffMember[]) => streamOf(staffRecords.filter((one) => staff.some(({ id }) => id === one.employeeId)));
    const { sections } = await settleStaff(await selectStaff(request, directory), { request, directory, read });
    const stats = { rows: 0 };
    const sources = sections.map((staff) => ({ staff, records: read(staff) }));
    const chunks: Uint8Array[] = [];
    for await (const chunk of writeExport({ request, directory, sources, stats })) chunks.push(Uint8Array.from(chunk));
    return { rows: stats.rows, text: Buffer.concat(chunks).toString() };
  };
}

function directoryOf(
  [institution]: readonly Of<'institution'>[],
  employees: readonly Of<'employee'>[],
  departments: readonly Of<'department'>[],
  projects: readonly Of<'project'>[],
): ExportDirectory {
  if (institution === undefined) throw new Error('The demo has no institution.');
  return {
    institution: {
      id: institution.id,
      name: institution.name,
      federalState: institution.federal_state,
      payrollClientNumber: institution.payroll_client_number,
      absenceTypes: institution.absence_types,
    },
    staff: employees.map((one) => ({
      id: one.id,
      accountId: one.account_id,
      number: one.number,
      accountingNumber: one.accounting_number,
      firstName: one.first_name,
      lastName: one.last_name,
      email: one.email,
      departmentId: one.department_id,
      customFields: one.custom_fields,
      hiredOn: day(one.hired_on),
      leftOn: dayOrNull(one.left_on),
      archivedOn: dayOrNull(one.archived_on),
    })),
    departments: new Map(departments.map((one) => [one.id, { id: one.id, name: one.name, costCenter: one.cost_center }])),
    projects: new Map(projects.map((one) => [one.id, { ...one, costCenter: one.cost_center }])),
  };
}

function recordsOf(employeeId: string, all: <K extends DemoRecord['kind']>(kind: K) => readonly Of<K>[]): StaffRecords {
  const own = <R extends { readonly employee_id: string }>(records: readonly R[]) =>
    records.filter((one) => one.employee_id === employeeId);
  return {
    employeeId,
    contracts: own(all('contract')).map((one) => ({
      id: one.id,
      validFrom: day(one.valid_from),
      validTo: dayOrNull(one.valid_to),
      plannedMinutes: one.planned_minutes,
      overtimeMinHours: one.overtime_min_hours,
      overtimeMaxHours: one.overtime_max_hours,
    })),
    absences: own(all('absence')).map((one) => ({
      id: one.id,
      missingType: one.missing_type,
      startsOn: day(one.starts_on),
      endsOn: day(one.ends_on),
      dayPart: one.day_part,
      hoursPerDay: one.hours_per_day,
    })),
    workdays: own(all('workday')).map((one) => ({
      ...interval(one),
      id: one.id,
      date: day(one.date),
      timespans: one.timespans.map((span) => ({
        ...interval(span),
        id: span.id,
        type: span.type,
        projectId: span.project_id,
        comment: span.comment,
      })),
    })),
    openingBalances: own(all('workmonth')).map((one) => ({ day: firstDayOfMonth(one), seconds: one.opening_balance_minutes * 60 })),
    vacation: VACATION,
    vacationBefore: VACATION_BEFORE,
  };
}

function day(text: string): EpochDay {
  const parsed = parseLocalDate(text);
  if (parsed === undefined) throw new Error(`${text} is no date`);
  return parsed;
}

function dayOrNull(text: string | null): EpochDay | null {
  return text === null ? null : day(text);
}

function interval(one: { readonly started_at: string; readonly ended_at: string | null }) {
  return { startedAt: instant(one.started_at), endedAt: one.ended_at === null ? null : instant(one.ended_at) };
}

function instant(text: string): number {
  const parsed = parseLocalDateTime(text);
  if (parsed.kind !== 'ok') throw new Error(`${text} is no local time`);
  return parsed.instant;
}

async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  for (const item of items) yield await Promise.resolve(item);
}
