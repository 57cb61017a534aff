import { formatLocalDate, formatLocalDateTime, formatLocalTime, type EpochDay, type EpochSecond } from '@stechuhr/worktime';
import type { CellSource, MomentForm } from '../columns/column.js';
import { printShort, rational, type Rational } from '../rational.js';
import type { Row } from '../row.js';

/** The cells of a column between two modifiers. */
export type Stage = NumberStage | TextStage | DayStage | MomentStage;

/** Numbers: typed cells, JSON numbers. */
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

/** A date that is not formatted yet. */
export interface DayStage {
  readonly kind: 'day';
  readonly read: (row: Row) => EpochDay | null;
}

/** An instant, which is printed in the column's own format unless a modifier changes it. */
export interface MomentStage {
  readonly kind: 'moment';
  readonly read: (row: Row) => EpochSecond | null;
  readonly form: MomentForm;
}

/** The decimal separator of a file. */
export type Point = '.' | ',';

/** Decimals of a number that is not rounded by a modifier. */
export const DEFAULT_DECIMALS = 2;

/** The first stage of a column. Numbers without modifiers are never converted to rationals. */
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

/** A stage of numbers that are printed with at most that many decimals. */
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

/** The printed cells of any stage. */
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
