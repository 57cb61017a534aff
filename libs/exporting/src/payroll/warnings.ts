import { significantDigits } from '@stechuhr/kernel';
import type { AbsenceType } from '@stechuhr/worktime';
import type { ExportDirectory, StaffMember, StaffRecords } from '../directory.js';
import type { SkippedStaff } from '../select-staff.js';
import { matching } from '../settle-staff.js';
import { neededParts, type NeededParts } from '../needed-parts.js';
import type { ExportRequest } from '../request/export-request.js';
import type { FixedLayout } from './fixed-layout.js';
import { fixedLayoutOf } from './registry.js';

/** Problems that are not visible in a payroll file. */
export type WarningCode =
  | 'shared-accounting-number'
  | 'unusable-accounting-number'
  | 'absence-without-wage-code'
  | 'staff-left-out'
  | 'open-review-errors'
  | 'review-unknown';

/** A problem with a payroll file that should be known before the file is imported. */
export interface ExportWarning {
  readonly code: WarningCode;
  /** The accounting number, the value of the absence type, the reason why employees are left out, or the month. */
  readonly about: string;
  /** A sentence with the names of the employees. */
  readonly message: string;
}

/** The input for finding warnings. */
export interface WarningInput {
  readonly request: ExportRequest;
  readonly directory: ExportDirectory;
  /** The staff of the file, before filters on records are applied. */
  readonly staff: readonly StaffMember[];
  /** Selected staff that is not in the file. */
  readonly skipped: readonly SkippedStaff[];
  /** Reads records of employees, in the given order: their absences, and what filters on records need. */
  readonly read: (staff: readonly StaffMember[], parts: NeededParts) => AsyncIterable<StaffRecords>;
}

/** Returns the warnings about a payroll file; other exporters have none (docs/rules/exports.md#warnings). */
export async function payrollWarnings(input: WarningInput): Promise<readonly ExportWarning[]> {
  const layout = fixedLayoutOf(input.request.exporter);
  if (layout === undefined) return [];
  const staff = await staffOfFile(input);
  return [
    ...withoutNumber(input),
    ...sharedNumbers(staff),
    ...unusableNumbers(layout, staff),
    ...(await uncodedAbsences(layout, { ...input, staff })),
  ];
}

/**
 * Returns the employees who are in the file; others cause no warnings. Records are only read if there are filters on records, and are not
 * kept, because those of a year of a large company would exhaust memory.
 */
async function staffOfFile({ request, staff, ...input }: WarningInput): Promise<readonly StaffMember[]> {
  const [section] = request.sections;
  if (section === undefined || section.filters.every(({ scope }) => scope === 'staff')) return staff;
  const parts = neededParts({ ...section, types: [] });
  const found: StaffMember[] = [];
  for await (const sheet of matching(section, staff, { ...input, parts })) found.push(sheet.staff);
  return found;
}

/**
 * Reports employees without a number. Employees who are left out because they are archived or have left are expected, so they cause no
 * warning.
 */
function withoutNumber({ directory, skipped }: WarningInput): readonly ExportWarning[] {
  const reason = 'no-accounting-number';
  const ids = new Set(skipped.flatMap((one) => (one.reason === reason ? [one.id] : [])));
  if (ids.size === 0) return [];
  const staff = directory.staff.filter(({ id }) => ids.has(id));
  const counted =
    staff.length === 1 ? '1 employee without accounting number is' : `${String(staff.length)} employees without accounting number are`;
  return [{ code: 'staff-left-out', about: reason, message: `${counted} not in the file: ${named(staff)}.` }];
}

function sharedNumbers(staff: readonly StaffMember[]): readonly ExportWarning[] {
  const byNumber = Map.groupBy(staff, ({ accountingNumber }) => significantDigits(accountingNumber ?? '') ?? accountingNumber ?? '');
  return [...byNumber]
    .filter(([, sharing]) => sharing.length > 1)
    .map(([about, sharing]) => ({
      code: 'shared-accounting-number',
      about,
      message: `The accounting number ${about} is shared by ${String(sharing.length)} employees, whom a payroll program adds up: ${named(sharing)}.`,
    }));
}

function unusableNumbers({ numbers }: FixedLayout, staff: readonly StaffMember[]): readonly ExportWarning[] {
  if (numbers === undefined) return [];
  const unusable = staff.filter(({ accountingNumber }) => accountingNumber !== null && !numbers.accepts(accountingNumber));
  return unusable.map((member) => ({
    code: 'unusable-accounting-number',
    about: member.accountingNumber ?? '',
    message: `The accounting number ${member.accountingNumber ?? ''} of ${nameOf(member)} is not ${numbers.form}.`,
  }));
}

/**
 * Reports absences without a wage code, also those of types that the institution does not have any more. Weekdays and holidays are ignored:
 * every absence that overlaps the period is worth a warning.
 */
async function uncodedAbsences(layout: FixedLayout, { request, directory, staff, read }: WarningInput): Promise<readonly ExportWarning[]> {
  const types = new Map(directory.institution.absenceTypes.map((type) => [type.value, type]));
  const [section] = request.sections;
  if (staff.length === 0 || section === undefined) return [];
  const { period } = section;
  const members = new Map(staff.map((member) => [member.id, member]));
  const absent = new Map<string, StaffMember[]>();
  for await (const { employeeId, absences } of read(staff, absencesIn(period))) {
    const member = members.get(employeeId);
    const inPeriod = absences.filter(({ startsOn, endsOn }) => startsOn <= period.last && endsOn >= period.first);
    for (const value of new Set(inPeriod.map(({ missingType }) => missingType))) {
      const type = types.get(value);
      if (member === undefined || (type !== undefined && layout.absences.has(type.category))) continue;
      const others = absent.get(value);
      if (others === undefined) absent.set(value, [member]);
      else others.push(member);
    }
  }
  return Array.from(absent, ([value, who]) => ({
    code: 'absence-without-wage-code',
    about: value,
    message: `Absences of type ${typeNamed(value, types.get(value))} have no wage code in ${request.exporter} and are not in the file: ${named(who)}.`,
  }));
}

function typeNamed(value: string, type: AbsenceType | undefined): string {
  return type === undefined ? `${value}, which is not configured,` : `${type.label} (${value})`;
}

function absencesIn(days: NeededParts['days']): NeededParts {
  return {
    days,
    contracts: false,
    absences: true,
    workdays: false,
    timespans: false,
    openingBalances: false,
    vacation: false,
    vacationBefore: false,
  };
}

const MAX_NAMED = 5;

function named(staff: readonly StaffMember[]): string {
  const more = staff.length - MAX_NAMED;
  const names = staff.slice(0, MAX_NAMED).map(nameOf).join(', ');
  return more > 0 ? `${names} and ${String(more)} more` : names;
}

function nameOf({ firstName, lastName, number }: StaffMember): string {
  return `${firstName} ${lastName} (${number})`;
}
