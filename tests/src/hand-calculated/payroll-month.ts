import { adminId, employeeIds, firm, institutionId, leaderId, type Line } from './firm.js';

/**
 * The firm's October 2025 for payroll, with more employees for special cases: unusual names, sickness on a holiday, a Sunday shift across
 * midnight, two employees who left before the month, and an accounting number that is not a number.
 */
const hall = 'd0000000-0000-4000-8000-000000000003';
const highRise = 'd0000000-0000-4000-8000-000000000001';
/** A name with quotes, a semicolon, a line break, and the beginning of a spreadsheet formula. */
const HALL = '=Bau "Nord"; Halle\n2';

export const payrollIds = { ...employeeIds, Łukasz: employeeId(21), Left: employeeId(22), Late: employeeId(23), Zoë: employeeId(24) };

function employeeId(n: number): string {
  return `e0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

const line = (kind: string, fields: Line): Line => ({ kind, institution_id: institutionId, ...fields });

function employee(name: 'Łukasz' | 'Left' | 'Late' | 'Zoë', fields: Line): Line {
  return line('employee', {
    id: payrollIds[name],
    account_id: null,
    number: name,
    email: null,
    department_id: highRise,
    custom_fields: {},
    hired_on: '2020-01-01',
    left_on: null,
    archived_on: null,
    entitlements: [],
    ...fields,
  });
}

function contract(name: 'Łukasz' | 'Left' | 'Late', n: number): Line {
  return line('contract', {
    id: `b1000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    employee_id: payrollIds[name],
    valid_from: '2020-01-01',
    valid_to: null,
    planned_minutes: [480, 480, 480, 480, 480, 0, 0],
    overtime_min_hours: null,
    overtime_max_hours: null,
  });
}

