import { employeesInOrder } from './employees.js';
import { yearFirm } from './firms.js';
import { benchPlatform, type BenchPlatform } from './platform.js';
import { monthsBetween } from './stored-months.js';
import { YEAR, type YearExportValues } from './year-export.js';

export interface YearCase {
  readonly platform: BenchPlatform;
  readonly token: string;
  /** Values for variants that read the database directly. */
  readonly own: YearExportValues;
}

/** Returns the platform with the firm whose year is exported. */
export async function prepareYear(size: number, quick: boolean): Promise<YearCase> {
  const platform = await benchPlatform(quick);
  const { mongodbUrl } = platform;
  const { institutionId, token } = await platform.firm(yearFirm(size));
  const employees = await employeesInOrder(mongodbUrl, institutionId);
  const employeeIds = employees.map(({ id }) => id);
  const stored = { mongodbUrl, institutionId, employeeIds, months: monthsBetween('2024-12', '2026-01') };
  return { platform, token, own: { ...YEAR, employees, stored } };
}
