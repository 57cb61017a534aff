import { createRandom } from '@stechuhr/demo-firm';
import { holidayCalendar, instantAt, parseLocalDate, type EpochDay, type EpochSecond, type Timespan } from '@stechuhr/worktime';
import type { SubjectRecords } from '@stechuhr/reviews/domain/prepare-subject.js';

type RecordedWorkday = SubjectRecords['workdays'][number];

const DAY_SECONDS = 86_400;
const HOUR = 3600;
const holidays = holidayCalendar('DE-BY');

const day = (text: string): EpochDay => parseLocalDate(text) ?? 0;
/** Returns the instant of a local time on a date without a clock change. */
const at = (date: EpochDay, secondOfDay: number): EpochSecond => instantAt(date, 0) + secondOfDay;

const FROM = day('2026-09-01');
const TO = day('2026-11-30');
/** The month under review and the time of the review, which is before the end of the month, so that some workdays lie in the future. */
export const moment = { month: { first: day('2026-10-01'), last: day('2026-10-31') }, now: at(day('2026-10-29'), 12 * HOUR) };

/** Creates the records of employees. Each of the 14 checks finds a few problems in them, as in a real firm. */
export function organization(employees: number): readonly SubjectRecords[] {
  return Array.from({ length: employees }, (_, index) => new EmployeeMaker(index).records());
}

class EmployeeMaker {
  private readonly random: () => number;
  private ids = 0;

  constructor(private readonly index: number) {
    this.random = createRandom(index).next;
  }

  records(): SubjectRecords {
    const dates = Array.from({ length: TO - FROM + 1 }, (_, offset) => FROM + offset);
    const plannedDates = dates.filter((date) => (date + 3) % 7 < 5 && !holidays.isHoliday(date));
    const absentFrom = FROM + Math.floor(this.random() * 85);
    const isAbsent = (date: EpochDay): boolean => date >= absentFrom && date <= absentFrom + 4;
    const workdays = plannedDates.filter((date) => !isAbsent(date) && !this.chance(0.01)).flatMap((date) => this.workdaysOf(date));
    return {
      employeeId: this.id(),
      workmonthId: this.id(),
      workdays,
      terms: {
        employment: { hiredOn: day('2020-01-01'), leftOn: null },
        contracts: [
          { id: this.id(), validFrom: day('2020-01-01'), validTo: null, plannedMinutes: [480, 480, 480, 480, 480, 0, 0], overtimeMinHours: null, overtimeMaxHours: this.chance(0.5) ? 20 : null }, // prettier-ignore
        ],
        holidays,
      },
      absences: [{ id: this.id(), missingType: 'vacation', startsOn: absentFrom, endsOn: absentFrom + 4, dayPart: 1, hoursPerDay: null }],
      absenceTypes: [{ value: 'vacation', label: 'Urlaub', category: 'vacation', credited: true }],
      applications: this.chance(0.1) ? [{ id: this.id(), startsOn: day('2026-10-26'), endsOn: day('2026-11-02'), isPending: this.chance(0.7) }] : [], // prettier-ignore
      account: {
        since: day('2026-09-01'),
        openingSeconds: Math.floor((this.random() - 0.5) * 70) * HOUR,
        earlierWorkdays: workdays.filter(({ date }) => date < moment.month.first),
      },
    };
  }

  /** Returns one workday, and occasionally a second one, which may overlap the first. */
  private workdaysOf(date: EpochDay): readonly RecordedWorkday[] {
    const isOpen = this.chance(0.005);
    const startedAt = at(date, 5 * HOUR + this.upTo(3 * HOUR));
    const endedAt = startedAt + (this.chance(0.03) ? 12 * HOUR : 8 * HOUR) + this.upTo(HOUR) + (this.chance(0.02) ? 5 * HOUR : 0);
    const first = this.workday(date, startedAt, isOpen ? null : endedAt);
    if (!this.chance(0.01)) return [first];
    return [first, this.workday(date, endedAt - (this.chance(0.5) ? 600 : -1200), endedAt + HOUR)];
  }

  private workday(date: EpochDay, startedAt: EpochSecond, endedAt: EpochSecond | null): RecordedWorkday {
    const edited = endedAt !== null && this.chance(0.05);
    const edits = edited ? [{ at: endedAt + this.upTo(12 * DAY_SECONDS), by: this.chance(0.8) ? ('employee' as const) : ('manager' as const) }] : []; // prettier-ignore
    return { id: this.id(), date, startedAt, endedAt, timespans: endedAt === null ? [] : this.timespans(startedAt, endedAt), edits };
  }

  /** Returns timespans of work around a break. Occasionally there are very many, one is missing, or one has no duration. */
  private timespans(startedAt: EpochSecond, endedAt: EpochSecond): readonly Timespan[] {
    const spans: Timespan[] = [];
    const add = (type: Timespan['type'], from: EpochSecond, to: EpochSecond): void => {
      spans.push({ id: this.id(), type, startedAt: from, endedAt: to, projectId: null, comment: null });
    };
    const pauseAt = startedAt + Math.floor((endedAt - startedAt) / 2);
    const pause = this.chance(0.05) ? 20 * 60 : 45 * 60;
    const pieces = this.chance(0.01) ? 12 : 1;
    const length = Math.floor((pauseAt - startedAt) / pieces);
    for (let piece = 0; piece < pieces; piece += 1) {
      const from = startedAt + piece * length;
      add('work', from, piece === pieces - 1 ? pauseAt : from + length);
    }
    add('break', pauseAt, Math.min(endedAt, pauseAt + pause));
    if (!this.chance(0.02)) add('work', Math.min(endedAt, pauseAt + pause), endedAt);
    if (this.chance(0.01)) add('work', endedAt, endedAt);
    return spans;
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  private upTo(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  /** Returns a unique id in the format of a UUID. */
  private id(): string {
    return `00000000-0000-4000-8000-${String(this.index).padStart(6, '0')}${String((this.ids += 1)).padStart(6, '0')}`;
  }
}
