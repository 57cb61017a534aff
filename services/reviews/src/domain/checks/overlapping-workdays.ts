import type { EpochSecond, Interval } from '@stechuhr/worktime';
import { defineCheck, type Found } from '../check.js';
import { germanDate, germanMinutes } from '../german.js';
import { numberOption } from '../options.js';
import { isIn, type ReviewedWorkday } from '../subject.js';

/** The assumed maximum length of an open workday. */
const OPEN_SECONDS = 86_400;

/** How many overlapping earlier workdays are reported for a workday: a shift that a device sent a thousand times has half a million pairs. */
const MAX_OVERLAPS = 10;

export const overlappingWorkdays = defineCheck({
  code: 'overlapping-workdays',
  group: 'conflicts',
  title: 'Überschneidende Arbeitstage',
  description:
    'Zwei Arbeitstage einer Person überschneiden sich; dieselbe Zeit würde doppelt gezählt. Ein offener Arbeitstag gilt dabei bis jetzt, ' +
    'höchstens aber 24 Stunden lang. Von einem Arbeitstag werden höchstens zehn Überschneidungen genannt. Aufzuzeichnen ist die tatsächliche Arbeitszeit (§ 16 Abs. 2 ArbZG, § 17 Abs. 1 MiLoG).',
  options: { tolerance_seconds: numberOption(0) },
  find({ workdays, month, now }, { tolerance_seconds }) {
    const found: Found[] = [];
    /** The workdays with the latest ends, in this order: they overlap most with later ones, and no others are needed to find ten. */
    let running: readonly Present[] = [];
    for (const workday of workdays) {
      const later = presenceOf(workday, now);
      // Workdays are ordered by start, so one that has ended by now does not overlap any later one.
      running = running.filter(({ to }) => to > later.from);
      for (const earlier of isIn(month, workday.date) ? running : []) {
        const seconds = Math.min(earlier.to, later.to) - later.from;
        if (seconds > tolerance_seconds) found.push(overlapOf(earlier.workday, workday, seconds));
      }
      running = [...running, later].sort((a, b) => b.to - a.to).slice(0, MAX_OVERLAPS);
    }
    return found;
  },
});

interface Present extends Interval {
  readonly workday: ReviewedWorkday;
}

function presenceOf(workday: ReviewedWorkday, now: EpochSecond): Present {
  const { startedAt, endedAt } = workday;
  return { workday, from: startedAt, to: endedAt ?? Math.min(now, startedAt + OPEN_SECONDS) };
}

function overlapOf(earlier: ReviewedWorkday, later: ReviewedWorkday, seconds: number): Found {
  return {
    date: later.date,
    references: [
      ['workday', earlier.id],
      ['workday', later.id],
    ],
    context: { overlap_seconds: seconds },
    details: `Die Arbeitstage vom ${germanDate(earlier.date)} und ${germanDate(later.date)} überschneiden sich um ${germanMinutes(seconds)}.`,
  };
}
