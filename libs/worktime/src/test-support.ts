import type { Contract, EpochDay, EpochSecond, Timespan, Workday } from './records.js';
import { parseLocalDate } from './local-date.js';
import { parseLocalDateTime } from './local-date-time.js';
import type { DateRange } from './intervals.js';

/** Parses a time in a test: local, or UTC with a trailing Z if local time would be ambiguous. */
export function at(text: string): EpochSecond {
  if (text.endsWith('Z')) return Date.parse(text) / 1000;
  const parsed = parseLocalDateTime(text);
  if (parsed.kind !== 'ok' || parsed.second !== null) throw new Error(`${text} names no single instant.`);
  return parsed.instant;
}

export function day(text: string): EpochDay {
  const parsed = parseLocalDate(text);
  if (parsed === undefined) throw new Error(`${text} is no date.`);
  return parsed;
}

export function range(first: string, last: string): DateRange {
  return { first: day(first), last: day(last) };
}

/** Converts hours to seconds. */
export function hours(value: number): number {
  return Math.round(value * 3600);
}

type Span = readonly [start: string, end: string | null, project?: string | null];

/** Creates a workday with breaks and work timespans, given as pairs of times. */
export function workday(start: string, end: string | null, spans: { breaks?: readonly Span[]; work?: readonly Span[] } = {}): Workday {
  const startedAt = at(start);
  const breaks = (spans.breaks ?? []).map((span, index) => timespan(`break-${String(index)}`, 'break', span));
  const work = (spans.work ?? []).map((span, index) => timespan(`work-${String(index)}`, 'work', span));
  return { id: start, date: day(start.slice(0, 10)), startedAt, endedAt: end === null ? null : at(end), timespans: [...work, ...breaks] };
}

function timespan(id: string, type: 'work' | 'break', [start, end, project = null]: Span): Timespan {
  return { id, type, startedAt: at(start), endedAt: end === null ? null : at(end), projectId: project, comment: null };
}

/** Creates a contract from a date on, with planned hours from Monday on (missing ones are 0). */
export function contract(validFrom: string, plannedHours: readonly number[], validTo: string | null = null): Contract {
  return {
    id: `contract-${validFrom}`,
    validFrom: day(validFrom),
    validTo: validTo === null ? null : day(validTo),
    plannedMinutes: Array.from({ length: 7 }, (_, index) => (plannedHours[index] ?? 0) * 60),
    overtimeMinHours: null,
    overtimeMaxHours: null,
  };
}
