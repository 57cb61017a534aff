import type { EpochDay, EpochSecond } from '@stechuhr/worktime';
import type { Account, Department, Employee, EntitledEmployee, Institution, Project } from './directory.js';

/** The records that clients page through, by the name of their group. */
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

/** A record of a list with its creation and modification time; undefined if an old version wrote it, which did not store them. */
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
  /** The date of the workday. */
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

/** Which records of a group are requested, and in which order. */
export interface BrowseQuery {
  readonly ids: readonly string[] | undefined;
  readonly employeeIds: readonly string[] | undefined;
  /** First and last day, both inclusive; undefined means unbounded. */
  readonly from: EpochDay | undefined;
  readonly until: EpochDay | undefined;
  /** Only records created or changed at that time or later. */
  readonly modifiedSince: EpochSecond | undefined;
  /** A part of a text, folded for comparison. */
  readonly q: string | undefined;
  /** Undefined for both archived and other records. */
  readonly archived: boolean | undefined;
  /** Takes precedence over the default order of the group. */
  readonly order: readonly FieldOrder[];
  readonly limit: number;
  readonly offset: number;
}

export interface FieldOrder {
  readonly field: string;
  readonly descending: boolean;
}

/** Folds a text for searches, which ignore case and the composition of accents. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
