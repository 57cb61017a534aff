import type { EpochSecond } from './records.js';
import { digitsAt, formatLocalDate, localDateAt, twoDigits } from './local-date.js';
import { instantsAt, offsetAt } from './zone.js';

/** The instant of a local time. `second` is the later of both instants in the repeated hour of October, otherwise null. */
export interface LocalInstant {
  readonly kind: 'ok';
  readonly instant: EpochSecond;
  readonly second: EpochSecond | null;
}

/**
 * What a text turned out to be: an instant; `malformed`; `offset` (well-formed, but with a trailing Z or UTC offset, which
 * docs/rules/working-time.md#local-time forbids); `early` (well-formed, but before 1970); `nonexistent` (in the hour that is skipped in March).
 */
export type ParsedLocalDateTime = LocalInstant | { readonly kind: 'malformed' | 'offset' | 'early' | 'nonexistent' };

const DAY_SECONDS = 86_400;
const DESIGNATOR = /^(?:\.\d+)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;
const EPOCH_YEAR = '1970';

/** Parses `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS` as Europe/Berlin time (years 1970 to 9999, no fractions, no 24:00). */
export function parseLocalDateTime(text: string): ParsedLocalDateTime {
  const day = localDateAt(text);
  const secondOfDay = timeAt(text);
  if (day === undefined || text[10] !== 'T' || Number.isNaN(secondOfDay)) return { kind: 'malformed' };
  const length = text[16] === ':' ? 19 : 16;
  if (text.length > length) return { kind: DESIGNATOR.test(text.slice(length)) ? 'offset' : 'malformed' };
  if (text < EPOCH_YEAR) return { kind: 'early' };
  const [instant, second = null] = instantsAt(day, secondOfDay);
  return instant === undefined ? { kind: 'nonexistent' } : { kind: 'ok', instant, second };
}

/** Returns the seconds of the `HH:MM` or `HH:MM:SS` after a date, or NaN. */
function timeAt(text: string): number {
  const hours = digitsAt(text, 11, 2);
  const minutes = digitsAt(text, 14, 2);
  const seconds = text[16] === ':' ? digitsAt(text, 17, 2) : 0;
  return text[13] === ':' && hours < 24 && minutes < 60 && seconds < 60 ? hours * 3600 + minutes * 60 + seconds : Number.NaN;
}

/**
 * Resolves a start and an end that may be in the repeated hour: uses the first occurrence, unless the end would then be before the start, or the
 * start before one of the bounds (docs/rules/working-time.md#local-time). If the end is still before the start, the caller has to reject the
 * interval.
 *
 * @param notBefore instants before which the interval does not start if it can start later
 */
export function resolveInterval(
  start: LocalInstant,
  end: LocalInstant,
  notBefore: readonly EpochSecond[] = [],
): { readonly start: EpochSecond; readonly end: EpochSecond } {
  const from = resolveInstant(start, notBefore);
  return { start: from, end: resolveInstant(end, [from]) };
}

/** Returns the first occurrence of a local time, or the second if only that is not before one of the bounds. */
export function resolveInstant({ instant, second }: LocalInstant, notBefore: readonly EpochSecond[]): EpochSecond {
  return second !== null && notBefore.some((bound) => instant < bound && second >= bound) ? second : instant;
}

const MINUTES = Array.from({ length: 1440 }, (_, minute) => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`);
const SECONDS = Array.from({ length: 60 }, (_, second) => `:${twoDigits(second)}`);

/**
 * Formats an instant as `YYYY-MM-DDTHH:MM:SS` in Europe/Berlin, without designator. Both occurrences of the repeated hour in October look
 * the same.
 */
export function formatLocalDateTime(instant: EpochSecond): string {
  const clock = instant + offsetAt(instant);
  const day = Math.floor(clock / DAY_SECONDS);
  const secondOfDay = clock - day * DAY_SECONDS;
  const minute = Math.floor(secondOfDay / 60);
  return `${formatLocalDate(day)}T${MINUTES[minute] ?? ''}${SECONDS[secondOfDay - minute * 60] ?? ''}`;
}

/** Formats an instant as `HH:MM` in Europe/Berlin; seconds are truncated. */
export function formatLocalTime(instant: EpochSecond): string {
  const clock = instant + offsetAt(instant);
  return MINUTES[Math.floor((clock - Math.floor(clock / DAY_SECONDS) * DAY_SECONDS) / 60)] ?? '';
}
