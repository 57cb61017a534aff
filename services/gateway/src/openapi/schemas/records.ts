import { z } from 'zod';
import { date, flag, integer, localDateTime, number, text, uuid, word } from './values.js';

const expiry = z
  .union([
    z.object({ months: integer('On the day before the start of the cycle plus this number of months.') }),
    z.object({ month_day: text('`MM-DD`'), year_offset: integer('Years after the one in which the cycle starts.') }),
  ])
  .nullable()
  .meta({ description: 'When the days of a cycle expire; null means never.' });

const entitlement = z
  .object({
    id: uuid('Unique among the settings of the employee.'),
    label: text('Description.'),
    missing_type: text('Absence type.'),
    amount: text('Days per cycle, a decimal with two places.'),
    priority: integer('Lower is evaluated first.'),
    cycle_start: text('First day of each cycle, `MM-DD`.'),
    valid_from: date('First day.'),
    valid_to: date('Last day, inclusive; null means open.').nullable(),
    expiry,
    proration: word(['none', 'twelfths', 'burlg'], 'The amount of a cycle that employment or setting cover only in part.'),
  })
  .meta({ id: 'Entitlement', description: 'A recurring grant of absence days, from which absence rules are generated.' });

export const employee: z.ZodType = z
  .object({
    id: uuid('Id.'),
    account_id: uuid('Account of the employee.').nullable(),
    number: text('Employee number.'),
    accounting_number: text('Number in payroll; payroll exports leave out employees without one.').nullable(),
    first_name: text('First name.'),
    last_name: text('Last name.'),
    email: text('Email address.').nullable(),
    department_id: uuid('Department.').nullable(),
    custom_fields: z.record(z.string(), z.string()).meta({ description: 'Further texts by field name, for example `position`.' }),
    hired_on: date('First day of employment.'),
    left_on: date('Last day of employment.').nullable(),
    archived_on: date('First day on which the employee is archived.').nullable(),
    entitlements: z.array(entitlement),
  })
  .meta({ id: 'Employee' });

export const department: z.ZodType = z
  .object({ id: uuid('Id.'), name: text('Name.'), cost_center: text('Cost center.').nullable() })
  .meta({ id: 'Department' });

export const project: z.ZodType = z
  .object({
    id: uuid('Id; daily reports call it `tag_id`.'),
    name: text('Name.'),
    code: text('Short name, or empty.'),
    color: text('Color, or empty.'),
    address: text('Address of the site, or empty.'),
    cost_center: text('Cost center, or empty.'),
    client: text('Client, or empty.'),
    daily_reports_enabled: flag('Whether there are daily reports.'),
    archived: flag('Whether the project is archived.'),
  })
  .meta({ id: 'Project' });

export const contract: z.ZodType = z
  .object({
    id: uuid('Id.'),
    employee_id: uuid('Employee.'),
    valid_from: date('First day.'),
    valid_to: date('Last day, inclusive; null means open.').nullable(),
    planned_minutes: z.array(integer('Minutes.')).length(7).meta({ description: 'Planned minutes per day, Monday first.' }),
    overtime_min_hours: number('Lower end of the range of the overtime account.').nullable(),
    overtime_max_hours: number('Upper end of the range of the overtime account.').nullable(),
  })
  .meta({ id: 'Contract' });

const spanFields = {
  type: word(['work', 'break'], 'Work or break.'),
  started_at: localDateTime('Start.'),
  ended_at: localDateTime('End; null while it is open.').nullable(),
  project_id: uuid('Project.').nullable(),
  comment: text('Comment.').nullable(),
};

export const workday: z.ZodType = z
  .object({
    id: uuid('Id.'),
    employee_id: uuid('Employee.'),
    date: date('The day that the workday belongs to.'),
    started_at: localDateTime('Start.'),
    ended_at: localDateTime('End; null while it is open.').nullable(),
    timespans: z.array(z.object({ id: uuid('Id.'), ...spanFields })),
    edits: z
      .array(z.object({ at: localDateTime('When.'), by: word(['employee', 'manager', 'system'], 'By whom.') }))
      .meta({ description: 'Changes after the workday was recorded.' }),
  })
  .meta({ id: 'Workday' });

export const timespan: z.ZodType = z
  .object({
    id: uuid('Id.'),
    employee_id: uuid('Employee.'),
    workday_id: uuid('Workday.'),
    date: date('The day that the workday belongs to.'),
    ...spanFields,
  })
  .meta({ id: 'Timespan' });

export const workmonth: z.ZodType = z
  .object({
    id: uuid('Id.'),
    employee_id: uuid('Employee.'),
    year: integer('Year.'),
    month: integer('Month, 1 to 12.'),
    opening_balance_minutes: integer('Overtime account at the start of the month, if recorded.').nullable(),
  })
  .meta({ id: 'Workmonth' });

const absenceDays = {
  id: uuid('Id.'),
  employee_id: uuid('Employee.'),
  missing_type: text('Absence type.'),
  starts_on: date('First day.'),
  ends_on: date('Last day, inclusive.'),
};

export const absence: z.ZodType = z
  .object({
    ...absenceDays,
    day_part: number('1 or 0.5.'),
    hours_per_day: number('Hours per day, if they differ from the contract.').nullable(),
  })
  .meta({ id: 'Absence' });

export const absenceApplication: z.ZodType = z
  .object({
    ...absenceDays,
    status: word(['pending', 'approved', 'declined'], 'Decision.'),
    created_at: localDateTime('When it was made.'),
  })
  .meta({ id: 'AbsenceApplication' });

export const institution: z.ZodType = z
  .object({
    id: uuid('Id.'),
    name: text('Name.'),
    federal_state: text('ISO 3166-2 code, for example `DE-BY`; null means that only nationwide holidays count.').nullable(),
    payroll_client_number: text('`MDNr` of payroll exports.').nullable(),
    absence_types: z.array(
      z.object({
        value: text('The `missing_type` of absences, and a row type of exports.'),
        label: text('German name.'),
        category: word(['vacation', 'sick', 'education', 'other'], 'Its category in payroll.'),
        credited: flag('Whether its hours are credited.'),
      }),
    ),
  })
  .meta({ id: 'Institution' });

export const manager: z.ZodType = z
  .object({
    id: uuid('Id of the account.'),
    first_name: text('First name.'),
    last_name: text('Last name.'),
    email: text('Email address.'),
    role: word(['admin', 'manager', 'department_leader'], 'What the account sees: everything, or its departments.'),
    department_ids: z.array(uuid('Department.')).meta({ description: 'The departments of a department leader.' }),
    project_ids: z.array(uuid('Project.')).nullable().meta({ description: 'The projects that the account sees; null means all.' }),
  })
  .meta({ id: 'Manager' });
