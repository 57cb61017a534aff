import type { DayRange, ExportRequest } from './request/export-request.js';

/** What to read for a request: nothing else is looked at. */
export interface NeededParts {
  /** The days whose records matter; a reader adds the neighbour months itself. */
  readonly days: DayRange;
  readonly contracts: boolean;
  readonly absences: boolean;
  readonly workdays: boolean;
  /** Only together with `workdays`. */
  readonly timespans: boolean;
}

/** Tells which records of the selected staff the request needs. */
export function neededParts(request: ExportRequest): NeededParts {
  return { days: request.period, contracts: true, absences: true, workdays: true, timespans: true };
}
