import type { RecordGroupName } from '@stechuhr/contracts';
import { example } from '../parameters.js';

const absenceDays = {
  id: '4a1c7f52-9d3e-4b6f-8c21-6e0d5b7a9f31',
  employee_id: example.employee,
  missing_type: 'vacation',
  starts_on: '2026-10-12',
  ends_on: '2026-10-16',
};

const span = {
  type: 'work',
  started_at: '2026-10-05T07:00:00',
  ended_at: '2026-10-05T15:30:00',
  project_id: example.project,
  comment: 'Schalung 2. OG',
};

const workdayId = '9b2e6d41-0f5c-4e7a-a3b8-2c4d6e8f0a32';
const timespanId = 'c5d7e9f1-2a4b-4c6d-8e0f-1a3b5c7d9e33';

/** One record of each group. */
export const recordExamples: Readonly<Record<RecordGroupName, { readonly id: string; readonly [field: string]: unknown }>> = {
  employees: {
    id: example.employee,
    account_id: null,
    number: '1001',
    accounting_number: '77',
    first_name: 'Melek',
    last_name: 'Akgün',
    email: 'melek.akguen@example.com',
    department_id: example.department,
    custom_fields: { position: 'Polierin' },
    hired_on: '2021-04-01',
    left_on: null,
    archived_on: null,
    entitlements: [
      {
        id: '1f3a5c7e-9b1d-4f3a-8c5e-7d9f1b3a5c34',
        label: 'Jahresurlaub',
        missing_type: 'vacation',
        amount: '30.00',
        priority: 1,
        cycle_start: '01-01',
        valid_from: '2021-04-01',
        valid_to: null,
        expiry: { month_day: '03-31', year_offset: 1 },
        proration: 'burlg',
      },
    ],
  },
  groups: { id: example.department, name: 'Montage', cost_center: '4711' },
  projects: {
    id: example.project,
    name: 'Neubau Musterstraße',
    code: 'P-1',
    color: '#336699',
    address: 'Musterstraße 1, 80331 München',
    cost_center: '4711',
    client: 'Bauherr AG',
    daily_reports_enabled: true,
    archived: false,
  },
  contracts: {
    id: '2b4d6f8a-1c3e-4a5b-9d7f-8e0a2c4b6d35',
    employee_id: example.employee,
    valid_from: '2021-04-01',
    valid_to: null,
    planned_minutes: [480, 480, 480, 480, 480, 0, 0],
    overtime_min_hours: -20,
    overtime_max_hours: 40,
  },
  workdays: {
    id: workdayId,
    employee_id: example.employee,
    date: '2026-10-05',
    started_at: '2026-10-05T07:00:00',
    ended_at: '2026-10-05T15:30:00',
    timespans: [{ id: timespanId, ...span }],
    edits: [{ at: '2026-10-06T08:12:00', by: 'manager' }],
  },
  workmonths: {
    id: '6c8e0a2d-4f6b-4d8c-a1e3-5b7d9f1c3e36',
    employee_id: example.employee,
    year: 2026,
    month: 10,
    opening_balance_minutes: 385,
  },
  timespans: { id: timespanId, employee_id: example.employee, workday_id: workdayId, date: '2026-10-05', ...span },
  absences: { ...absenceDays, day_part: 1, hours_per_day: null },
  'absence-applications': { ...absenceDays, status: 'pending', created_at: '2026-09-01T10:15:00' },
  institutions: {
    id: 'e1c3a5b7-d9f1-4e3c-8a5b-7d9f1e3c5a37',
    name: 'Muster Bau GmbH',
    federal_state: 'DE-BY',
    payroll_client_number: '12345',
    absence_types: [{ value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true }],
  },
  managers: {
    id: example.account,
    first_name: 'Ada',
    last_name: 'Muster',
    email: 'ada.muster@example.com',
    role: 'department_leader',
    department_ids: [example.department],
    project_ids: null,
  },
};
