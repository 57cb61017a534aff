import { parseBody, reportStatusQuery } from '@stechuhr/contracts';
import { AppError } from '@stechuhr/kernel';
import { parseLocalDate } from '@stechuhr/worktime';
import type { ReportKey, ReportStatus } from '../domain/report.js';
import type { Call } from './ports.js';
import { projectOf } from './project-of.js';

export interface FoundStatus extends ReportKey {
  readonly status: ReportStatus;
}

/**
 * The status of a project's day; draft where none was recorded.
 *
 * @param parameters query parameters as sent
 * @throws AppError `invalid` naming the bad parameters
 */
export async function getStatus(call: Call, parameters: Readonly<Record<string, string>>): Promise<FoundStatus> {
  const report = readKey(parameters);
  await projectOf(call, 'tag', report.tagId);
  return { ...report, status: await call.reports.statusOf(call.caller, report) };
}

/** An empty parameter counts as not given. */
function readKey(parameters: Readonly<Record<string, string>>): ReportKey {
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value.trim() !== ''));
  const { tag, date } = parseBody(reportStatusQuery, given);
  const day = parseLocalDate(date);
  if (day === undefined) throw AppError.invalid({ date: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'] });
  return { tagId: tag, date: day };
}
