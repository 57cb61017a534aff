/**
 * A firm that is small enough for calculating its totals by hand: Bavaria, October 2025 (and the night of 30 March 2025). `expected.ts`
 * contains the expected totals with their calculation.
 *
 * October 2025: the 1st is a Wednesday; Monday to Friday are 1–3, 6–10, 13–17, 20–24, 27–31 = 23 days. Friday the 3rd is the only public
 * holiday in Bavaria, so 22 working days. Clocks go back on Sunday the 26th at 03:00.
 */

/** One line of an import. */
export type Line = Readonly<Record<string, unknown>>;

export const institutionId = 'f0000000-0000-4000-8000-000000000000';
export const adminId = 'a0000000-0000-4000-8000-000000000001';
export const leaderId = 'a0000000-0000-4000-8000-000000000002';
const highRise = 'd0000000-0000-4000-8000-000000000001';
const civil = 'd0000000-0000-4000-8000-000000000002';
const siteId = 'c0000000-0000-4000-8000-000000000001';

/** Employee ids by last name. */
export const employeeIds = {
  Adler: employeeId(1),
  Bauer: employeeId(2),
  Czerny: employeeId(3),
  Dorn: employeeId(4),
  Ehrlich: employeeId(5),
  Fuchs: employeeId(6),
  Götz: employeeId(7),
  Horn: employeeId(8),
  Ilić: employeeId(9),
  Jung: employeeId(10),
  Kraus: employeeId(11),
  Lang: employeeId(12),
} as const;

export type LastName = keyof typeof employeeIds;

