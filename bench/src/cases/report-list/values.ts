import { createHash } from 'node:crypto';

/** What the variants are given. */
export interface ReportListValues {
  readonly mongodbUrl: string;
  readonly token: string;
  /** Pages of a hundred: where each is answered, and the documents that its reports are. */
  readonly pages: readonly { readonly url: string; readonly reports: readonly string[] }[];
}

/** What is compared of a report: all that needs its entries. */
export interface ComputedReport {
  readonly id: string;
  readonly contributors: number;
  /** Sorted. */
  readonly employees: readonly string[];
  readonly hours: number;
  readonly weather: readonly (readonly [time: string, temperature: number, condition: string])[];
}

export function digestOf(reports: readonly ComputedReport[]): string {
  return createHash('sha256').update(JSON.stringify(reports)).digest('hex');
}
