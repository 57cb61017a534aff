import { createHash } from 'node:crypto';

/** The input of the variants. */
export interface ReportListValues {
  readonly mongodbUrl: string;
  readonly token: string;
  /** Pages of a hundred reports: the URL of each, and the document ids of its reports. */
  readonly pages: readonly { readonly url: string; readonly reports: readonly string[] }[];
}

/** The fields of a report that are compared: all that are computed from its entries. */
export interface ComputedReport {
  readonly id: string;
  readonly contributors: number;
  /** Sorted ids. */
  readonly employees: readonly string[];
  readonly hours: number;
  readonly weather: readonly (readonly [time: string, temperature: number, condition: string])[];
}

export function digestOf(reports: readonly ComputedReport[]): string {
  return createHash('sha256').update(JSON.stringify(reports)).digest('hex');
}
