import { stockFields, stockList } from '@stechuhr/kernel';
import { z } from 'zod';
import { integerField, nullable } from './fields.js';
import { listOrders, ListParameters, type DateBounds, type DateRange, type Ordering } from './list-parameters.js';

const { choice, date, text, uuid } = stockFields;

/** States of a report (spec, Daily report status). */
export const reportStatuses = ['draft', 'submitted', 'closed', 'archived'] as const;

export type ReportStatusName = (typeof reportStatuses)[number];

/** The largest photo that can be uploaded (spec, Limits). */
export const MAX_PHOTO_BYTES = 2_097_152;

/** Query of the status of a project's day. */
export const reportStatusQuery = z.object({ tag: uuid(), date: date() });

/** Body of POST on autofill. */
export const autofillBody = z.object({ tag: uuid(), date: date(), field: nullable(text()) });

/** Maximum number of reports in one file: a project over more than a year of working days. */
export const MAX_BUNDLE_REPORTS = 400;
/**
 * Maximum number and size in bytes of the entries in one PDF, counting all versions, with their texts and signatures. pdfkit keeps something of each
 * element and each page until the end of the file.
 */
export const MAX_PDF_ENTRIES = 100_000;
export const MAX_PDF_BYTES = 256 * 1024 * 1024;
/** Maximum number of projects in a bundle request. */
const MAX_BUNDLE_PROJECTS = 100;

/** The exporter name of tasks that write bundles. */
export const BUNDLE_EXPORTER = 'daily_report_bundle';

/** A single PDF, or an archive of PDFs. */
export const bundleFormats = ['pdf', 'zip'] as const;

/** Body of POST on bundles: the reports of several days. */
export const bundleBody = z.object({
  date_from: date(),
  date_to: date(),
  projects: nullable(stockList(uuid(), { max: MAX_BUNDLE_PROJECTS })),
  status: nullable(stockList(choice(...reportStatuses), { max: reportStatuses.length })),
  format: choice(...bundleFormats).default('pdf'),
});

/** Body of POST on photo upload tokens. */
export const uploadTokenBody = z.object({
  filename: text(),
  filetype: choice('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/gif'),
  filesize: integerField({ min: 1, max: MAX_PHOTO_BYTES }),
});

/** The fields of {@link uploadTokenBody} that are numbers, for `readJson`. */
export const uploadTokenNumbers: readonly string[] = ['filesize'];

/** The parameters of a list of reports. */
export interface ReportsQuery {
  readonly range: DateBounds;
  /** Undefined if the parameter is missing. */
  readonly projectIds: readonly string[] | undefined;
  /** Empty means all. */
  readonly statuses: readonly ReportStatusName[];
  readonly order: readonly Ordering<'date'>[];
}

/** The parameters of a list of entries. */
export interface EntriesQuery {
  readonly range: DateRange | undefined;
  readonly projectIds: readonly string[] | undefined;
  readonly fieldId: string | undefined;
  readonly ids: readonly string[] | undefined;
  /** Only entries that the platform received since this time, in seconds since 1970. */
  readonly modifiedSince: number | undefined;
  /** Only the newest entry of each group. */
  readonly grouped: boolean;
  readonly order: readonly Ordering<'date'>[];
}

/**
 * Reads the query of the reports list, in which each parameter treats invalid values differently (spec, Daily reports).
 *
 * @returns undefined if nothing can match
 * @throws AppError `invalid` for an unknown field in `order`
 */
export function readReportsQuery(texts: Readonly<Record<string, string>>): ReportsQuery | undefined {
  const parameters = new ListParameters(texts);
  const order = parameters.order(listOrders.dailyReports);
  parameters.throwIfAny();
  const full = parameters.fullRange();
  const projectIds = parameters.ids('projects');
  if (full === 'malformed' || projectIds?.length === 0) return undefined;
  const range = full ?? { from: parameters.dateIfValid('date_from'), until: parameters.dateIfValid('date_to') };
  if (range.from !== undefined && range.until !== undefined && range.from > range.until) return undefined;
  return {
    range,
    projectIds,
    statuses: parameters.knownChoices('status', reportStatuses),
    order,
  };
}

/**
 * Reads the query of the entries list.
 * @param parseDateTime `parseLocalDateTime` of libs/worktime
 * @returns undefined if nothing can match
 * @throws AppError `invalid` for an unknown field in `order`, and for an invalid local time in `modified_since`
 */
export function readEntriesQuery(
  texts: Readonly<Record<string, string>>,
  parseDateTime: Parameters<ListParameters['instant']>[1],
): EntriesQuery | undefined {
  const parameters = new ListParameters(texts);
  const order = parameters.order(listOrders.dailyReports);
  const modifiedSince = parameters.instant('modified_since', parseDateTime);
  parameters.throwIfAny();
  const range = parameters.fullRange();
  const projectIds = parameters.idsIfAllValid('tags');
  const ids = parameters.ids('ids');
  if (range === 'malformed' || projectIds === 'malformed' || ids?.length === 0) return undefined;
  return {
    range,
    projectIds,
    fieldId: parameters.text('field_id'),
    ids,
    modifiedSince,
    grouped: parameters.text('grouped') === '1',
    order,
  };
}
