import { formatLocalDate } from '@stechuhr/worktime';
import type { ReportKey } from '../domain/report.js';
import type { Tenant } from '../operations/tenant.js';

/** The natural key of a report. */
export function documentId({ institutionId }: Tenant, { tagId, date }: ReportKey): string {
  return `${institutionId}/${tagId}/${formatLocalDate(date)}`;
}

export function toDate(second: number): Date {
  return new Date(second * 1000);
}

export function toSecond(date: Date): number {
  return date.getTime() / 1000;
}
