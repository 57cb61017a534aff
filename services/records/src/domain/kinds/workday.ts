import {
  comment,
  instant,
  list,
  localDateTime,
  MAX_COMMENT_BYTES,
  nearDate,
  oneOf,
  optionalLocalDateTime,
  optionalUuid,
  storedInstant,
  uuid,
  type Reference,
} from '@stechuhr/ingest/kinds';
import {
  formatLocalDate,
  localDayOf,
  monthOf,
  resolveInstant,
  resolveInterval,
  type EpochDay,
  type EpochSecond,
  type LocalInstant,
} from '@stechuhr/worktime';
import { z } from 'zod';
import { defineKind } from '../kind.js';

const DAY_MS = 86_400_000;
/** The longest shift, in days. Queries read only the requested months and the months next to them. */
const MAX_DAYS = 28;

const timespan = z.object(
  {
    id: uuid.describe('Id of the timespan.'),
    type: oneOf('work', 'break').describe('Work or break.'),
    started_at: localDateTime.describe('Start, local time.'),
    ended_at: optionalLocalDateTime.describe('End, local time; null while it is open, which counts no hours.'),
    project_id: optionalUuid.describe('Project.'),
    comment: comment.describe('Comment.'),
  },
  { error: 'must be an object' },
);

interface LocalWorkday {
  readonly started_at: LocalInstant;
  readonly ended_at: LocalInstant | null;
  readonly timespans: readonly z.output<typeof timespan>[];
}

/**
 * Resolves times in the repeated hour of October together (docs/rules/working-time.md#local-time): a timespan does not begin before its workday or
 * before the end of the previous one of its type, and a workday does not end before a timespan that lies in the second hour.
 */
function resolved<T extends LocalWorkday>({ started_at, ended_at, timespans, ...rest }: T) {
  const start = started_at.instant;
  const previous = { work: start, break: start };
  let latest = start;
  const spans = timespans.map(({ started_at: from, ended_at: to, ...other }) => {
    const span = resolvedSpan(from, to, [start, previous[other.type]]);
    previous[other.type] = span.end ?? span.start;
    if (span.start === from.second) latest = Math.max(latest, span.start);
    if (span.end !== null && span.end === to?.second) latest = Math.max(latest, span.end);
    return { ...stored(span), ...other };
  });
  const end = ended_at === null ? null : resolveInstant(ended_at, [start, latest]);
  return { ...stored({ start, end }), timespans: spans, ...rest };
}

interface Resolved {
  readonly start: EpochSecond;
  readonly end: EpochSecond | null;
}

function resolvedSpan(start: LocalInstant, end: LocalInstant | null, notBefore: readonly EpochSecond[]): Resolved {
  return end === null ? { start: resolveInstant(start, notBefore), end: null } : resolveInterval(start, end, notBefore);
}

function stored({ start, end }: Resolved) {
  return { started_at: storedInstant(start), ended_at: end === null ? null : storedInstant(end) };
}

const edit = z.object(
  { at: instant.describe('Time of the change, local time.'), by: oneOf('employee', 'manager', 'system').describe('Who made the change.') },
  { error: 'must be an object' },
);

/** One shift, the source of tracked time. */
export const workday = defineKind({
  name: 'workday',
  schema: z
    .object({
      employee_id: uuid.describe('Employee.'),
      date: nearDate.describe('The day that the shift belongs to.'),
      started_at: localDateTime.describe('Start of the shift, local time.'),
      ended_at: optionalLocalDateTime.describe('End of the shift, local time; null while it is open, which counts no hours.'),
      timespans: list(timespan).describe('Work and breaks inside the shift; without any, all of it is work.'),
      edits: list(edit).describe('Later changes.'),
    })
    .transform(resolved),
  contradictions({ timespans, ...shift }) {
    const { started_at, ended_at } = shift;
    const problems = timespans.flatMap((span, index) =>
      endsBeforeStart(span) ? [`timespans[${String(index)}].ended_at lies before its started_at.`] : [],
    );
    if (endsBeforeStart(shift)) problems.unshift('ended_at lies before started_at.');
    if (Math.abs(shift.date - localDayOf(started_at.getTime() / 1000)) > 1) {
      problems.push('date lies more than one day from the local day of started_at.');
    }
    if (ended_at !== null && ended_at.getTime() - started_at.getTime() > MAX_DAYS * DAY_MS) {
      problems.push(`ended_at lies more than ${String(MAX_DAYS)} days after started_at.`);
    }
    if (ended_at !== null && monthsUntil(shift.date, ended_at) > 1) problems.push('ended_at lies after the month that follows date.');
    const bytes = timespans.reduce((sum, span) => sum + Buffer.byteLength(span.comment ?? ''), 0);
    if (bytes > MAX_COMMENT_BYTES)
      problems.push(`The comments of timespans may not have more than ${String(MAX_COMMENT_BYTES)} bytes together.`);
    return problems;
  },
  ignored: ({ timespans, ...shift }) =>
    timespans.flatMap((span, index) =>
      isOutside(span, shift) ? [`timespans[${String(index)}] lies outside of the workday, so it counts no time.`] : [],
    ),
  references: ({ employee_id, timespans }) => [
    { field: 'employee_id', kind: 'employee', id: employee_id },
    ...timespans.flatMap(({ project_id }, index) => projectReference(index, project_id)),
  ],
  announced: ({ employee_id, date: day }) => ({ employee_id, date: formatLocalDate(day) }),
  placement: ({ employee_id, date: day }) => ({ employeeId: employee_id, ...monthOf(day) }),
});

/** Returns how many months after the month of a day an instant lies. Queries read only the requested months and the months next to them. */
function monthsUntil(day: EpochDay, instant: Date): number {
  const [from, to] = [monthOf(day), monthOf(localDayOf(instant.getTime() / 1000 - 1))];
  return (to.year - from.year) * 12 + to.month - from.month;
}

interface StoredInterval {
  readonly started_at: Date;
  readonly ended_at: Date | null;
}

/** Whether a timespan shares no time with its workday. One that has no duration is not judged: it counts no time anyway. */
function isOutside({ started_at: from, ended_at: to }: StoredInterval, { started_at, ended_at }: StoredInterval): boolean {
  if (to !== null && to <= from) return false;
  return (ended_at !== null && from >= ended_at) || (to !== null && to <= started_at);
}

function endsBeforeStart(span: StoredInterval): boolean {
  return span.ended_at !== null && span.ended_at < span.started_at;
}

function projectReference(index: number, id: string | null): Reference[] {
  return id === null ? [] : [{ field: `timespans[${String(index)}].project_id`, kind: 'project', id }];
}
