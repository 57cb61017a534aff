import { addDays, epochDay, weekday, type EpochDay } from '@stechuhr/worktime';
import type { AbsenceDraft } from './absence-types.js';
import type { Firm } from './firm.js';
import type { Person } from './people.js';
import { createRandom, type Random } from './random.js';

/** Returns the vacation of a year, which is about thirty days in a company that closes between the years. */
export function vacationsOf(firm: Firm, person: Person, year: number): readonly AbsenceDraft[] {
  const random = createRandom(firm.seed, 'vacation', person.key, year);
  const closing = closedDays(year);
  if (person.post.tenure === 'temporary') return [...closing, single(random, year, random.int(1, 12))];
  if (person.post.agreement === 'student') return [...closing, weeks(random, monday(year, 8, 3 + 7 * random.int(0, 3)), 1)];
  return [
    ...closing,
    weeks(random, monday(year, 4, 7 + 7 * random.int(0, 6)), 1),
    weeks(random, monday(year, 7, 6 + 7 * random.int(0, 7)), 2),
    weeks(random, monday(year, 10, 5 + 7 * random.int(0, 5)), 1),
    single(random, year, 2),
    single(random, year, 6),
    halfFriday(random, year, random.pick([1, 3])),
    halfFriday(random, year, 9),
  ];
}

/** The company closes between Christmas and Epiphany; Christmas Eve and New Year's Eve are half days. This is announced on 1 October. */
function closedDays(year: number): readonly AbsenceDraft[] {
  const announced = epochDay(year, 10, 1);
  const closed = (startsOn: EpochDay, endsOn: EpochDay, knownOn: EpochDay, part: { dayPart?: 0.5 } = {}): AbsenceDraft => {
    return { missingType: 'vacation', startsOn, endsOn, knownOn, ...part };
  };
  const halves = [epochDay(year, 12, 24), epochDay(year, 12, 31)].filter((day) => weekday(day) < 5);
  return [
    closed(epochDay(year, 1, 2), epochDay(year, 1, 5), epochDay(year - 1, 10, 1)),
    closed(epochDay(year, 12, 27), epochDay(year, 12, 30), announced),
    ...halves.map((day) => closed(day, day, announced, { dayPart: 0.5 })),
  ];
}

/** Monday to Friday of one or two weeks, requested some weeks before. */
function weeks(random: Random, startsOn: EpochDay, count: 1 | 2): AbsenceDraft {
  return requested(random, { missingType: 'vacation', startsOn, endsOn: addDays(startsOn, 7 * count - 3) });
}

/** A single Friday or Monday in a month. */
function single(random: Random, year: number, month: number): AbsenceDraft {
  const startsOn = addDays(monday(year, month, 8), random.pick([0, 4, 7, 11]));
  return requested(random, { missingType: 'vacation', startsOn, endsOn: startsOn });
}

function halfFriday(random: Random, year: number, month: number): AbsenceDraft {
  const startsOn = addDays(monday(year, month, 1), 4 + 7 * random.int(1, 2));
  return requested(random, { missingType: 'vacation', startsOn, endsOn: startsOn, dayPart: 0.5 });
}

function requested(random: Random, draft: Omit<AbsenceDraft, 'knownOn' | 'requestedOn'>): AbsenceDraft {
  const requestedOn = addDays(draft.startsOn, -random.int(15, 75));
  return { ...draft, requestedOn, knownOn: addDays(requestedOn, random.int(1, 8)) };
}

/** Returns the first Monday on or after a day of the month (which may be beyond its end). */
function monday(year: number, month: number, day: number): EpochDay {
  const date = addDays(epochDay(year, month, 1), day - 1);
  return addDays(date, (7 - weekday(date)) % 7);
}
