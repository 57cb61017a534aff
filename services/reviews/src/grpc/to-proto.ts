import type { reviewsV1 } from '@stechuhr/contracts';
import type { Context as FindingContext } from '../domain/check.js';
import type { Finding } from '../domain/finding-list.js';
import type { ActiveCheck } from '../domain/settings.js';
import type { Suppression } from '../domain/suppression.js';

export function findingToProto({ check, employeeId, workmonthId, found }: Finding): reviewsV1.Finding {
  const { code, group, severity } = check;
  const references = found.references.map(([type, id]) => ({ type, id }));
  return {
    code,
    group,
    severity,
    date: found.date,
    references: [{ type: 'employee', id: employeeId }, { type: 'workmonth', id: workmonthId }, ...references],
    context: valuesToProto(found.context),
    details: found.details,
  };
}

export function checkToProto({ check: { code, group, title, description }, config }: ActiveCheck): reviewsV1.CheckDefinition {
  return { value: code, group, title, description, config: valuesToProto(config) };
}

export function suppressionToProto({ employeeId, validTo, createdAt, modifiedAt, ...rule }: Suppression): reviewsV1.Suppression {
  return {
    ...rule,
    employeeId: employeeId ?? undefined,
    validTo: validTo ?? undefined,
    createdAt: Math.floor(createdAt / 1000),
    modifiedAt: Math.floor(modifiedAt / 1000),
  };
}

function valuesToProto(values: FindingContext): reviewsV1.ContextValue[] {
  return Object.entries(values).map(([name, value]) => ({
    name,
    value: typeof value === 'number' ? { $case: 'number', value } : { $case: 'text', value },
  }));
}
