import {
  addDays,
  epochDay,
  firstDayOfMonth,
  formatLocalDate,
  instantAt,
  formatLocalDateTime,
  lastDayOfMonth,
  monthOf,
  type EpochDay,
} from '@stechuhr/worktime';
import type { MissingType } from './absence-types.js';
import { workdayFrom, type KnownAbsence } from './absences.js';
import { idOf, type Firm } from './firm.js';
import type { Person } from './people.js';
import { createRandom } from './random.js';
import type { AbsenceApplicationRecord } from './records.js';

interface Application {
  readonly missingType: MissingType;
  readonly startsOn: EpochDay;
  readonly endsOn: EpochDay;
  readonly requestedOn: EpochDay;
  readonly decidedOn: EpochDay;
  readonly isApproved: boolean;
}

/** A range of days, and the current day. */
interface Span {
  readonly first: EpochDay;
  readonly last: EpochDay;
  readonly today: EpochDay;
}

/**
 * Returns the applications of a person that overlap a range, with their status at the beginning of `today`: those decided later are still
 * pending.
 */
export function applicationRecords(
  firm: Firm,
  person: Person,
  absences: readonly KnownAbsence[],
  { first, last, today }: Span,
): readonly AbsenceApplicationRecord[] {
  const all = [...absences.flatMap(approved), ...declined(firm, person, first, last), ...waiting(person, first, last)];
  const seen = all.filter(({ startsOn, endsOn, requestedOn }) => startsOn <= last && endsOn >= first && requestedOn < today);
  return seen.map((application) => ({
    kind: 'absence_application',
    institution_id: firm.institutionId,
    id: idOf(firm, `application/${person.key}/${nameOf(application)}`),
    employee_id: idOf(firm, `employee/${person.key}`),
    missing_type: application.missingType,
    starts_on: formatLocalDate(application.startsOn),
    ends_on: formatLocalDate(application.endsOn),
    status: statusOf(application, today),
    created_at: formatLocalDateTime(instantAt(application.requestedOn, minuteOfRequest(firm, person, application) * 60)),
  }));
}

/** A declined day may be requested again, so declined applications have a separate name. */
function nameOf({ isApproved, missingType, startsOn }: Application): string {
  return `${isApproved ? missingType : 'declined'}/${formatLocalDate(startsOn)}`;
}

function statusOf({ decidedOn, isApproved }: Application, today: EpochDay): AbsenceApplicationRecord['status'] {
  if (decidedOn >= today) return 'pending';
  return isApproved ? 'approved' : 'declined';
}

function minuteOfRequest(firm: Firm, person: Person, { requestedOn }: Application): number {
  return createRandom(firm.seed, 'requested', person.key, requestedOn).int(6 * 60, 21 * 60);
}

function approved({ missingType, startsOn, endsOn, requestedOn, knownOn }: KnownAbsence): readonly Application[] {
  return requestedOn === null ? [] : [{ missingType, startsOn, endsOn, requestedOn, decidedOn: knownOn, isApproved: true }];
}

/** In about one of three years, a person requests a week that the company cannot approve. */
function declined(firm: Firm, person: Person, first: EpochDay, last: EpochDay): readonly Application[] {
  const applications: Application[] = [];
  for (let { year } = monthOf(first); year <= monthOf(last).year; year++) {
    const random = createRandom(firm.seed, 'declined', person.key, year);
    if (!random.chance(0.35) || person.isLimited) continue;
    const startsOn = epochDay(year, random.pick([6, 9, 11]), 2 + random.int(0, 12));
    const requestedOn = addDays(startsOn, -random.int(20, 60));
    const decidedOn = addDays(requestedOn, random.int(2, 6));
    applications.push({ missingType: 'vacation', startsOn, endsOn: addDays(startsOn, 4), requestedOn, decidedOn, isApproved: false });
  }
  return applications;
}

/**
 * One person requests a day in the last week of every month, which is decided only after it has passed, so that there is always a pending
 * application.
 */
function waiting({ post }: Person, first: EpochDay, last: EpochDay): readonly Application[] {
  if (post.trait !== 'waits-for-answer') return [];
  const applications: Application[] = [];
  for (let day = firstDayOfMonth(monthOf(first)); day <= last; day = nextMonth(day)) {
    const next = nextMonth(day);
    const asked = workdayFrom(addDays(next, -6));
    applications.push({
      missingType: 'special-leave',
      startsOn: asked,
      endsOn: asked,
      requestedOn: addDays(day, -2),
      decidedOn: addDays(next, 1),
      isApproved: false,
    });
  }
  return applications;
}

function nextMonth(day: EpochDay): EpochDay {
  return addDays(lastDayOfMonth(monthOf(day)), 1);
}
