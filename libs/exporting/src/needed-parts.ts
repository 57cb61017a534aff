import type { DateRange } from '@stechuhr/worktime';
import type { SectionRequest } from './request/export-request.js';
import type { RecordPart } from './row-types/row-type.js';

/** What to read for a section of an export: nothing else is looked at. */
export interface NeededParts {
  /** The days whose records matter. Shifts from the neighbour months reach into them: a reader adds those months itself. */
  readonly days: DateRange;
  readonly contracts: boolean;
  readonly absences: boolean;
  readonly workdays: boolean;
  /** Only together with `workdays`. */
  readonly timespans: boolean;
  /** Everything else has to be read, for each employee, from the latest opening balance up to the last month on, or from the first month. */
  readonly openingBalances: boolean;
  /** The vacation balance on the last day, from the absence rules. */
  readonly vacation: boolean;
  /** The vacation balance at the end of the year before that of the last day. */
  readonly vacationBefore: boolean;
}

/** Determines which records of its staff a section needs. */
export function neededParts({ period, types, filters }: SectionRequest): NeededParts {
  const parts = new Set<RecordPart>(types.flatMap(({ needs }) => needs));
  for (const filter of filters) {
    if (filter.scope === 'records') for (const part of filter.needs) parts.add(part);
  }
  return {
    days: period,
    contracts: parts.has('contracts'),
    absences: parts.has('absences'),
    workdays: parts.has('workdays'),
    timespans: parts.has('timespans'),
    openingBalances: parts.has('openingBalances'),
    vacation: parts.has('vacation'),
    vacationBefore: parts.has('vacationBefore'),
  };
}
