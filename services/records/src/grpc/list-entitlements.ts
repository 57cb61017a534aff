import type { handleServerStreamingCall } from '@grpc/grpc-js';
import { recordsV1 } from '@stechuhr/contracts';
import { parseUuid } from '@stechuhr/kernel';
import { serverStream } from '@stechuhr/service';
import type { Context } from '../context.js';
import type { EntitledEmployee } from '../domain/directory.js';
import type { Entitlement } from '../domain/kinds/entitlement.js';
import { toCaller } from './from-proto.js';
import { inBatches } from './in-batches.js';

type Request = recordsV1.ListEntitlementsRequest;
type Response = recordsV1.ListEntitlementsResponse;

const { Proration } = recordsV1;

const prorations: Readonly<Record<Entitlement['proration'], recordsV1.Proration>> = {
  none: Proration.PRORATION_NONE,
  twelfths: Proration.PRORATION_TWELFTHS,
  burlg: Proration.PRORATION_BURLG,
};

export function listEntitlementsRpc({ directory }: Context): handleServerStreamingCall<Request, Response> {
  return serverStream(async function* ({ caller, employeeIds }) {
    const ids = employeeIds.length === 0 ? undefined : employeeIds.flatMap((id) => parseUuid(id) ?? []);
    for await (const employees of inBatches(directory.entitlements(toCaller(caller), ids))) yield { employees: employees.map(toProto) };
  });
}

function toProto({ id, hiredOn, leftOn, archivedOn, entitlements }: EntitledEmployee): recordsV1.EntitledEmployee {
  return { id, hiredOn, leftOn, archivedOn, entitlements: entitlements.map(entitlementToProto) };
}

export function entitlementToProto(setting: Entitlement): recordsV1.Entitlement {
  return {
    id: setting.id,
    label: setting.label,
    missingType: setting.missing_type,
    amountHundredths: setting.amount,
    priority: setting.priority,
    cycleStart: monthDayToProto(setting.cycle_start),
    validFrom: setting.valid_from,
    validTo: setting.valid_to ?? undefined,
    expiry: expiryToProto(setting.expiry),
    proration: prorations[setting.proration],
  };
}

function expiryToProto(expiry: Entitlement['expiry']): recordsV1.Entitlement['expiry'] {
  if (expiry === null) return undefined;
  if ('months' in expiry) return { $case: 'expiryMonths', value: expiry.months };
  return { $case: 'expiryDate', value: { monthDay: monthDayToProto(expiry.month_day), yearOffset: expiry.year_offset } };
}

/** @param text `MM-DD` */
function monthDayToProto(text: string): recordsV1.MonthDay {
  return { month: Number(text.slice(0, 2)), day: Number(text.slice(3)) };
}
