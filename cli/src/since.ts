import { Failure } from './failure.js';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const DATE_CHARACTERS = 'YYYY-MM-DD'.length;

/**
 * Reads an instant as typed: a time ago (`30m`, `2h`, `14d`), or a date or instant of ISO 8601 (`2026-05-01`, `2026-05-01T08:00:00Z`).
 * @throws Failure (wrong usage)
 */
export function readSince(text: string, now = Date.now()): Date {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/u.exec(text) ?? [];
  if (count !== undefined) return new Date(now - Number(count) * (UNITS[unit] ?? 0));
  const instant = new Date(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/u.test(text) ? text : Number.NaN);
  // Date would silently read 30 February as 2 March.
  if (!Number.isNaN(instant.getTime()) && text.startsWith(instant.toISOString().slice(0, DATE_CHARACTERS))) return instant;
  throw new Failure(`--since: "${text}" is neither an age (30m, 2h, 14d) nor an instant in UTC (2026-05-01T08:00:00Z).`, 2);
}
