import type { AbsenceCategory, AbsenceDay } from '@stechuhr/worktime';
import type { Unit } from '../row.js';
import { setDays, setSeconds, type RecordPart, type RowType } from '../row-types/row-type.js';
import type { Timesheet } from '../timesheet.js';

/** The description of a wage code on the reference pages. */
export interface WageCodeTexts {
  readonly id: string;
  /** Its name in the file. */
  readonly label: string;
  readonly description: string;
  /** Query parameters with which a request contains it. */
  readonly example: string;
}

/** Computes a figure of the whole period: seconds, or days (multiples of 0.5). */
export type Figure = (sheet: Timesheet) => number;

interface Total {
  readonly unit: Unit;
  readonly needs: readonly RecordPart[];
  readonly figure: Figure;
  /** Whether the row is written even if it is 0. */
  readonly keepsZero?: boolean;
}

/** The records needed to count worked time. */
export const WORK: readonly RecordPart[] = ['workdays', 'timespans'];
/** The records needed to count absences. */
export const ABSENCES: readonly RecordPart[] = ['contracts', 'absences'];

/** Creates a wage code with one row per employee. */
export function totalCode(texts: WageCodeTexts, { unit, needs, figure, keepsZero = false }: Total): RowType {
  const set = unit === 'hours' ? setSeconds : setDays;
  return {
    ...typeOf(texts, unit),
    needs,
    keepsZero,
    write(sheet, row, emit) {
      set(row, figure(sheet));
      emit(row);
    },
  };
}

/** Returns the descriptive part of a row type, without `needs` and `write`. */
export function typeOf(texts: WageCodeTexts, unit: Unit): Omit<RowType, 'needs' | 'write'> {
  return { ...texts, unit, title: texts.label };
}

/** Returns the figure for the hours of absences of a category, in seconds. */
export function absenceSeconds(category: AbsenceCategory): Figure {
  return (sheet) => sumOf(sheet, category, ({ seconds }) => seconds);
}

/** Returns the figure for the days of absences of a category. */
export function absenceDayCount(category: AbsenceCategory): Figure {
  return (sheet) => sumOf(sheet, category, ({ dayPart }) => dayPart);
}

function sumOf(sheet: Timesheet, category: AbsenceCategory, amountOf: (day: AbsenceDay) => number): number {
  let sum = 0;
  for (const day of sheet.absenceDays) if (day.category === category) sum += amountOf(day);
  return sum;
}
