import { formatLocalDateTime, parseLocalDateTime, resolveInterval, type EpochSecond } from '@stechuhr/worktime';

const MINUTE = 60;

/** An interval in local time, as records contain it. */
export interface LocalInterval {
  readonly started_at: string;
  readonly ended_at: string;
}

type Resolved = ReturnType<typeof resolveInterval>;

export function localInterval(from: EpochSecond, to: EpochSecond): LocalInterval {
  return { started_at: formatLocalDateTime(from), ended_at: formatLocalDateTime(to) };
}

/**
 * The instants that the service will read from the interval; undefined if one of the times does not exist (docs/rules/working-time.md#local-time).
 */
export function resolvedInterval({ started_at, ended_at }: LocalInterval): Resolved | undefined {
  const [start, end] = [parseLocalDateTime(started_at), parseLocalDateTime(ended_at)];
  return start.kind === 'ok' && end.kind === 'ok' ? resolveInterval(start, end) : undefined;
}

/** Whether the interval is read as exactly these instants. An interval that cannot be read at all also counts: the service rejects it. */
export function isReadAs(interval: LocalInterval, from: EpochSecond, to: EpochSecond): boolean {
  const read = resolvedInterval(interval);
  return read === undefined || (read.start === from && read.end === to);
}

/** Whether an interval that ends before its begin by the clock ends in the repeated hour, so that it is read as the time between (02:45 to 02:15). */
export function endsAfterClocksGoBack(interval: LocalInterval): boolean {
  const read = resolvedInterval(interval);
  return read !== undefined && read.end > read.start;
}

/**
 * A break in the middle of a shift, starting a whole number of minutes after its begin. When the clocks go back, it is moved away from local times
 * that would be read as the earlier hour.
 * @returns undefined if there is no such place
 */
export function localBreak({ start, end }: Resolved, seconds: number): LocalInterval | undefined {
  const latest = end - seconds;
  const middle = start + Math.floor((latest - start) / 2 / MINUTE) * MINUTE;
  for (let away = 0; away <= latest - start; away += MINUTE) {
    for (const from of [middle - away, middle + away]) {
      if (from >= start && from <= latest && isUnambiguous(from) && isUnambiguous(from + seconds))
        return localInterval(from, from + seconds);
    }
  }
  return undefined;
}

/** Whether the local time of an instant is read as exactly this instant. */
function isUnambiguous(instant: EpochSecond): boolean {
  const parsed = parseLocalDateTime(formatLocalDateTime(instant));
  return parsed.kind === 'ok' && parsed.instant === instant;
}
