import type { DateRange } from '@stechuhr/worktime';
import type { SectionRequest } from './request/export-request.js';
import type { RecordPart } from './row-types/row-type.js';

/** The records that a section of an export needs; nothing else is used. */
export interface NeededParts {
  /** The days whose records are needed. Shifts of the neighbouring months may extend into them; readers add those months themselves. */
  readonly days: DateRange;
  readonly contracts: boolean;
  readonly absences: boolean;
  readonly workdays: boolean;
  /** Only together with `workdays`. */
  readonly timespans: boolean;
  /** If true, the other records must go back to the latest opening balance of each employee up to the last month, or to the first month. */
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
