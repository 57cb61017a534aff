import { recordsV1 } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import type { MonthDay } from '../domain/calendar.js';
import type { EntitledEmployee, Entitlement, Expiry, ProrationName } from '../domain/entitlement.js';

const { Proration } = recordsV1;

export function toEntitledEmployee({ id, hiredOn, leftOn, archivedOn, entitlements }: recordsV1.EntitledEmployee): EntitledEmployee {
  return { id, hiredOn, leftOn: leftOn ?? null, archivedOn: archivedOn ?? null, entitlements: entitlements.map(toEntitlement) };
}

function toEntitlement(setting: recordsV1.Entitlement): Entitlement {
  return {
    id: setting.id,
    label: setting.label,
    missingType: setting.missingType,
    amount: setting.amountHundredths,
    priority: setting.priority,
    cycleStart: toMonthDay(setting.cycleStart),
    validFrom: setting.validFrom,
    validTo: setting.validTo ?? null,
    expiry: toExpiry(setting.expiry),
    proration: toProration(setting.proration),
  };
}

function toExpiry(expiry: recordsV1.Entitlement['expiry']): Expiry {
  if (expiry === undefined) return { kind: 'never' };
  if (expiry.$case === 'expiryMonths') return { kind: 'months', months: expiry.value };
  return { kind: 'date', monthDay: toMonthDay(expiry.value.monthDay), yearOffset: expiry.value.yearOffset };
}

function toMonthDay(monthDay: recordsV1.MonthDay | undefined): MonthDay {
  if (monthDay === undefined) throw unknown('A setting lacks a day of the year.');
  return monthDay;
}

function toProration(proration: recordsV1.Proration): ProrationName {
  switch (proration) {
    case Proration.PRORATION_NONE:
      return 'none';
    case Proration.PRORATION_TWELFTHS:
      return 'twelfths';
    case Proration.PRORATION_BURLG:
      return 'burlg';
    default:
      throw unknown(`Unknown proration ${String(proration)}.`);
  }
}

function unknown(reason: string): AppError {
  return new AppError('internal', 'Internal error.', { cause: new Error(reason) });
}
