import { formatLocalDateTime, instantAt, type EpochDay, type EpochSecond } from '@stechuhr/worktime';
import type { Firm } from './firm.js';
import type { PlannedDay } from './month-plan.js';
import type { Person } from './people.js';
import { projectFor, type Sites } from './projects.js';
import { createRandom } from './random.js';
import type { TimespanRecord } from './records.js';
import type { Shift } from './shifts.js';
import { siteComments, type CommentTopic } from './words/comments.js';

/** A part of a shift between two instants. */
export interface Piece {
  readonly type: 'work' | 'break';
  readonly startsAt: EpochSecond;
  readonly endsAt: EpochSecond;
}

/** The person, and the sites on which the person works. */
export interface Worker {
  readonly firm: Firm;
  readonly person: Person;
  readonly sites: Sites;
}

/** Converts a shift to instants. It adds elapsed minutes, so that a night with a clock change keeps its length. */
export function piecesOf(day: EpochDay, { startMinute, segments }: Shift): readonly Piece[] {
  let instant = instantAt(day, startMinute * 60);
  return segments.map(({ type, minutes }) => {
    const startsAt = instant;
    instant += minutes * 60;
    return { type, startsAt, endsAt: instant };
  });
}

/** Returns the timespans of a workday, with projects and comments. */
export function timespansOf(worker: Worker, planned: PlannedDay, pieces: readonly Piece[], workdayId: string): readonly TimespanRecord[] {
  const { firm, person, sites } = worker;
  const random = createRandom(firm.seed, 'booked', person.key, planned.day, pieces[0]?.startsAt ?? 0);
  const comments = siteComments[topicOf(person, planned)];
  return withSlips(planned, pieces, random.next()).map(({ type, startsAt, endsAt }, piece) => ({
    id: timespanId(workdayId, piece),
    type,
    started_at: formatLocalDateTime(startsAt),
    ended_at: formatLocalDateTime(endsAt),
    project_id: type === 'break' ? null : projectFor(firm, person, sites, { day: planned.day, piece }),
    comment: type === 'work' && random.chance(0.22) ? random.pick<string>(comments) : null,
  }));
}

/** Increments the id of the workday, which ends in 00: one hash per day instead of seven. */
function timespanId(workdayId: string, index: number): string {
  return workdayId.slice(0, -2) + (index + 1).toString(16).padStart(2, '0');
}

/** Adds input errors: work that ended when it began, or an untracked half hour at the end of the day. */
function withSlips({ shape }: PlannedDay, pieces: readonly Piece[], draw: number): readonly Piece[] {
  const last = pieces.at(-1);
  if (last === undefined || shape === 'night') return pieces;
  if (draw < 0.0015) return [...pieces.slice(0, -1), { ...last, endsAt: last.startsAt }, last];
  if (draw < 0.004 && last.endsAt - last.startsAt > 3600) return [...pieces.slice(0, -1), { ...last, endsAt: last.endsAt - 1800 }];
  return pieces;
}

function topicOf({ post }: Person, { shape }: PlannedDay): CommentTopic {
  if (shape === 'night') return 'night';
  return shape === 'on-call' ? 'onCall' : post.trade;
}
