import { parseUuid } from '@stechuhr/kernel';
import { formatLocalDate, parseLocalDate, type EpochDay } from '@stechuhr/worktime';

/** A day on a project. */
export interface ReportKey {
  readonly tagId: string;
  readonly date: EpochDay;
}

export const reportStatuses = ['draft', 'submitted', 'closed', 'archived'] as const;

export type ReportStatus = (typeof reportStatuses)[number];

/** `<tag_id>|<date>` */
export function reportId({ tagId, date }: ReportKey): string {
  return `${tagId}|${formatLocalDate(date)}`;
}

/** Undefined if the text is not an id of a report. */
export function parseReportId(text: string): ReportKey | undefined {
  const [tag, day, ...rest] = text.split('|');
  const tagId = parseUuid(tag ?? '');
  const date = parseLocalDate(day ?? '');
  return tagId === undefined || date === undefined || rest.length > 0 ? undefined : { tagId, date };
}

/** First and last day; undefined means unbounded. */
export interface DayBounds {
  readonly from: EpochDay | undefined;
  readonly until: EpochDay | undefined;
}
