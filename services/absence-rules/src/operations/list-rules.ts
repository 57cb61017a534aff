import { ListParameters, ruleSources, type DateBounds } from '@stechuhr/contracts';
import { AppError, EventLoopBreaks, type Page, type PageRequest, type Share } from '@stechuhr/kernel';
import { localDayOf, parseLocalDate, type DateRange, type EpochDay } from '@stechuhr/worktime';
import type { EntitledEmployee } from '../domain/entitlement.js';
import { expansionLimit } from '../domain/grant.js';
import { overlapOf } from '../domain/calendar.js';
import { placesOf, rulesInWindow } from '../domain/list/generated-rules.js';
import { cutPage, isOwnedInWindow, OwnerCounts } from '../domain/list/owner-counts.js';
import { isInWindow, PlaceCounts, type PageWindow } from '../domain/list/place-counts.js';
import { compareRules, type OrderedRule, type Rule, type RuleSource } from '../domain/rule.js';
import type { Call } from './ports.js';
import { visibleAmong } from './visible.js';

export interface ListInput extends PageRequest {
  /** The query parameters as the client sent them. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The filter of a list of rules. */
interface ListFilter {
  readonly sources: ReadonlySet<RuleSource>;
  /** Rules that become available before this day are left out. */
  readonly from: EpochDay;
  /** The day up to which entitlements are expanded; undefined means the default. */
  readonly until: EpochDay | undefined;
  /** Manual rules by id; undefined means all. */
  readonly ids: readonly string[] | undefined;
  readonly employeeIds: readonly string[] | undefined;
}

/** Bytes that a position and a kept entitlement take in memory, approximately. */
const BYTES_OF_PLACE = 64;
const BYTES_OF_ENTITLEMENT = 400;

/**
 * Returns a page of the rules of employees whom the caller may see. All rules are counted by position, and only those of the page are
 * generated or loaded.
 *
 * @throws AppError `invalid` naming the parameters; `rate_limited` if there is no memory for the positions besides those of other pages
 */
export async function listRules(call: Call, input: ListInput): Promise<Page<Rule>> {
  const filter = readListFilter(input.parameters);
  if (filter.sources.size === 0 || filter.employeeIds?.length === 0) return { count: 0, results: [] };
  if (filter.ids !== undefined) return pageOfIds(call, { filter, ids: filter.ids, page: input });
  const share = call.listMemory.open(call.caller.institutionId);
  try {
    return await countedPage(call, { filter, page: input, share });
  } finally {
    share.release();
  }
}

interface CountedPage {
  readonly filter: ListFilter;
  readonly page: PageRequest;
  /** The memory of the page. */
  readonly share: Share;
}

async function countedPage(call: Call, { filter, page: input, share }: CountedPage): Promise<Page<Rule>> {
  const { caller, rules, clock } = call;
  const today = localDayOf(clock.now() / 1000);
  const bounds = { first: filter.from, last: expansionLimit(filter.until, today) };
  const counts = new PlaceCounts(() => {
    if (!share.add(BYTES_OF_PLACE))
      throw new AppError('rate_limited', 'Other lists of rules are being made, and there is no memory for this one.');
  });
  const staff = await countSettings(call, filter, { bounds, counts, share });
  if (filter.sources.has('manual')) {
    for await (const place of rules.places(caller, filter.from)) if (staff.visible.has(place.employeeId)) counts.add(place);
  }
  const window = counts.windowOf(input);
  const results = window === undefined ? [] : await rulesOfPage(call, { filter, staff, bounds, window, limit: input.limit });
  return { count: counts.total, results };
}

interface PageQuery {
  readonly filter: ListFilter;
  readonly staff: Staff;
  readonly bounds: DateRange;
  readonly window: PageWindow;
  readonly limit: number;
}

async function rulesOfPage(call: Call, { filter, staff, bounds, window, limit }: PageQuery): Promise<Rule[]> {
  const { caller, rules } = call;
  const days = { first: window.first.availableFrom, last: window.last.availableFrom };
  const owners = new OwnerCounts(window);
  const manual: OrderedRule[] = [];
  if (filter.sources.has('manual')) {
    for await (const rule of rules.availableIn(caller, days)) {
      if (!staff.visible.has(rule.employeeId) || !isInWindow(rule, window)) continue;
      manual.push(rule);
      owners.add(rule, rule.employeeId);
    }
  }
  // The page may contain manual rules beyond the bounds of the expansion.
  const expanded = overlapOf(bounds, days);
  for await (const employee of staff.entitled()) for (const place of placesOf(employee, expanded)) owners.add(place, employee.id);
  const part = { bounds: expanded, window: owners.window };
  const found: (Rule | OrderedRule)[] = manual.filter((rule) => isOwnedInWindow(rule, part.window));
  for await (const employee of staff.entitled()) {
    for (const rule of rulesInWindow(caller.institutionId, employee, part)) found.push(rule);
  }
  return wholeRules(call, cutPage(found, part.window, limit));
}

/** Loads the manual rules of a page. A rule that has been deleted in the meantime is left out. */
async function wholeRules({ rules, caller }: Call, page: readonly (Rule | OrderedRule)[]): Promise<Rule[]> {
  const missing = page.flatMap((rule) => ('source' in rule ? [] : [rule.id]));
  const loaded = new Map((missing.length === 0 ? [] : await rules.find(caller, missing)).map((rule) => [rule.id, rule]));
  return page.flatMap((rule) => ('source' in rule ? rule : (loaded.get(rule.id) ?? [])));
}

/** The employees whom the caller may see. */
interface Staff {
  readonly visible: ReadonlySet<string>;
  /** Those with entitlements to expand, with breaks for other requests. */
  entitled(): AsyncIterable<EntitledEmployee>;
}

/** Counts generated rules while employees are received, so that a large institution does not block the event loop for others. */
async function countSettings(
  { records, signal, keptEntitlements }: Call,
  { sources, employeeIds }: ListFilter,
  { bounds, counts, share }: { readonly bounds: DateRange; readonly counts: PlaceCounts; readonly share: Share },
): Promise<Staff> {
  const visible = new Set<string>();
  const kept: EntitledEmployee[] = [];
  let entitlements = 0;
  let isKept = true;
  const breaks = new EventLoopBreaks(signal);
  for await (const staff of records.readStaff(employeeIds)) {
    for (const employee of staff) {
      visible.add(employee.id);
      if (!sources.has('setting') || employee.entitlements.length === 0) continue;
      entitlements += employee.entitlements.length;
      isKept &&= entitlements <= keptEntitlements && share.add(employee.entitlements.length * BYTES_OF_ENTITLEMENT);
      if (isKept) kept.push(employee);
      else kept.length = 0;
      for (const place of placesOf(employee, bounds)) counts.add(place);
      if (breaks.isDue) await breaks.take();
    }
  }
  const staffAgain = () => (isKept ? [kept] : records.readStaff(employeeIds));
  return {
    visible,
    async *entitled() {
      if (entitlements === 0) return;
      for await (const staff of staffAgain()) {
        for (const employee of staff) {
          // An employee may have become visible since.
          if (visible.has(employee.id)) yield employee;
          if (breaks.isDue) await breaks.take();
        }
      }
    },
  };
}

interface IdQuery {
  readonly filter: ListFilter;
  readonly ids: readonly string[];
  readonly page: PageRequest;
}

/** Returns a page of rules by id. The ids that fit into a query are few enough to load all of the rules. */
async function pageOfIds({ rules, records, caller }: Call, { filter, ids, page }: IdQuery): Promise<Page<Rule>> {
  const found = ids.length === 0 ? [] : await rules.find(caller, ids);
  const owners = [...new Set(found.map(({ employeeId }) => employeeId))].filter((id) => filter.employeeIds?.includes(id) ?? true);
  const visible = await visibleAmong(records, owners);
  const shown = found.filter(({ employeeId, availableFrom }) => visible.has(employeeId) && availableFrom >= filter.from);
  return { count: shown.length, results: shown.sort(compareRules).slice(page.offset, page.offset + page.limit) };
}

/**
 * Parses the query parameters of the list. Only manual rules can be requested by id.
 *
 * @throws AppError `invalid` naming `daterange`, `sources` or, for an order, `$query`: this list cannot be sorted
 */
function readListFilter(texts: Readonly<Record<string, string>>): ListFilter {
  const parameters = new ListParameters(texts);
  const ids = parameters.ids('ids');
  const sources = new Set(parameters.choices('sources', ruleSources) ?? ruleSources);
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
