import { parseUuid } from '@stechuhr/kernel';
import { formatLocalDate, parseLocalDate, type EpochDay } from '@stechuhr/worktime';

/** A report is identified by a project and a day. */
export interface ReportKey {
  readonly tagId: string;
  readonly date: EpochDay;
}

export const reportStatuses = ['draft', 'submitted', 'closed', 'archived'] as const;

export type ReportStatus = (typeof reportStatuses)[number];

/** Returns the id of a report, `<tag_id>|<date>`. */
export function reportId({ tagId, date }: ReportKey): string {
  return `${tagId}|${formatLocalDate(date)}`;
}

/** Parses the id of a report; undefined if it is invalid. */
export function parseReportId(text: string): ReportKey | undefined {
  const [tag, day, ...rest] = text.split('|');
  const tagId = parseUuid(tag ?? '');
  const date = parseLocalDate(day ?? '');
  return tagId === undefined || date === undefined || rest.length > 0 ? undefined : { tagId, date };
}

/** The first and the last day, both included; undefined means no bound. */
export interface DayBounds {
  readonly from: EpochDay | undefined;
  readonly until: EpochDay | undefined;
}
