import { roundHalfUp } from '@stechuhr/worktime';

const WEEKDAYS = ['Sonntag', 'Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag'];

/** An en dash: printed for missing values, and as the minus sign. */
export const DASH = '–';

/** Returns the text, or a dash if it is missing or blank. */
export function orDash(text: string | null): string {
  return text === null || text.trim() === '' ? DASH : text;
}

/** Formats `2026-10-21…` as `21.10.2026`. */
export function germanDate(date: string): string {
  return `${date.slice(8, 10)}.${date.slice(5, 7)}.${date.slice(0, 4)}`;
}

/** Formats a date as `Mittwoch, 21.10.2026`. */
export function germanDay(date: string): string {
  return `${WEEKDAYS[new Date(`${date.slice(0, 10)}T00:00:00Z`).getUTCDay()] ?? ''}, ${germanDate(date)}`;
}

/** Formats a local time as `21.10.2026, 09:14 Uhr`. */
export function germanMoment(at: string): string {
  return `${germanDate(at)}, ${at.slice(11, 16)}\u00a0Uhr`;
}

/** Formats a number with a decimal comma, and at least `digits` and at most two decimals; thousands are not grouped. */
export function germanNumber(value: number, digits = 0): string {
  const [whole = '0', decimals = ''] = Math.abs(roundHalfUp(value, 2)).toFixed(2).split('.');
  const kept = decimals.replace(/0+$/, '').padEnd(digits, '0');
  const text = kept === '' ? whole : `${whole},${kept}`;
  return value < 0 && /[1-9]/.test(text) ? DASH + text : text;
}

/** Formats a temperature as `12,5 °C`. */
export function germanTemperature(celsius: number): string {
  return `${germanNumber(celsius)}\u00a0°C`;
}

/** Formats a position as `48,13743° N, 11,57549° O`; five decimals correspond to about a metre. */
export function germanPlace(latitude: number, longitude: number): string {
  return `${degrees(latitude, 'N', 'S')}, ${degrees(longitude, 'O', 'W')}`;
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Math.abs(value).toFixed(5).replace('.', ',')}°\u00a0${value < 0 ? negative : positive}`;
}
