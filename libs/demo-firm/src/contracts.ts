import { addDays, calendarDate, epochDay, formatLocalDate, type Contract, type EpochDay } from '@stechuhr/worktime';
import { idOf, type Firm } from './firm.js';
import type { Person } from './people.js';
import type { Agreement } from './posts.js';
import type { ContractRecord } from './records.js';

/** The planned time from a day of the year until the next season. */
interface Season {
  readonly month: number;
  readonly day: number;
  readonly minutes: readonly number[];
}

interface Terms {
  readonly seasons: readonly Season[];
  readonly overtimeMinHours: number | null;
  readonly overtimeMaxHours: number | null;
}

const SUMMER = [510, 510, 510, 510, 420, 0, 0];
const WINTER = [480, 480, 480, 480, 360, 0, 0];
const LECTURES = [0, 360, 0, 360, 360, 0, 0];
const SEMESTER_BREAK = [420, 420, 420, 420, 420, 0, 0];
const allYear = (minutes: readonly number[]): readonly Season[] => [{ month: 1, day: 1, minutes }];

/** Construction sites follow the summer and winter hours of the collective agreement of the building trade (BRTV Bau §3). */
const agreements: Readonly<Record<Agreement, Terms>> = {
  'full-time': { seasons: allYear([480, 480, 480, 480, 480, 0, 0]), overtimeMinHours: -20, overtimeMaxHours: 40 },
  'three-quarters': { seasons: allYear([390, 390, 390, 390, 240, 0, 0]), overtimeMinHours: -20, overtimeMaxHours: 30 },
  mornings: { seasons: allYear([240, 240, 240, 240, 240, 0, 0]), overtimeMinHours: null, overtimeMaxHours: null },
  site: {
    seasons: [
      { month: 4, day: 1, minutes: SUMMER },
      { month: 12, day: 1, minutes: WINTER },
    ],
    overtimeMinHours: -30,
    overtimeMaxHours: 150,
  },
  student: {
    seasons: [
      { month: 2, day: 16, minutes: SEMESTER_BREAK },
      { month: 4, day: 16, minutes: LECTURES },
      { month: 7, day: 16, minutes: SEMESTER_BREAK },
      { month: 10, day: 16, minutes: LECTURES },
    ],
    overtimeMinHours: -10,
    overtimeMaxHours: 20,
  },
};

/** Returns the contracts of a person that overlap a range of days, in order. */
export function contractsOf(firm: Firm, person: Person, first: EpochDay, last: EpochDay): readonly Contract[] {
  const { seasons, overtimeMinHours, overtimeMaxHours } = agreements[person.post.agreement];
  const { hiredOn, leftOn } = person.employment;
  const limits = { overtimeMinHours, overtimeMaxHours };
  const id = (validFrom: EpochDay): string => idOf(firm, `contract/${person.key}/${formatLocalDate(validFrom)}`);
  const [only] = seasons;
  if (seasons.length === 1 && only !== undefined) {
    return [{ id: id(hiredOn), validFrom: hiredOn, validTo: leftOn, plannedMinutes: only.minutes, ...limits }];
  }
  const contracts: Contract[] = [];
  for (const { start, end, minutes } of seasonsBetween(seasons, first, last)) {
    const validFrom = Math.max(start, hiredOn);
    const validTo = leftOn === null ? end : Math.min(end, leftOn);
    if (validFrom <= validTo) contracts.push({ id: id(validFrom), validFrom, validTo, plannedMinutes: minutes, ...limits });
  }
  return contracts;
}

interface DatedSeason {
  readonly start: EpochDay;
  readonly end: EpochDay;
  readonly minutes: readonly number[];
}

function* seasonsBetween(seasons: readonly Season[], first: EpochDay, last: EpochDay): Iterable<DatedSeason> {
  for (let year = calendarDate(first).year - 1; year <= calendarDate(last).year; year++) {
    for (const [index, { month, day, minutes }] of seasons.entries()) {
      const following = seasons[index + 1];
      const next = following === undefined ? nextYear(seasons, year) : epochDay(year, following.month, following.day);
      const season = { start: epochDay(year, month, day), end: addDays(next, -1), minutes };
      if (season.start <= last && season.end >= first) yield season;
    }
  }
}

function nextYear([first]: readonly Season[], year: number): EpochDay {
  return epochDay(year + 1, first?.month ?? 1, first?.day ?? 1);
}

export function contractRecord(firm: Firm, employeeId: string, contract: Contract): ContractRecord {
  return {
    kind: 'contract',
    institution_id: firm.institutionId,
    id: contract.id,
    employee_id: employeeId,
    valid_from: formatLocalDate(contract.validFrom),
    valid_to: contract.validTo === null ? null : formatLocalDate(contract.validTo),
    planned_minutes: contract.plannedMinutes,
    overtime_min_hours: contract.overtimeMinHours,
    overtime_max_hours: contract.overtimeMaxHours,
  };
}