function shift(name: 'Łukasz' | 'Late', n: number, [start, end]: readonly [string, string]): Line {
  const times = { started_at: start, ended_at: end };
  const span = { id: `b2000000-0000-4000-8000-${String(n).padStart(12, '0')}`, type: 'work', project_id: null };
  return line('workday', {
    id: `b3000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    employee_id: payrollIds[name],
    date: start.slice(0, 10),
    ...times,
    timespans: [{ ...span, ...times, comment: '=HYPERLINK("https://example.com";"Klick")' }],
    edits: [],
  });
}

const lines: readonly Line[] = [
  ...firm,
  line('department', { id: hall, name: HALL, cost_center: null }),

  // Sick from the holiday (3rd) over a weekend to the 6th; Sunday the 12th 20:00 to Monday 02:00.
  employee('Łukasz', { first_name: 'Łukasz', last_name: "O'Brien", accounting_number: '100', department_id: hall }),
  contract('Łukasz', 1),
  line('absence', {
    id: 'b4000000-0000-4000-8000-000000000001',
    employee_id: payrollIds.Łukasz,
    missing_type: 'sick',
    starts_on: '2025-10-03',
    ends_on: '2025-10-06',
    day_part: 1,
    hours_per_day: null,
  }),
  shift('Łukasz', 1, ['2025-10-12T20:00:00', '2025-10-13T02:00:00']),

  // Both left in September; one of them has two recorded hours in October.
  employee('Left', { first_name: 'Jürgen', last_name: 'Großmann', accounting_number: '13', left_on: '2025-09-15' }),
  contract('Left', 2),
  employee('Late', { first_name: 'Käthe', last_name: 'Weiß', accounting_number: '14', left_on: '2025-09-30' }),
  contract('Late', 3),
  shift('Late', 2, ['2025-10-01T08:00:00', '2025-10-01T10:00:00']),

  // No contract, no recorded time, no department: only the two rows that every employee has.
  employee('Zoë', { first_name: 'Zoë', last_name: 'Ünal', accounting_number: 'A-7', department_id: null }),
];

/** Replaces the ids of `firm.ts` by others, because both firms are on one platform. */
const moved = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('-4000-8000-', '-4000-9000-')) as T;

export const payrollFirm = moved(lines);
export const payrollAccounts = moved({ adminId, leaderId });

/** Employees who are not in the file, with the reason. */
export const skipped = [
  ['Jürgen Großmann', 'left'],
  ['Jonas Jung', 'no-accounting-number'],
  ['Karl Kraus', 'archived'],
] as const;

/** ANNr, LANr, Dat, Anz and Text of each row of `payroll_a`. Calculations are in `expected.ts`, unless a comment explains them. */
export const payrollA: readonly (readonly [string, number, number | null, number, string])[] = [
  // Working days from 07:00 to 15:30, so no Sunday or night hours.
  ['0001', 400, null, 176, 'Sollstunden'],
  ['0001', 401, null, 175.75, 'Iststunden'],
  // Night: 1st 00:00–06:00 without half an hour = 5.5; 31st 23:00–24:00 = 1.
  ['0002', 305, null, 6.5, 'Nachtstunden'],
  ['0002', 400, null, 176, 'Sollstunden'],
  ['0002', 401, null, 7.5, 'Iststunden'],
  // Sunday the 26th 00:00–06:00 with the repeated hour = 7, minus half an hour of break = 6.5; night: 23:00–24:00 = 1 more.
  ['0003', 301, null, 6.5, 'Sonntagsstunden'],
  ['0003', 305, null, 7.5, 'Nachtstunden'],
  ['0003', 400, null, 176, 'Sollstunden'],
  ['0003', 401, null, 8.5, 'Iststunden'],
  ['0004', 301, null, 0.5, 'Sonntagsstunden'],
  ['0004', 305, null, 0.5, 'Nachtstunden'],
  ['0004', 400, null, 176, 'Sollstunden'],
  ['0004', 401, null, 0.5, 'Iststunden'],
  ['0005', 360, 2, 1, 'Urlaubstag'],
  ['0005', 360, 6, 1, 'Urlaubstag'],
  ['0005', 360, 10, 0.5, 'Urlaubstag'],
  ['0005', 360, 13, 1, 'Urlaubstag'],
  ['0005', 360, 14, 1, 'Urlaubstag'],
  ['0005', 360, 15, 1, 'Urlaubstag'],
  ['0005', 360, 16, 1, 'Urlaubstag'],
  ['0005', 360, 17, 1, 'Urlaubstag'],
  ['0005', 157, null, 7.5, 'Urlaubstage'],
  ['0005', 402, null, 60, 'Urlaubsstunden'],
  ['0005', 400, null, 176, 'Sollstunden'],
  ['0005', 401, null, 4, 'Iststunden'],
  ['0006', 400, null, 176, 'Sollstunden'],
  ['0006', 401, null, 4, 'Iststunden'],
  ['0007', 99001, 20, 1, 'Krankheit'],
  ['0007', 99001, 21, 1, 'Krankheit'],
  ['0007', 158, null, 2, 'Krankheitstage'],
  ['0007', 403, null, 8, 'Krankheitsstunden'],
  ['0007', 400, null, 73, 'Sollstunden'],
  ['0007', 401, null, 5, 'Iststunden'],
  ['0008', 360, 20, 1, 'Urlaubstag'],
  ['0008', 360, 21, 1, 'Urlaubstag'],
  ['0008', 157, null, 2, 'Urlaubstage'],
  ['0008', 402, null, 16, 'Urlaubsstunden'],
  ['0008', 99001, 22, 1, 'Krankheit'],
  ['0008', 99001, 23, 1, 'Krankheit'],
  ['0008', 99001, 24, 0.5, 'Krankheit'],
  ['0008', 158, null, 2.5, 'Krankheitstage'],
  ['0008', 403, null, 20, 'Krankheitsstunden'],
  ['0008', 400, null, 176, 'Sollstunden'],
  ['0008', 401, null, 0, 'Iststunden'],
  // School has category education; the unpaid day has category other, for which there is no wage code.
  ['0009', 99001, 6, 1, 'Berufsschule'],
  ['0009', 99001, 7, 1, 'Berufsschule'],
  ['0009', 424, null, 12, 'Fortbildungsstunden'],
  ['0009', 400, null, 176, 'Sollstunden'],
  ['0009', 401, null, 0, 'Iststunden'],
  ['0012', 400, null, 48, 'Sollstunden'],
  ['0012', 401, null, 0.01, 'Iststunden'],
  ['14', 400, null, 0, 'Sollstunden'],
  ['14', 401, null, 2, 'Iststunden'],
  // From the 3rd to the 6th only Monday the 6th is a planned day. Sunday 20:00–24:00 = 4; night 23:00–02:00 = 3; total 6 h.
  ['100', 301, null, 4, 'Sonntagsstunden'],
  ['100', 305, null, 3, 'Nachtstunden'],
  ['100', 99001, 6, 1, 'Krankheit'],
  ['100', 158, null, 1, 'Krankheitstage'],
  ['100', 403, null, 8, 'Krankheitsstunden'],
  ['100', 400, null, 176, 'Sollstunden'],
  ['100', 401, null, 6, 'Iststunden'],
  ['A-7', 400, null, 0, 'Sollstunden'],
  ['A-7', 401, null, 0, 'Iststunden'],
];

const departments: Readonly<Record<string, string | null>> = { '0003': 'Tiefbau', '0004': 'Tiefbau', '100': HALL, 'A-7': null };

/** Returns the column `Kost` of an accounting number. */
export function departmentOf(accountingNumber: string): string | null {
  return accountingNumber in departments ? (departments[accountingNumber] ?? null) : 'Hochbau';
}

/**
 * The exact rows of `payroll_b`. The holiday on the 3rd counts 8 h, for Götz 5 h, and nothing for Lang, who was hired later, and the two
 * who left.
 */
export const payrollB = [
  '0012345;00099;10/2025',
  '0001;1000;175,75',
  '0001;1015;8,00',
  '0002;1000;7,50',
  '0002;1015;8,00',
  '0003;1000;8,50',
  '0003;1015;8,00',
  '0004;1000;0,50',
  '0004;1015;8,00',
  '0005;1000;4,00',
  '0005;8560;7,50',
  '0005;1602;60,00',
  '0005;1015;8,00',
  '0006;1000;4,00',
  '0006;1015;8,00',
  '0007;1000;5,00',
  '0007;8570;2,00',
  '0007;1652;8,00',
  '0007;1015;5,00',
  '0008;8560;2,00',
  '0008;1602;16,00',
  '0008;8570;2,50',
  '0008;1652;20,00',
  '0008;1015;8,00',
  '0009;1015;8,00',
  '0012;1000;0,01',
  '14;1000;2,00',
  '100;1000;6,00',
  '100;8570;1,00',
  '100;1652;8,00',
  '100;1015;8,00',
];
