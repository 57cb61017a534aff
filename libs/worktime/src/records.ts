/** Days since 1970-01-01; a calendar date without a time zone. */
export type EpochDay = number;

/** Seconds since the epoch (UTC); an instant. */
export type EpochSecond = number;

/** A period of work or a break inside a workday; `endedAt` is null while it is running. */
export interface Timespan {
  readonly id: string;
  readonly type: 'work' | 'break';
  readonly startedAt: EpochSecond;
  readonly endedAt: EpochSecond | null;
  readonly projectId: string | null;
  readonly comment: string | null;
}

/** One shift of an employee. Its `date` may differ from the local date of its start (docs/rules/working-time.md#workdays). */
export interface Workday {
  readonly id: string;
  readonly date: EpochDay;
  readonly startedAt: EpochSecond;
  /** Null while the workday is open; open workdays count as 0. */
  readonly endedAt: EpochSecond | null;
  readonly timespans: readonly Timespan[];
}

/** The planned working time of an employee; `validTo` is inclusive, null means unlimited. */
export interface Contract {
  readonly id: string;
  readonly validFrom: EpochDay;
  readonly validTo: EpochDay | null;
  /** Seven values in minutes, Monday first. */
  readonly plannedMinutes: readonly number[];
  readonly overtimeMinHours: number | null;
  readonly overtimeMaxHours: number | null;
}

/** A recorded absence; both dates are inclusive. */
export interface Absence {
  readonly id: string;
  readonly missingType: string;
  readonly startsOn: EpochDay;
  readonly endsOn: EpochDay;
  readonly dayPart: number;
  /** Replaces the planned hours of each day; null means the planned hours. */
  readonly hoursPerDay: number | null;
}

/** The category of an absence type, which determines its treatment in payroll and its precedence on a date. */
export type AbsenceCategory = 'vacation' | 'sick' | 'education' | 'other';

/** An absence type as the institution configured it. */
export interface AbsenceType {
  readonly value: string;
  readonly label: string;
  readonly category: AbsenceCategory;
  /** Whether its hours are credited. */
  readonly credited: boolean;
}

/** The first and last day of employment, both inclusive (docs/rules/working-time.md#planned-time). */
export interface Employment {
  readonly hiredOn: EpochDay;
  readonly leftOn: EpochDay | null;
}
