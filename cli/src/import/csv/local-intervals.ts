import { formatLocalDateTime, parseLocalDateTime, resolveInterval, type EpochSecond } from '@stechuhr/worktime';

const MINUTE = 60;

/** An interval by the clock on the wall, as records state it. */
export interface LocalInterval {
  readonly started_at: string;
  readonly ended_at: string;
}

type Resolved = ReturnType<typeof resolveInterval>;

export function localInterval(from: EpochSecond, to: EpochSecond): LocalInterval {
  return { started_at: formatLocalDateTime(from), ended_at: formatLocalDateTime(to) };
}

/** The instants that the owner of the record reads; undefined where a time does not exist (docs/rules/working-time.md#local-time). */
export function resolvedInterval({ started_at, ended_at }: LocalInterval): Resolved | undefined {
  const [start, end] = [parseLocalDateTime(started_at), parseLocalDateTime(ended_at)];
  return start.kind === 'ok' && end.kind === 'ok' ? resolveInterval(start, end) : undefined;
}

/** Whether no other instants are read from an interval. One that cannot be read at all is rejected by the owner of the record. */
export function meansOnly(interval: LocalInterval, from: EpochSecond, to: EpochSecond): boolean {
  const read = resolvedInterval(interval);
  return read === undefined || (read.start === from && read.end === to);
}

/**
 * A break in the middle of a shift, from a full minute after its begin. Where the clocks go back, beside the times that mean the hour before.
 *
 * @returns undefined where there is no such place
 */
export function localBreak({ start, end }: Resolved, seconds: number): LocalInterval | undefined {
  const latest = end - seconds;
  const middle = start + Math.floor((latest - start) / 2 / MINUTE) * MINUTE;
  for (let away = 0; away <= latest - start; away += MINUTE) {
    for (const from of [middle - away, middle + away]) {
      if (from >= start && from <= latest && isNamed(from) && isNamed(from + seconds)) return localInterval(from, from + seconds);
    }
  }
  return undefined;
}

/** Whether the local time of an instant means no other one. */
function isNamed(instant: EpochSecond): boolean {
  const parsed = parseLocalDateTime(formatLocalDateTime(instant));
  return parsed.kind === 'ok' && parsed.instant === instant;
}
