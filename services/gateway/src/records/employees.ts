import { browseV1, recordsV1 } from '@stechuhr/contracts';
import { formatLocalDate } from '@stechuhr/worktime';
import { z } from 'zod';
import { example } from '../openapi/parameters.js';
import { dateOf, field, listField, present, shapeOf, wordFor } from '../openapi/shape.js';
import { date, integer, number, text, uuid, word } from '../openapi/values.js';
import { recordGroup } from './group.js';

const { Proration } = recordsV1;

const prorations = {
  [Proration.PRORATION_NONE]: 'none',
  [Proration.PRORATION_TWELFTHS]: 'twelfths',
  [Proration.PRORATION_BURLG]: 'burlg',
};

const expiry = z
  .union([
    z.object({
      months: integer('Number of months after the start of the cycle. The day before is the last day on which the days can be taken.'),
    }),
    z.object({
      month_day: text('Last day on which the days can be taken, `MM-DD`.'),
      year_offset: integer('Number of years after the year in which the cycle starts.'),
    }),
  ])
  .nullable()
  .meta({ description: 'When the days of a cycle expire; null means never.' });

const entitlement = shapeOf<recordsV1.Entitlement>({
  id: field(uuid('Id, unique among the settings of the employee.'), '26eca930-bcc6-58b8-a75a-d5652f53501e', ({ id }) => id),
  label: field(text('Description.'), 'Urlaub', ({ label }) => label),
  missing_type: field(text('Absence type.'), 'vacation', ({ missingType }) => missingType),
  amount: field(text('Number of days per cycle, as a decimal with two places.'), '30.00', ({ amountHundredths }) =>
    (amountHundredths / 100).toFixed(2),
  ),
  priority: field(integer('Priority; lower values are evaluated first.'), 1, ({ priority }) => priority),
  cycle_start: field(text('First day of each cycle, `MM-DD`.'), '01-01', ({ cycleStart }) => monthDay(cycleStart)),
  valid_from: field(date('First day.'), '2006-02-01', ({ validFrom }) => formatLocalDate(validFrom)),
  valid_to: field(date('Last day, inclusive; null means that there is no end.').nullable(), null, ({ validTo }) => dateOf(validTo)),
  expiry: field(expiry, { month_day: '03-31', year_offset: 1 }, (setting) => expiryOf(setting.expiry)),
  proration: field(
    word(
      ['none', 'twelfths', 'burlg'],
      'How the amount is calculated if the employment or the setting covers only a part of a cycle: in full (`none`), by full months (`twelfths`), or by § 5 BUrlG (`burlg`).',
    ),
    'burlg',
    ({ proration }) => wordFor(prorations, proration),
  ),
});
const entitlements = {
  ...entitlement,
  schema: entitlement.schema.meta({
    id: 'Entitlement',
    description: 'A recurring grant of days of absence. Absence rules are generated from it.',
  }),
};

export const employees = recordGroup({
  name: 'employees',
  wireGroup: browseV1.RecordGroup.RECORD_GROUP_EMPLOYEES,
  path: 'employees/employees',
  titles: ['Employee', 'Employees'],
  descriptions: ['One employee.', 'The employees that the account may see.'],
  note: 'Department leaders see only the employees of their own departments.',
  $case: 'employee',
  from: (value) => ({ ...present(value.employee, 'employee'), entitlements: value.entitlements }),
})({
  id: field(uuid('Id.'), example.employee, ({ id }) => id),
  account_id: field(
    uuid('Id of the account of the employee; null if there is none.').nullable(),
    'f73785fe-2d83-5108-9117-ed9bfbf5c1f2',
    ({ accountId }) => accountId ?? null,
  ),
  number: field(text('Employee number.'), '1005', (employee) => employee.number),
  accounting_number: field(
    text('Number of the employee in payroll. Payroll exports leave out employees without one.').nullable(),
    '10005',
    ({ accountingNumber }) => accountingNumber ?? null,
  ),
  first_name: field(text('First name.'), 'Jürgen', ({ firstName }) => firstName),
  last_name: field(text('Last name.'), 'Müller', ({ lastName }) => lastName),
  email: field(text('Email address.').nullable(), 'juergen.mueller@rauscher-bau.example', ({ email }) => email ?? null),
  department_id: field(uuid('Id of the department.').nullable(), example.department, ({ departmentId }) => departmentId ?? null),
  custom_fields: field(
    z.record(z.string(), z.string()).meta({ description: 'Additional texts by field name, for example `position`.' }),
    { position: 'Polier', crew: 'Kolonne 1', driving_licence: 'B' },
    ({ customFields }) => customFields,
  ),
  hired_on: field(date('First day of employment.'), '2006-02-01', ({ hiredOn }) => formatLocalDate(hiredOn)),
  left_on: field(date('Last day of employment.').nullable(), null, ({ leftOn }) => dateOf(leftOn)),
  archived_on: field(date('First day on which the employee is archived.').nullable(), null, ({ archivedOn }) => dateOf(archivedOn)),
  entitlements: listField(entitlements, (employee) => employee.entitlements),
});

export const contracts = recordGroup({
  name: 'contracts',
  wireGroup: browseV1.RecordGroup.RECORD_GROUP_CONTRACTS,
  path: 'contracts/contracts',
  titles: ['Contract', 'Contracts'],
  descriptions: ['One contract.', 'The planned working time of employees.'],
  $case: 'contract',
  from: ({ employeeId, contract }) => ({ ...present(contract, 'contract'), employeeId }),
})({
  id: field(uuid('Id.'), 'bfe89ca8-9f63-54fe-bc18-29571ba4d0c1', ({ id }) => id),
  employee_id: field(uuid('Id of the employee.'), example.employee, ({ employeeId }) => employeeId),
  valid_from: field(date('First day.'), '2026-04-01', ({ validFrom }) => formatLocalDate(validFrom)),
  valid_to: field(date('Last day, inclusive; null means that there is no end.').nullable(), '2026-11-30', ({ validTo }) => dateOf(validTo)),
  planned_minutes: field(
    z.array(integer('Minutes.')).length(7).meta({ description: 'Planned minutes for each day of the week, starting with Monday.' }),
    [510, 510, 510, 510, 420, 0, 0],
    ({ plannedMinutes }) => plannedMinutes,
  ),
  overtime_min_hours: field(
    number('Lower end of the range of the overtime account.').nullable(),
    -30,
    ({ overtimeMinHours }) => overtimeMinHours ?? null,
  ),
  overtime_max_hours: field(
    number('Upper end of the range of the overtime account.').nullable(),
    150,
    ({ overtimeMaxHours }) => overtimeMaxHours ?? null,
  ),
});

function expiryOf(value: recordsV1.Entitlement['expiry']): z.output<typeof expiry> {
  switch (value?.$case) {
    case 'expiryMonths':
      return { months: value.value };
    case 'expiryDate':
      return { month_day: monthDay(value.value.monthDay), year_offset: value.value.yearOffset };
    case undefined:
      return null;
  }
}

function monthDay(value: recordsV1.MonthDay | undefined): string {
  const { month, day } = present(value, 'day of the year');
  return `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
