import { formatLocalDate, formatLocalDateTime, formatLocalTime, type EpochDay, type EpochSecond } from '@stechuhr/worktime';
import type { CellSource, MomentForm } from '../columns/column.js';
import { printShort, rational, type Rational } from '../rational.js';
import type { Row } from '../row.js';

/** The cells of a column at some point in its chain of modifiers. */
export type Stage = NumberStage | TextStage | DayStage | MomentStage;

/** A number: a typed cell or a JSON number. */
export interface NumberStage {
  readonly kind: 'number';
  readonly read: (row: Row) => Rational | null;
  /** Number of decimals that are printed. */
  readonly decimals: number;
  readonly print: (row: Row) => string;
}

/** Text; '' is an empty cell. */
export interface TextStage {
  readonly kind: 'text';
  readonly read: (row: Row) => string;
  /** Whether it is a printed number, whose decimal point may become a comma. */
  readonly printedNumber: boolean;
  /** Whether a leading minus is the sign of a number. */
  readonly isSigned?: boolean;
}

/** A date that has not been formatted. */
export interface DayStage {
  readonly kind: 'day';
  readonly read: (row: Row) => EpochDay | null;
}

/** An instant; printed in the default format of the column unless a modifier changes it. */
export interface MomentStage {
  readonly kind: 'moment';
  readonly read: (row: Row) => EpochSecond | null;
  readonly form: MomentForm;
}

/** The decimal separator of a file. */
export type Point = '.' | ',';

/** Decimals of a number that is not rounded by a modifier. */
export const DEFAULT_DECIMALS = 2;

/** Returns the initial stage of a column. Numbers without modifiers are never converted to rationals. */
export function firstStage(source: CellSource): Stage {
  if (source.kind === 'text') return { kind: 'text', read: (row) => source.read(row) ?? '', printedNumber: false };
  if (source.kind !== 'number') return source;
  const { read, per, rounded } = source;
  return {
    kind: 'number',
    decimals: DEFAULT_DECIMALS,
    read: (row) => {
      const amount = read(row);
      return amount === null ? null : rational(amount, per(row));
    },
    print: (row) => (read(row) === null ? '' : String(rounded(row))),
  };
}

/** Creates a number stage that prints at most this many decimals. */
export function numberStage(read: NumberStage['read'], decimals: number): NumberStage {
  return {
    kind: 'number',
    read,
    decimals,
    print: (row) => {
      const value = read(row);
      return value === null ? '' : printShort(value, decimals);
    },
  };
}

/** Whether a leading minus in printed cells is the sign of a number. */
export function isSigned(stage: Stage): boolean {
  return stage.kind === 'number' || (stage.kind === 'text' && stage.isSigned === true);
}

/** Returns a function that prints the cells of a stage. */
export function printerOf(stage: Stage, point: Point): (row: Row) => string {
  switch (stage.kind) {
    case 'text':
      return stage.read;
    case 'number':
      return point === '.' ? stage.print : (row) => stage.print(row).replace('.', point);
    case 'day':
      return (row) => {
        const day = stage.read(row);
        return day === null ? '' : formatLocalDate(day);
      };
    case 'moment': {
      const print = stage.form === 'time' ? formatLocalTime : formatLocalDateTime;
      return (row) => {
        const moment = stage.read(row);
        return moment === null ? '' : print(moment);
      };
    }
  }
}
