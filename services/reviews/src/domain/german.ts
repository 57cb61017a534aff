import { calendarDate, formatLocalTime, formatNumber, roundRatio, type EpochDay, type EpochSecond } from '@stechuhr/worktime';

/** Formats a date: `04.05.2026`. */
export function germanDate(day: EpochDay): string {
  const { year, month, day: dayOfMonth } = calendarDate(day);
  return `${twoDigits(dayOfMonth)}.${twoDigits(month)}.${String(year)}`;
}

/** Formats a local time: `08:00 Uhr`. */
export function germanTime(instant: EpochSecond): string {
  return `${formatLocalTime(instant)} Uhr`;
}

/**
 * Formats hours: `6,25 Stunden`.
 *
 * @param besides the value with which it is compared: if both would be displayed the same, two more decimals are shown
 */
export function germanHours(seconds: number, besides?: number): string {
  return amount(seconds, { besides, unitSeconds: 3600, one: 'Stunde', many: 'Stunden' });
}

/** Formats minutes: `29,98 Minuten`. See {@link germanHours}. */
export function germanMinutes(seconds: number, besides?: number): string {
  return amount(seconds, { besides, unitSeconds: 60, one: 'Minute', many: 'Minuten' });
}

/** Formats a number: `1,5`. */
export function germanNumber(value: number, decimals = 2): string {
  return formatNumber(value, decimals).replace('.', ',').replace('-', '−');
}

interface Unit {
  readonly besides: number | undefined;
  readonly unitSeconds: number;
  readonly one: string;
  readonly many: string;
}

function amount(seconds: number, { besides, unitSeconds, one, many }: Unit): string {
  const looksTheSame = besides !== undefined && besides !== seconds && rounded(seconds, unitSeconds) === rounded(besides, unitSeconds);
  const decimals = looksTheSame ? 4 : 2;
  const value = roundRatio(seconds, unitSeconds, decimals);
  return `${germanNumber(value, decimals)} ${value === 1 ? one : many}`;
}

function rounded(seconds: number, unitSeconds: number): number {
  return roundRatio(seconds, unitSeconds, 2);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
