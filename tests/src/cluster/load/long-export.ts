/** Enough parts for an export to take some seconds, so that its worker can be observed. */
const PARTS = 10;

/** Returns the parameters of an export that takes some seconds: a year, reduced by `daysLess` days, repeated in several parts. */
export function longExport(daysLess = 0): Readonly<Record<'config' | 'daterange', string>> {
  const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const daterange = [dayOf(360 - daysLess), dayOf(10)];
  const columns = ['employee-number', 'last-name', 'date', 'weekday', 'type', 'value'];
  const part = { daterange, types: ['daily:hours'], columns, skip_zero_rows: false };
  return { config: JSON.stringify(Array.from({ length: PARTS }, () => part)), daterange: daterange.join('|') };
}
