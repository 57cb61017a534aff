import { listOrders, ListParameters } from '@stechuhr/contracts';
import type { Page, PageRequest } from '@stechuhr/kernel';
import { parseLocalDate, parseLocalDateTime, type EpochDay } from '@stechuhr/worktime';
import type { Suppression } from '../domain/suppression.js';
import type { Ports, SuppressionPage, Tenant } from './ports.js';

export interface SuppressionQuery extends PageRequest {
  /** The query parameters as the client sent them. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Returns a page of the rules of the whole institution, regardless of the caller (spec, Reviews). @throws AppError `invalid` */
export function listSuppressions(
  { suppressions, caller }: Ports & { readonly caller: Tenant },
  query: SuppressionQuery,
): Promise<Page<Suppression>> {
  return suppressions.list(caller, toPage(query));
}

function toPage({ parameters, limit, offset }: SuppressionQuery): SuppressionPage {
  const given = new ListParameters(parameters);
  const range = given.daterange();
  const filter = {
    ids: given.ids('ids'),
    employeeIds: given.ids('employee_ids'),
    validFromUntil: earliest(toDay(given.date('valid_from__lte')), toDay(range.until)),
    validToFrom: latest(toDay(given.date('valid_until__gte')), toDay(range.from)),
    modifiedSince: given.instant('modified_since', parseLocalDateTime),
  };
  const order = given.order(listOrders.suppressions);
  given.throwIfAny();
  return { filter, order: order.length > 0 ? order : [{ field: 'valid_from', descending: false }], limit, offset };
}

function toDay(text: string | undefined): EpochDay | undefined {
  return text === undefined ? undefined : parseLocalDate(text);
}

function earliest(a: EpochDay | undefined, b: EpochDay | undefined): EpochDay | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function latest(a: EpochDay | undefined, b: EpochDay | undefined): EpochDay | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
