import { AppError } from '@stechuhr/kernel';
import { formatLocalDate, parseLocalDate } from '@stechuhr/worktime';
import type { DayBounds, ReportStatus } from './report.js';

/** Which reports to put into one file, and its format. */
export interface Bundle {
  readonly range: Required<DayBounds> & { readonly from: number; readonly until: number };
  /** Undefined means all that the caller may see. */
  readonly projectIds: readonly string[] | undefined;
  /** Empty means all. */
  readonly statuses: readonly ReportStatus[];
  readonly format: 'pdf' | 'zip';
}

/** A bundle as requested. */
export interface BundleWish {
  /** `YYYY-MM-DD` */
  readonly date_from: string;
  readonly date_to: string;
  /** Null means all. */
  readonly projects: readonly string[] | null;
  readonly status: readonly ReportStatus[] | null;
  readonly format: Bundle['format'];
}

/** The parameters of its task, which are the same for the same bundle, regardless of the order of its lists. */
export function bundleParameters({ range, projectIds, statuses, format }: Bundle): Record<string, string> {
  return {
    date_from: formatLocalDate(range.from),
    date_to: formatLocalDate(range.until),
    ...(projectIds !== undefined && { projects: projectIds.join(SEPARATOR) }),
    ...(statuses.length > 0 && { status: statuses.join(SEPARATOR) }),
    format,
  };
}

/** The request from which the parameters of a task were made; not validated. */
export function wishOf({ projects, status, ...others }: Readonly<Record<string, string>>): object {
  return { ...others, projects: projects?.split(SEPARATOR), status: status?.split(SEPARATOR) };
}

const SEPARATOR = '|';

/** @throws AppError `invalid` if the last day is before the first */
export function toBundle({ date_from: first, date_to: last, projects, status, format }: BundleWish): Bundle {
  const [from, until] = [parseLocalDate(first), parseLocalDate(last)];
  if (from === undefined || until === undefined || from > until) throw AppError.invalid({ date_to: ['It may not be before date_from.'] });
  const sorted = <T extends string>(list: readonly T[] | null): T[] => [...new Set(list ?? [])].sort();
  return { range: { from, until }, projectIds: projects === null ? undefined : sorted(projects), statuses: sorted(status), format };
}
