import { AppError } from '@stechuhr/kernel';
import { parseLocalDate, parseLocalDateTime, type Absence, type Contract, type Timespan, type Workday } from '@stechuhr/worktime';
import type { ExportDirectory, StaffMember, StaffRecords } from '../directory.js';
import { parseExportRequest } from '../request/parse-request.js';
import type { SectionRequest } from '../request/export-request.js';
import { selectStaff, type SkippedStaff } from '../select-staff.js';
import { settleStaff, type SettleInput } from '../settle-staff.js';
import { writeExport, type ExportStats } from '../write-export.js';

/** A UUID that ends in a number. */
export function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** A calendar date. */
export function day(text: string): number {
  const parsed = parseLocalDate(text);
  if (parsed === undefined) throw new Error(`${text} is no date`);
  return parsed;
}

/** A local time in Berlin. */
export function at(text: string): number {
  const parsed = parseLocalDateTime(text);
  if (parsed.kind !== 'ok') throw new Error(`${text} is no local time`);
  return parsed.instant;
}

export function member(fields: Partial<StaffMember> & { readonly id: string }): StaffMember {
  return {
    number: '1',
    accountingNumber: null,
    firstName: 'Anna',
    lastName: 'Abel',
    email: null,
    departmentId: null,
    customFields: {},
    hiredOn: day('2020-01-01'),
    leftOn: null,
    archivedOn: null,
    ...fields,
  };
}

export const anna = member({
  id: id(1),
  number: '0042',
  accountingNumber: '1001',
  email: 'anna@example.com',
  departmentId: id(11),
  customFields: { position: 'Polierin', Größe: 'M' },
});
export const bernd = member({
  id: id(2),
  number: '7',
  firstName: 'Bernd',
  lastName: 'Çelik',
  departmentId: id(12),
  hiredOn: day('2026-02-01'),
});
export const carla = member({ id: id(3), number: '8', firstName: 'Carla', lastName: 'Dorn', archivedOn: day('2026-03-31') });

export const directory: ExportDirectory = {
  institution: {
    id: id(100),
    name: 'Bau GmbH',
    federalState: 'DE-BY',
    payrollClientNumber: null,
    absenceTypes: [
      { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true },
      { value: 'sick', label: 'Krank', category: 'sick', credited: true },
    ],
  },
  staff: [anna, bernd, carla],
  departments: new Map([
    [id(11), { id: id(11), name: 'Hochbau', costCenter: '4100' }],
    [id(12), { id: id(12), name: 'Tiefbau', costCenter: null }],
  ]),
  projects: new Map([[id(21), { id: id(21), name: 'Kita "Spatz"', code: 'P-100', client: 'Stadt', costCenter: '77' }]]),
};

/** Easter week 2026: Good Friday is the 3rd, Easter Monday the 6th. */
export const EASTER = '2026-04-01|2026-04-07';

/** Eight hours from Monday to Thursday, six on Fridays. */
export const contract: Contract = {
  id: id(31),
  validFrom: day('2020-01-01'),
  validTo: null,
  plannedMinutes: [480, 480, 480, 480, 360, 0, 0],
  overtimeMinHours: null,
  overtimeMaxHours: null,
};

/** A timespan of a workday. */
export function span(type: Timespan['type'], start: string, end: string, rest: Partial<Timespan> = {}): Timespan {
  return { id: id(500), type, startedAt: at(start), endedAt: at(end), projectId: null, comment: null, ...rest };
}

/** A shift, dated by its local start. */
export function shift(number: number, start: string, end: string | null, timespans: readonly Timespan[] = []): Workday {
  return { id: id(number), date: day(start.slice(0, 10)), startedAt: at(start), endedAt: end === null ? null : at(end), timespans };
}

export function absence(fields: Partial<Absence>): Absence {
  const first = day('2026-04-07');
  return { id: id(60), missingType: 'vacation', startsOn: first, endsOn: first, dayPart: 1, hoursPerDay: null, ...fields };
}

export function records(employeeId: string, fields: Partial<StaffRecords> = {}): StaffRecords {
  return { employeeId, contracts: [], absences: [], workdays: [], openingBalances: [], ...fields };
}

