import { ListParameters, type DateBounds } from '@stechuhr/contracts';
import { parseLocalDate, type EpochDay } from '@stechuhr/worktime';
import { ruleSources, type RuleSource } from '../domain/rule.js';

/** Which rules a list shows. */
export interface ListFilter {
  readonly sources: ReadonlySet<RuleSource>;
  /** Rules available before this day are left out. */
  readonly from: EpochDay;
  /** How far settings are expanded; undefined means no further than by default. */
  readonly until: EpochDay | undefined;
  /** Manual rules by id; undefined means all. */
  readonly ids: readonly string[] | undefined;
  readonly employeeIds: readonly string[] | undefined;
}

/**
 * Reads the query parameters of the list. Only manual rules have ids to ask for.
 *
 * @throws AppError `invalid` naming `daterange`, `sources` or (`$query`) an ordering: this list has one order
 */
export function readListFilter(texts: Readonly<Record<string, string>>): ListFilter {
  const parameters = new ListParameters(texts);
  const ids = parameters.ids('ids');
  const named = parameters.choices('sources', ruleSources);
  const sources = new Set(named.length === 0 ? ruleSources : named);
  if (ids !== undefined) sources.delete('setting');
  const filter = { ...boundsOf(parameters.daterange()), sources, ids, employeeIds: parameters.ids('employee_ids') };
  parameters.order([]);
  parameters.throwIfAny();
  return filter;
}

function boundsOf({ from, until }: DateBounds): Pick<ListFilter, 'from' | 'until'> {
  return {
    from: from === undefined ? -Infinity : (parseLocalDate(from) ?? -Infinity),
    until: until === undefined ? undefined : parseLocalDate(until),
  };
}
