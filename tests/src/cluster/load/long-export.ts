/** So many that each takes some seconds: workers are at it for longer than it takes to look what they do. */
const PARTS = 10;

/** Parameters of an export for which a worker takes some seconds: the days of a year, or of somewhat less, in as many parts. */
export function longExport(daysLess = 0): Readonly<Record<'config' | 'daterange', string>> {
  const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const daterange = [dayOf(360 - daysLess), dayOf(10)];
  const columns = ['employee-number', 'last-name', 'date', 'weekday', 'type', 'value'];
  const part = { daterange, types: ['daily:hours'], columns, skip_zero_rows: false };
  return { config: JSON.stringify(Array.from({ length: PARTS }, () => part)), daterange: daterange.join('|') };
}
