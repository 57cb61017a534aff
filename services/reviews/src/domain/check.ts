import type { EpochDay } from '@stechuhr/worktime';
import type { GroupName } from './groups.js';
import { valuesOf, type CustomOptions, type OptionTable, type OptionValues } from './options.js';
import type { Subject } from './subject.js';

export type ReferenceType = 'employee' | 'workmonth' | 'workday' | 'timespan' | 'absence' | 'absence-application';
export type Reference = readonly [type: ReferenceType, id: string];
export type Context = Readonly<Record<string, number | string>>;

/** A problem that a check found in one employee's month. */
export interface Found {
  /** The day of the month to which the finding belongs. */
  readonly date: EpochDay;
  /** The records that caused it, in addition to the employee and the workmonth. */
  readonly references: readonly Reference[];
  readonly context: Context;
  /** A German summary; empty if the title is sufficient. */
  readonly details: string;
}

/** Finds the problems of one kind in one employee's month, in no particular order. */
export type Finder = (subject: Subject) => readonly Found[];

/** One check. It is self-contained, except for its entry in the table of `checks/index.ts`. */
export interface Check {
  readonly code: string;
  readonly group: GroupName;
  readonly severity: 'error' | 'warning';
  /** A short German title. */
  readonly title: string;
  /** A German explanation that cites the legal basis. */
  readonly description: string;
  readonly options: OptionTable;
  /** Returns the finder with the options of an organization. Options that are not customized have their defaults. */
  finder(custom: CustomOptions): Finder;
  /** How the options of an organization contradict each other or a default, each beginning with the name of an option. */
  contradictions(custom: CustomOptions): readonly string[];
}

interface Definition<O extends OptionTable> extends Pick<Check, 'code' | 'group' | 'title' | 'description'> {
  readonly options: O;
  readonly find: (subject: Subject, options: OptionValues<O>) => readonly Found[];
  readonly contradictions?: (options: OptionValues<O>) => readonly string[];
}

export function defineCheck<const O extends OptionTable>({ find, contradictions, ...definition }: Definition<O>): Check {
  return {
    ...definition,
    severity: 'error',
    finder(custom) {
      const values = valuesOf(definition.options, custom);
      return (subject) => find(subject, values);
    },
    contradictions: (custom) => contradictions?.(valuesOf(definition.options, custom)) ?? [],
  };
}
