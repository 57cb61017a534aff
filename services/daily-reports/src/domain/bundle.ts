import { AppError, type FieldErrors } from '@stechuhr/kernel';
import { formatLocalDate, parseLocalDate } from '@stechuhr/worktime';
import type { DayBounds, ReportStatus } from './report.js';

/** The selection of reports for one file, and its format. */
export interface Bundle {
  readonly range: Required<DayBounds> & { readonly from: number; readonly until: number };
  /** Undefined means all projects that the caller may see. */
  readonly projectIds: readonly string[] | undefined;
  /** Empty means all. */
  readonly statuses: readonly ReportStatus[];
  readonly format: 'pdf' | 'zip';
}

/** A bundle as requested. */
export interface BundleInput {
  /** The first day, `YYYY-MM-DD`. */
  readonly date_from: string;
  readonly date_to: string;
  /** Null means all. */
  readonly projects: readonly string[] | null;
  readonly status: readonly ReportStatus[] | null;
  readonly format: Bundle['format'];
}

/** Returns the parameters of the task. They do not depend on the order of the lists in the request. */
export function bundleParameters({ range, projectIds, statuses, format }: Bundle): Record<string, string> {
  return {
    date_from: formatLocalDate(range.from),
    date_to: formatLocalDate(range.until),
    ...(projectIds !== undefined && { projects: projectIds.join(SEPARATOR) }),
    ...(statuses.length > 0 && { status: statuses.join(SEPARATOR) }),
    format,
  };
}

/** Returns the request that corresponds to the parameters of a task, not validated. */
export function inputOf({ projects, status, ...others }: Readonly<Record<string, string>>): object {
  return { ...others, projects: projects?.split(SEPARATOR), status: status?.split(SEPARATOR) };
}

const SEPARATOR = '|';

/** Returns the problem of days in the wrong order. ISO dates can be compared as text. */
export function orderProblem({ date_from: first, date_to: last }: Partial<BundleInput>): FieldErrors {
  return first !== undefined && last !== undefined && first > last ? { date_to: ['It may not be before date_from.'] } : {};
}

/** Converts a validated request. */
export function toBundle({ date_from: first, date_to: last, projects, status, format }: BundleInput): Bundle {
  const [from, until] = [parseLocalDate(first), parseLocalDate(last)];
  if (from === undefined || until === undefined)
    throw new AppError('internal', 'Internal error.', { cause: new Error(`${first} passed as a date.`) });
  const sorted = <T extends string>(list: readonly T[] | null): T[] => [...new Set(list ?? [])].sort();
  return { range: { from, until }, projectIds: projects === null ? undefined : sorted(projects), statuses: sorted(status), format };
}
