import type { EpochSecond, Interval } from '@stechuhr/worktime';
import { defineCheck, type Found } from '../check.js';
import { germanDate, germanMinutes } from '../german.js';
import { numberOption } from '../options.js';
import { isIn, type ReviewedWorkday } from '../subject.js';

/** The assumed maximum duration of an open workday, in seconds. */
const OPEN_SECONDS = 86_400;

/**
 * The maximum number of overlaps with earlier workdays that are reported for one workday. If a device sends a shift a thousand times, there
 * are half a million pairs.
 */
const MAX_OVERLAPS = 10;

/**
 * The number of workdays of an employee, including those of the neighbouring months, above which only the longest overlap of each is reported.
 * A month has room for more than ten thousand workdays, and ten findings for each of them would take half of the memory.
 */
const MAX_DETAILED = 1_000;

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
    const most = workdays.length > MAX_DETAILED ? 1 : MAX_OVERLAPS;
    /**
     * The earlier workdays with the latest ends, the latest first. They overlap later workdays the longest, so no others are needed to find
     * the longest overlaps.
     */
    let running: readonly Present[] = [];
    for (const workday of workdays) {
      const later = presenceOf(workday, now);
      // Workdays are sorted by start, so one that has ended before this one does not overlap later ones either.
      running = running.filter(({ to }) => to > later.from);
      for (const earlier of isIn(month, workday.date) ? running : []) {
        const seconds = Math.min(earlier.to, later.to) - later.from;
        if (seconds > tolerance_seconds) found.push(overlapOf(earlier.workday, workday, seconds));
      }
      running = [...running, later].sort((a, b) => b.to - a.to).slice(0, most);
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
    details: `${named(earlier, later)} überschneiden sich um ${germanMinutes(seconds)}.`,
  };
}

function named(earlier: ReviewedWorkday, later: ReviewedWorkday): string {
  const date = germanDate(later.date);
  return earlier.date === later.date ? `Zwei Arbeitstage vom ${date}` : `Die Arbeitstage vom ${germanDate(earlier.date)} und ${date}`;
}
