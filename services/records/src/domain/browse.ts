import type { EpochDay, EpochSecond } from '@stechuhr/worktime';
import type { Account, Department, Employee, EntitledEmployee, Institution, Project } from './directory.js';

/** The records that clients can list in pages, by the name of their group. */
export interface BrowsedRecords {
  readonly employees: Employee & EntitledEmployee;
  readonly groups: Department;
  readonly projects: Project;
  readonly contracts: BrowsedContract;
  readonly workdays: BrowsedWorkday;
  readonly workmonths: BrowsedWorkmonth;
  readonly timespans: BrowsedTimespan;
  readonly absences: BrowsedAbsence;
  readonly 'absence-applications': BrowsedApplication;
  readonly institutions: Institution;
  readonly managers: Manager;
}

export type GroupName = keyof BrowsedRecords;

/**
 * A listed record and when it was created and last changed. The times are undefined if the record was written by an older version, which
 * did not store them.
 */
export interface Browsed<T> {
  readonly record: T;
  readonly createdAt: EpochSecond | undefined;
  readonly modifiedAt: EpochSecond | undefined;
}

interface OfEmployee {
  readonly id: string;
  readonly employeeId: string;
}

export interface BrowsedContract extends OfEmployee {
  readonly validFrom: EpochDay;
  readonly validTo: EpochDay | undefined;
  readonly plannedMinutes: number[];
  readonly overtimeMinHours: number | undefined;
  readonly overtimeMaxHours: number | undefined;
}

export interface BrowsedWorkday extends OfEmployee {
  readonly date: EpochDay;
  readonly startedAt: EpochSecond;
  readonly endedAt: EpochSecond | undefined;
  readonly timespans: readonly DayTimespan[];
  readonly edits: readonly { readonly at: EpochSecond; readonly by: Editor }[];
}

export type Editor = 'employee' | 'manager' | 'system';

/** A timespan together with its workday. */
export interface DayTimespan {
  readonly id: string;
  readonly type: 'work' | 'break';
  readonly startedAt: EpochSecond;
  readonly endedAt: EpochSecond | undefined;
  readonly projectId: string | undefined;
  readonly comment: string | undefined;
}

export interface BrowsedTimespan extends DayTimespan, OfEmployee {
  readonly workdayId: string;
  /** The date of its workday. */
  readonly date: EpochDay;
}

export interface BrowsedWorkmonth extends OfEmployee {
  readonly year: number;
  readonly month: number;
  readonly openingBalanceMinutes: number | undefined;
}

interface AbsenceDays extends OfEmployee {
  readonly missingType: string;
  readonly startsOn: EpochDay;
  readonly endsOn: EpochDay;
}

export interface BrowsedAbsence extends AbsenceDays {
  readonly dayPart: number;
  readonly hoursPerDay: number | undefined;
}

export interface BrowsedApplication extends AbsenceDays {
  readonly status: 'pending' | 'approved' | 'declined';
  readonly createdAt: EpochSecond;
}

export interface Manager extends Account {
  readonly email: string;
}

/** The filter, order and page of a list request. */
export interface BrowseQuery {
  readonly ids: readonly string[] | undefined;
  readonly employeeIds: readonly string[] | undefined;
  /** First and last day, both inclusive; undefined means unbounded. */
  readonly from: EpochDay | undefined;
  readonly until: EpochDay | undefined;
  /** Only records that were created or changed at or after this time. */
  readonly modifiedSince: EpochSecond | undefined;
  /** The searched text, normalized by `folded`. */
  readonly q: string | undefined;
  /** Undefined means archived and active records. */
  readonly archived: boolean | undefined;
  /** Takes precedence over the default order of the group. */
  readonly order: readonly FieldOrder[];
  readonly limit: number;
  readonly offset: number;
  /** Whether fields that may be large are left out: they are empty. */
  readonly isBrief: boolean;
}

export interface FieldOrder {
  readonly field: string;
  readonly descending: boolean;
}

/** Normalizes a text for searching: ignores case and how accents are composed. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