/** Anna's Easter week; the expected totals are derived in row-types.test.ts. */
export const annasWeek = records(anna.id, {
  contracts: [contract],
  absences: [absence({ dayPart: 0.5 })],
  workdays: [
    shift(404, '2026-04-07T07:00', null),
    shift(403, '2026-04-04T08:00', '2026-04-04T12:00:20'),
    shift(402, '2026-04-02T22:00', '2026-04-03T06:30', [span('break', '2026-04-03T02:00', '2026-04-03T02:30')]),
    shift(401, '2026-04-01T07:00', '2026-04-01T15:45', [
      span('work', '2026-04-01T07:00', '2026-04-01T12:00', { id: id(501), projectId: id(21), comment: 'Mauern, "EG"' }),
      span('break', '2026-04-01T12:00', '2026-04-01T12:45', { id: id(502) }),
      span('work', '2026-04-01T12:45', '2026-04-01T15:45', { id: id(503), comment: '=1+1' }),
    ]),
    shift(400, '2026-03-31T22:00', '2026-04-01T02:00'),
  ],
});

/** Returns the field errors of an invalid request; fails if the request is valid. */
export function errorsOf(parameters: Record<string, string>, exporter = 'generic'): unknown {
  try {
    parseExportRequest(exporter, { daterange: EASTER, ...parameters }, directory);
  } catch (error) {
    return error instanceof AppError ? (error.details ?? error.code) : error;
  }
  throw new Error('The request is valid.');
}

/** The only section of a valid request over Easter week. */
export function sectionOf(parameters: Record<string, string>, known: ExportDirectory = directory): SectionRequest {
  const [section] = parseExportRequest('generic', { daterange: EASTER, ...parameters }, known).sections;
  if (section === undefined) throw new Error('The request has no section.');
  return section;
}

/** Returns the staff of a request, and the employees who are left out. */
export async function staffOf(parameters: Record<string, string>, known: ExportDirectory = directory): Promise<Staff> {
  const { sections, skipped } = await selectStaff(parseExportRequest('generic', { daterange: EASTER, ...parameters }, known), known);
  return { included: sections.flat(), skipped };
}

interface Staff {
  readonly included: readonly StaffMember[];
  readonly skipped: readonly SkippedStaff[];
}

/** The export of a test; by default with the records of Anna's week. */
export interface Run {
  readonly exporter?: string;
  readonly records?: readonly StaffRecords[];
  readonly directory?: ExportDirectory;
  readonly stats?: ExportStats;
}

/** Returns the chunks of an export of Easter week; a raw file by default. */
export async function chunksOf(parameters: Record<string, string>, run: Run = {}): Promise<Buffer[]> {
  const known = run.directory ?? directory;
  const request = parseExportRequest(run.exporter ?? 'generic', { daterange: EASTER, response_only: 'true', ...parameters }, known);
  const all = run.records ?? [annasWeek];
  const read: SettleInput['read'] = (staff) =>
    streamOf(all.filter(({ employeeId }) => staff.some(({ id: known }) => known === employeeId)));
  const { sections } = await settleStaff(await selectStaff(request, known), { request, directory: known, read });
  const sources = sections.map((staff) => ({ staff, records: streamOf(all) }));
  const job = { request, directory: known, sources };
  const chunks: Buffer[] = [];
  for await (const chunk of writeExport(run.stats === undefined ? job : { ...job, stats: run.stats })) chunks.push(Buffer.from(chunk));
  return chunks;
}

/** Returns the body of such an export as text. */
export async function bodyOf(parameters: Record<string, string>, run: Run = {}): Promise<string> {
  return Buffer.concat(await chunksOf(parameters, run)).toString('utf8');
}

/** Returns the lines of a csv export without its header. */
export async function linesOf(parameters: Record<string, string>, run: Run = {}): Promise<readonly string[]> {
  return (await bodyOf(parameters, run)).split('\r\n').slice(1, -1);
}

export async function* streamOf<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  for (const item of items) yield await Promise.resolve(item);
}
