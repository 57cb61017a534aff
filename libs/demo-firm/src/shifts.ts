import { weekday } from '@stechuhr/worktime';
import type { Firm } from './firm.js';
import type { PlannedDay } from './month-plan.js';
import type { Person } from './people.js';
import { createRandom, type Random } from './random.js';

export interface Segment {
  readonly type: 'work' | 'break';
  readonly minutes: number;
}

/** One workday: its start (minutes after local midnight), and its segments in order. */
export interface Shift {
  readonly startMinute: number;
  readonly segments: readonly Segment[];
}

/** A break after a number of minutes of work. */
interface Break {
  readonly after: number;
  readonly minutes: number;
}

const NOON = 12 * 60;

/** Returns the shifts of a planned day; none if the person forgot to track it. */
export function shiftsOf(firm: Firm, person: Person, planned: PlannedDay): readonly Shift[] {
  const random = createRandom(firm.seed, 'shift', person.key, planned.day);
  const { netMinutes: net } = planned;
  const start = startOf(firm, person, planned, random);
  switch (planned.shape) {
    case 'missing':
      return [];
    case 'night':
      // No segment may begin or end between two and three o'clock, when clocks change in some nights from Saturday to Sunday.
      return [{ startMinute: 19 * 60 + 30 + random.int(0, 2) * 15, segments: withBreaks(net, [{ after: 240, minutes: 45 }]) }];
    case 'saturday':
      return [{ startMinute: start, segments: withBreaks(net, net > 300 ? [{ after: 150, minutes: 30 }] : []) }];
    case 'short-break':
      return [{ startMinute: start, segments: withBreaks(net, [{ after: random.int(125, 200), minutes: random.int(15, 22) }]) }];
    case 'fragmented':
      return [{ startMinute: start, segments: fragments(net) }];
    case 'on-call':
      return [...usual(person, net, start, random), { startMinute: 20 * 60 + random.int(0, 40), segments: work(planned.extraMinutes) }];
    case 'long':
    case 'normal':
      return usual(person, net, start, random);
  }
}

/** Returns the start in minutes after midnight. Crews start together, within a few minutes; offices have flexible hours. */
function startOf(firm: Firm, person: Person, { day }: PlannedDay, random: Random): number {
  const { trade, tenure } = person.post;
  if (trade === 'office' && tenure === 'permanent') return 7 * 60 + 30 + random.int(0, 80);
  if (trade === 'management') return 6 * 60 + 45 + random.int(0, 60);
  const monday = day - weekday(day);
  return createRandom(firm.seed, 'start', person.block, trade, monday).pick([390, 405, 420]) + random.int(-6, 4);
}

function usual(person: Person, net: number, start: number, random: Random): readonly Shift[] {
  if (person.post.clocksOut === true && net >= 390) return twoShifts(person, net, start, random);
  return [{ startMinute: start, segments: withBreaks(net, breaksOf(person, net, start, random)) }];
}

/** Breaks that comply with ArbZG §4, as usual on sites: a short one at nine and a long one at noon. */
function breaksOf({ post }: Person, net: number, start: number, random: Random): readonly Break[] {
  const lunch = Math.max(90, NOON + random.int(-5, 20) - start);
  if (post.trade === 'office' || post.trade === 'management') {
    return net < 340 ? [] : [{ after: lunch, minutes: net >= 535 ? 45 + random.int(0, 15) : 30 + random.int(0, 25) }];
  }
  const breakfast = Math.max(60, 9 * 60 + random.int(-4, 6) - start);
  if (net < 240) return [];
  return net < 430
    ? [{ after: breakfast, minutes: 30 }]
    : [
        { after: breakfast, minutes: 15 },
        { after: lunch - 15, minutes: 30 },
      ];
}

/** Returns two shifts on one date, with the gap at noon as break. Occasionally the second one begins before the first has ended. */
function twoShifts(person: Person, net: number, start: number, random: Random): readonly Shift[] {
  const morning = Math.min(net - 60, NOON + random.int(-10, 15) - start);
  const gap = random.chance(0.003) ? -random.int(2, 9) : random.int(45, 62);
  const breakfast: readonly Break[] = person.post.agreement === 'site' && morning > 200 ? [{ after: 9 * 60 - start, minutes: 15 }] : [];
  const first = withBreaks(morning, breakfast);
  const end = start + first.reduce((sum, { minutes }) => sum + minutes, 0);
  return [
    { startMinute: start, segments: first },
    { startMinute: end + gap, segments: work(net - morning) },
  ];
}

function work(minutes: number): readonly Segment[] {
  return [{ type: 'work', minutes }];
}

/** Splits net time at its breaks; a break at the very end is left out. */
function withBreaks(net: number, breaks: readonly Break[]): readonly Segment[] {
  const segments: Segment[] = [];
  let worked = 0;
  for (const { after, minutes } of breaks) {
    if (after <= worked || after > net - 20) continue;
    segments.push({ type: 'work', minutes: after - worked }, { type: 'break', minutes });
    worked = after;
  }
  segments.push({ type: 'work', minutes: net - worked });
  return segments;
}

/** A day of a person whose phone repeatedly lost the location of the site. */
function fragments(net: number): readonly Segment[] {
  const count = 12;
  const piece = Math.floor(net / count);
  const segments: Segment[] = [];
  for (let index = 0; index < count - 1; index++) segments.push({ type: 'work', minutes: piece }, { type: 'break', minutes: 4 });
  segments.push({ type: 'work', minutes: net - piece * (count - 1) });
  return segments;
}
