import { recordsV1, type browseV1 } from '@stechuhr/contracts';
import { formatLocalDate } from '@stechuhr/worktime';
import { date, present, wordFor } from './wire-values.js';

const { Proration } = recordsV1;

/** An employee with the settings that grant absence days. */
export function employeeJson({ employee, entitlements }: browseV1.BrowsedEmployee): object {
  const fields = present(employee, 'employee');
  return {
    id: fields.id,
    account_id: fields.accountId ?? null,
    number: fields.number,
    accounting_number: fields.accountingNumber ?? null,
    first_name: fields.firstName,
    last_name: fields.lastName,
    email: fields.email ?? null,
    department_id: fields.departmentId ?? null,
    custom_fields: fields.customFields,
    hired_on: formatLocalDate(fields.hiredOn),
    left_on: date(fields.leftOn),
    archived_on: date(fields.archivedOn),
    entitlements: entitlements.map(entitlementJson),
  };
}

const prorations = {
  [Proration.PRORATION_NONE]: 'none',
  [Proration.PRORATION_TWELFTHS]: 'twelfths',
  [Proration.PRORATION_BURLG]: 'burlg',
};

function entitlementJson(setting: recordsV1.Entitlement): object {
  return {
    id: setting.id,
    label: setting.label,
    missing_type: setting.missingType,
    amount: (setting.amountHundredths / 100).toFixed(2),
    priority: setting.priority,
    cycle_start: monthDay(setting.cycleStart),
    valid_from: formatLocalDate(setting.validFrom),
    valid_to: date(setting.validTo),
    expiry: expiryJson(setting.expiry),
    proration: wordFor(prorations, setting.proration),
  };
}

function expiryJson(expiry: recordsV1.Entitlement['expiry']): object | null {
  switch (expiry?.$case) {
    case 'expiryMonths':
      return { months: expiry.value };
    case 'expiryDate':
      return { month_day: monthDay(expiry.value.monthDay), year_offset: expiry.value.yearOffset };
    case undefined:
      return null;
  }
}

function monthDay(value: recordsV1.MonthDay | undefined): string {
  const { month, day } = present(value, 'day of the year');
  return `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