function employeeId(n: number): string {
  return `e0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** Returns consecutive ids for contracts, absences, workdays and timespans, in the order of this file. */
const next = (() => {
  let counter = 0;
  return (): string => `b0000000-0000-4000-8000-${String(++counter).padStart(12, '0')}`;
})();

const line = (kind: string, fields: Line): Line => ({ kind, institution_id: institutionId, ...fields });

function employee(lastName: LastName, firstName: string, overrides: Line = {}): Line {
  const number = String(Object.keys(employeeIds).indexOf(lastName) + 1);
  return line('employee', {
    id: employeeIds[lastName],
    account_id: null,
    number,
    accounting_number: number.padStart(4, '0'),
    first_name: firstName,
    last_name: lastName,
    email: null,
    department_id: highRise,
    custom_fields: {},
    hired_on: '2020-01-01',
    left_on: null,
    archived_on: null,
    entitlements: [],
    ...overrides,
  });
}

function contract(lastName: LastName, plannedMinutes: readonly number[], validFrom = '2020-01-01', validTo: string | null = null): Line {
  return line('contract', {
    id: next(),
    employee_id: employeeIds[lastName],
    valid_from: validFrom,
    valid_to: validTo,
    planned_minutes: plannedMinutes,
    overtime_min_hours: null,
    overtime_max_hours: null,
  });
}

interface Absent {
  readonly dayPart?: number;
  readonly hoursPerDay?: number;
}

function absence(lastName: LastName, missingType: string, [from, to]: readonly [string, string], how: Absent = {}): Line {
  return line('absence', {
    id: next(),
    employee_id: employeeIds[lastName],
    missing_type: missingType,
    starts_on: from,
    ends_on: to,
    day_part: how.dayPart ?? 1,
    hours_per_day: how.hoursPerDay ?? null,
  });
}

type Span = readonly ['work' | 'break', string, string];

function workday(lastName: LastName, date: string, [start, end]: readonly [string, string | null], spans: readonly Span[] = []): Line {
  return line('workday', {
    id: next(),
    employee_id: employeeIds[lastName],
    date,
    started_at: start,
    ended_at: end,
    timespans: spans.map(([type, startedAt, endedAt]) => ({
      id: next(),
      type,
      started_at: startedAt,
      ended_at: endedAt,
      project_id: type === 'work' ? siteId : null,
      comment: null,
    })),
    edits: [],
  });
}

const FULL_TIME = [480, 480, 480, 480, 480, 0, 0];
const WORKING_DAYS = [1, 2, 6, 7, 8, 9, 10, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 27, 28, 29, 30, 31];

/** Adler works 07:00–15:30 with a break of half an hour on each of the 22 working days; on the 6th two breaks overlap. */
function adlersDay(day: number): Line {
  const date = `2025-10-${String(day).padStart(2, '0')}`;
  const at = (time: string): string => `${date}T${time}:00`;
  const spans: Span[] = [
    ['work', at('07:00'), at('12:00')],
    ['break', at('12:00'), at('12:30')],
    ['work', at('12:30'), at('15:30')],
  ];
  if (day === 6) spans.push(['break', at('12:15'), at('12:45')]);
  return workday('Adler', date, [at('07:00'), at('15:30')], spans);
}

/** The lines of the import. Most of them precede the records to which they refer. */
export const firm: readonly Line[] = [
  ...WORKING_DAYS.map(adlersDay),

  // Two nights, one across each end of the month.
  workday('Bauer', '2025-09-30', ['2025-09-30T22:00:00', '2025-10-01T06:00:00'], [['break', '2025-10-01T02:00:00', '2025-10-01T02:30:00']]),
  workday('Bauer', '2025-10-31', ['2025-10-31T22:00:00', '2025-11-01T06:00:00'], [['break', '2025-11-01T02:00:00', '2025-11-01T02:30:00']]),

  // The nights in which the clocks change: the same times of day are nine and seven hours apart.
  workday(
    'Czerny',
    '2025-10-25',
    ['2025-10-25T22:00:00', '2025-10-26T06:00:00'],
    [['break', '2025-10-26T04:00:00', '2025-10-26T04:30:00']],
  ),
  workday(
    'Czerny',
    '2025-03-29',
    ['2025-03-29T22:00:00', '2025-03-30T06:00:00'],
    [['break', '2025-03-30T04:00:00', '2025-03-30T04:30:00']],
  ),
  // 02:45 is in summer time, so 02:15 can only be in standard time: half an hour.
  workday('Dorn', '2025-10-26', ['2025-10-26T02:45:00', '2025-10-26T02:15:00']),
  // 02:00–03:00 does not exist on this day: two hours.
  workday('Dorn', '2025-03-30', ['2025-03-30T01:00:00', '2025-03-30T04:00:00']),

  // Vacation across the holiday and a weekend, half a day with work in the other half, and a whole week.
  absence('Ehrlich', 'vacation', ['2025-10-02', '2025-10-06']),
  absence('Ehrlich', 'vacation', ['2025-10-10', '2025-10-10'], { dayPart: 0.5 }),
  absence('Ehrlich', 'vacation', ['2025-10-13', '2025-10-17']),
  workday('Ehrlich', '2025-10-10', ['2025-10-10T07:00:00', '2025-10-10T11:00:00']),

  // Work on the public holiday.
  workday('Fuchs', '2025-10-03', ['2025-10-03T08:00:00', '2025-10-03T12:00:00']),

  // Five hours a day until the 14th, then four hours Monday to Wednesday; sick from Thursday to Tuesday.
  contract('Götz', [300, 300, 300, 300, 300, 0, 0], '2020-01-01', '2025-10-14'),
  contract('Götz', [240, 240, 240, 0, 0, 0, 0], '2025-10-15'),
  workday('Götz', '2025-10-01', ['2025-10-01T08:00:00', '2025-10-01T13:00:00']),
  absence('Götz', 'sick', ['2025-10-16', '2025-10-21']),

  // Sick during a vacation: the sick days replace vacation days, including the half one.
  absence('Horn', 'vacation', ['2025-10-20', '2025-10-24']),
  absence('Horn', 'sick', ['2025-10-22', '2025-10-23']),
  absence('Horn', 'sick', ['2025-10-24', '2025-10-24'], { dayPart: 0.5 }),

  // School with its own hours, and a day that is not credited.
  absence('Ilić', 'school', ['2025-10-06', '2025-10-07'], { hoursPerDay: 6 }),
  absence('Ilić', 'unpaid', ['2025-10-08', '2025-10-08']),

  // No contract, no accounting number, and an open workday.
  absence('Jung', 'vacation', ['2025-10-06', '2025-10-07']),
  absence('Jung', 'vacation', ['2025-10-08', '2025-10-08'], { hoursPerDay: 7.5 }),
  workday('Jung', '2025-10-09', ['2025-10-09T08:00:00', null]),

  // Archived on the day before the month, therefore not in the file despite recorded time.
  workday('Kraus', '2025-10-01', ['2025-10-01T08:00:00', '2025-10-01T16:00:00']),

  // Employed from the 8th to the 15th, archived on the 1st (still exported), eighteen seconds of work.
  workday('Lang', '2025-10-08', ['2025-10-08T08:00:00', '2025-10-08T08:00:18']),

  ...(['Adler', 'Bauer', 'Czerny', 'Dorn', 'Ehrlich', 'Fuchs', 'Horn', 'Ilić', 'Kraus', 'Lang'] as const).map((name) =>
    contract(name, FULL_TIME),
  ),
  employee('Adler', 'Anna'),
  employee('Bauer', 'Bernd'),
  employee('Czerny', 'Clara', { department_id: civil }),
  employee('Dorn', 'David', { department_id: civil }),
  employee('Ehrlich', 'Eva'),
  employee('Fuchs', 'Felix'),
  employee('Götz', 'Greta'),
  employee('Horn', 'Hugo'),
  employee('Ilić', 'Ivana'),
  employee('Jung', 'Jonas', { accounting_number: null }),
  employee('Kraus', 'Karl', { archived_on: '2025-09-30' }),
  employee('Lang', 'Lena', { hired_on: '2025-10-08', left_on: '2025-10-15', archived_on: '2025-10-01' }),
  line('project', {
    id: siteId,
    name: 'Neubau Isarufer',
    code: 'IU-7',
    color: '#336699',
    address: 'Isarufer 7, 80331 München',
    cost_center: '4711',
    client: 'Stadtwerke',
    daily_reports_enabled: true,
    archived: false,
  }),
  account(adminId, 'admin', []),
  account(leaderId, 'department_leader', [civil]),
  line('department', { id: highRise, name: 'Hochbau', cost_center: '100' }),
  line('department', { id: civil, name: 'Tiefbau', cost_center: null }),
  line('institution', {
    id: institutionId,
    name: 'Bau auf Papier GmbH',
    federal_state: 'DE-BY',
    payroll_client_number: '1',
    absence_types: [
      { value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true },
      { value: 'sick', label: 'Krankheit', category: 'sick', credited: true },
      { value: 'school', label: 'Berufsschule', category: 'education', credited: true },
      { value: 'unpaid', label: 'Unbezahlt frei', category: 'other', credited: false },
    ],
  }),
];

function account(id: string, role: string, departmentIds: readonly string[]): Line {
  return line('account', {
    id,
    first_name: 'Paula',
    last_name: 'Papier',
    email: `${role}@papier.example`,
    role,
    department_ids: departmentIds,
    project_ids: null,
  });
}
