/** Returns the previous month, for which the demo organization has complete working times. */
export function lastMonth(now = new Date()): { readonly year: string; readonly month: string; readonly daterange: string } {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0));
  const iso = (date: Date): string => date.toISOString().slice(0, 10);
  return { year: String(first.getUTCFullYear()), month: String(first.getUTCMonth() + 1), daterange: `${iso(first)}|${iso(last)}` };
}
