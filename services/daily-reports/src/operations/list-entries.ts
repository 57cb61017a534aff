import { readEntriesQuery, type EntriesQuery } from '@stechuhr/contracts';
import type { Page } from '@stechuhr/kernel';
import { parseLocalDate, parseLocalDateTime } from '@stechuhr/worktime';
import { groupHash, type Entry } from '../domain/entry.js';
import { knownFields } from '../domain/known-fields.js';
import type { EntryFilter, GroupMember } from './entry-port.js';
import type { ListRequest } from './list-reports.js';
import type { Call, Employee } from './ports.js';
import { settleMarked } from './settle-reports.js';

/** An entry with the additional fields of lists. */
export interface ListedEntry extends Entry {
  readonly groupCount: number;
  readonly authorName: string | undefined;
  readonly onBehalfOfName: string | undefined;
}

const NOTHING: Page<ListedEntry> = { count: 0, results: [] };

/**
 * Returns a page of the entries that the caller may see and whose fields the active forms contain.
 *
 * @throws AppError `invalid` naming the invalid parameters
 */
export async function listEntries(call: Call, { parameters, ...page }: ListRequest): Promise<Page<ListedEntry>> {
  const query = readEntriesQuery(parameters, parseLocalDateTime);
  if (query === undefined) return NOTHING;
  const [projectIds, forms] = await Promise.all([
    selectedProjects(call, query),
    call.forms.list(call.caller),
    query.grouped ? settleMarked(call, call.caller) : undefined,
  ]);
  if (projectIds === undefined || projectIds.length === 0) return NOTHING;
  const range = { from: dayOf(query.range?.from), until: dayOf(query.range?.until) };
  const known = knownFields(forms);
  const filter = { projectIds, range, known, fieldId: query.fieldId, ids: query.ids, modifiedSince: query.modifiedSince };
  const terms = { ...page, filter, ascending: query.order[0]?.descending === false, newestOnly: query.grouped };
  const members = query.ids && (await call.entries.members(call.caller, filter));
  // If entries are requested by id, the newest entry of a group is the newest of these.
  const ids = query.grouped && members !== undefined ? newestOf(members) : query.ids;
  const newestOnly = query.grouped && members === undefined;
  const { count, results } = await call.entries.page(call.caller, { ...terms, filter: { ...filter, ids }, newestOnly });
  return { count, results: await resolve(call, results, { members, modifiedSince: query.modifiedSince }) };
}

/** Returns the selected projects; undefined if one of them does not exist. */
async function selectedProjects({ records }: Call, { projectIds }: EntriesQuery): Promise<EntryFilter['projectIds'] | undefined> {
  const visible = (await records.listProjects()).map(({ id }) => id);
  if (projectIds === undefined) return visible;
  const known = new Set(visible);
  return projectIds.every((id) => known.has(id)) ? projectIds : undefined;
}

function newestOf(members: readonly GroupMember[]): string[] {
  const groups = Map.groupBy(members, ({ group }) => group);
  return [...groups.values()].flatMap((group) => group.toSorted((a, b) => b.sequence - a.sequence)[0]?.id ?? []);
}

/** Determines which versions of a group are counted: those that match the filters. All other filters apply to a group as a whole. */
interface Counted extends Pick<EntryFilter, 'modifiedSince'> {
  readonly members: readonly GroupMember[] | undefined;
}

async function resolve(call: Call, entries: readonly Entry[], { members, modifiedSince }: Counted): Promise<ListedEntry[]> {
  const groups = [...new Set(entries.map(groupHash))];
  const authors = [...new Set(entries.flatMap(({ authorId }) => authorId ?? []))];
  const employees = [...new Set(entries.flatMap(({ onBehalfOfId }) => onBehalfOfId ?? []))];
  const [counts, authorNames, people] = await Promise.all([
    members === undefined ? call.entries.countVersions(call.caller, groups, modifiedSince) : countMembers(members),
    authors.length === 0 ? undefined : call.records.readAccountNames(authors),
    employees.length === 0 ? undefined : call.records.readEmployees(employees),
  ]);
  return entries.map((entry) => ({
    ...entry,
    groupCount: counts.get(groupHash(entry)) ?? 1,
    authorName: entry.authorId === null ? undefined : authorNames?.get(entry.authorId),
    onBehalfOfName: fullName(entry.onBehalfOfId === null ? undefined : people?.get(entry.onBehalfOfId)),
  }));
}

function countMembers(members: readonly GroupMember[]): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(members, ({ group }) => group)].map(([group, ofGroup]) => [group, ofGroup.length]));
}

function fullName(employee: Employee | undefined): string | undefined {
  return employee && `${employee.firstName} ${employee.lastName}`;
}

function dayOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseLocalDate(text);
}
