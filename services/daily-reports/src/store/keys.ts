import { formatLocalDate } from '@stechuhr/worktime';
import { trusted } from 'mongoose';
import type { DayBounds, ReportKey } from '../domain/report.js';
import type { Tenant } from '../operations/tenant.js';

/** Returns the natural key of a report. */
export function documentId({ institutionId }: Tenant, { tagId, date }: ReportKey): string {
  return `${institutionId}/${tagId}/${formatLocalDate(date)}`;
}

export function toDate(second: number): Date {
  return new Date(second * 1000);
}

export function toSecond(date: Date): number {
  return date.getTime() / 1000;
}

/** Returns a condition on `date`; empty if there are no bounds. */
export function daysWithin({ from, until }: DayBounds): { readonly date?: number } {
  if (from === undefined && until === undefined) return {};
  // Typed like the field itself, because mongoose accepts operators in its place.
  return { date: trusted({ ...(from !== undefined && { $gte: from }), ...(until !== undefined && { $lte: until }) }) as unknown as number };
}
