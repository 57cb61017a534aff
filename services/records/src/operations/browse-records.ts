import { archivedChoices, ListParameters, recordGroups, type RecordGroupList } from '@stechuhr/contracts';
import { AppError, parseBoolean, type Page, type PageRequest } from '@stechuhr/kernel';
import { parseLocalDate, parseLocalDateTime, type EpochDay } from '@stechuhr/worktime';
import { folded, type Browsed, type BrowsedRecords, type BrowseQuery, type GroupName } from '../domain/browse.js';
import type { Caller } from '../domain/caller.js';

export interface ListRequest extends PageRequest {
  /** The query parameters as the client sent them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly isBrief: boolean;
}

/** Reads pages of records in a total order. Records that the caller may not see are treated as missing. */
export interface Browse {
  page<G extends GroupName>(caller: Caller, group: G, query: BrowseQuery): Promise<Page<Browsed<BrowsedRecords[G]>>>;
}

interface Ports {
  readonly browse: Browse;
}

/** Returns one page of a group. @throws AppError `invalid` */
export function browseRecords<G extends GroupName>(
  { browse }: Ports,
  caller: Caller,
  group: G,
  request: ListRequest,
): Promise<Page<Browsed<BrowsedRecords[G]>>> {
  return browse.page(caller, group, toQuery(recordGroups[group], request));
}

/** Returns one record, archived or not. @throws AppError `not_found` */
export async function browseRecord<G extends GroupName>({ browse }: Ports, caller: Caller, group: G, id: string) {
  const query = { ...ALL, ids: [id], limit: 1, offset: 0, isBrief: false };
  const [record] = (await browse.page(caller, group, query)).results;
  if (record === undefined) throw new AppError('not_found', 'Not found.');
  return record;
}

const ALL = {
  employeeIds: undefined,
  from: undefined,
  until: undefined,
  modifiedSince: undefined,
  q: undefined,
  archived: undefined,
  order: [],
};

/** Parses the parameters. Parameters that a group does not use are ignored without validation (docs/rules/api.md#query-parameters). */
function toQuery({ order, takes }: RecordGroupList, { parameters, limit, offset, isBrief }: ListRequest): BrowseQuery {
  const given = new ListParameters(parameters);
  const ids = given.ids('ids');
  const range = takes.includes('daterange') ? given.daterange() : undefined;
  const query = {
    ids,
    employeeIds: takes.includes('employee_ids') ? given.ids('employee_ids') : undefined,
    from: toDay(range?.from),
    until: toDay(range?.until),
    modifiedSince: given.instant('modified_since', parseLocalDateTime),
    q: takes.includes('q') ? given.text('q') : undefined,
    archived: takes.includes('archived') ? archivedOf(given, ids !== undefined) : undefined,
    order: given.order(order),
  };
  given.throwIfAny();
  return { ...query, q: query.q === undefined ? undefined : folded(query.q), limit, offset, isBrief };
}

/** A request with ids returns these records whether archived or not; by default, any other request returns only active records. */
function archivedOf(given: ListParameters, byId: boolean): boolean | undefined {
  const chosen = given.choices('archived', archivedChoices, archivedChoice) ?? [];
  if (chosen.length === 0) return byId ? undefined : false;
  return chosen.includes('all') || new Set(chosen).size > 1 ? undefined : chosen[0] === 'true';
}

/** As in the filter of exports: a boolean, or `all` in any case. */
function archivedChoice(text: string): (typeof archivedChoices)[number] | undefined {
  if (text.toLowerCase() === 'all') return 'all';
  switch (parseBoolean(text)) {
    case true:
      return 'true';
    case false:
      return 'false';
    case undefined:
      return undefined;
  }
}

function toDay(text: string | undefined): EpochDay | undefined {
  return text === undefined ? undefined : parseLocalDate(text);
}
