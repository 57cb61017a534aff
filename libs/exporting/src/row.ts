import type { EpochDay, EpochSecond } from '@stechuhr/worktime';
import type { Department, Project, StaffMember } from './directory.js';

/** The unit of `value`. */
export type Unit = 'hours' | 'days';

/** Details that only some row types have; `shift` is start, end and breaks. */
export type RowDetail = 'day' | 'shift' | 'project' | 'comment' | 'absence';

/** The information about their type that rows contain. */
export interface RowTypeInfo {
  /** `subject:unit`. */
  readonly id: string;
  readonly label: string;
  readonly unit: Unit;
  /** The absence type of all of its rows; undefined if rows have different types or none. */
  readonly absence?: AbsenceInfo;
}

/** The employee and the row type that a sequence of rows shares. Cells that depend only on them are computed once for the block. */
export interface Block {
  readonly staff: StaffMember;
  readonly department: Department | null;
  readonly type: RowTypeInfo;
}

/**
 * One row of an export. There is one object per block, which is reused for each of its rows, because a large export has a million rows.
 * Fields that the row type does not set are null.
 */
export class Row {
  readonly block: Block;
  /** The exact value: `amount` / `per`, both integers. */
  amount = 0;
  per = 1;
  /** The value, rounded half up to two decimals. */
  rounded = 0;
  day: EpochDay | null = null;
  startedAt: EpochSecond | null = null;
  endedAt: EpochSecond | null = null;
  breakSeconds: number | null = null;
  projectId: string | null = null;
  /** Null if there is no project, or if it is not in the directory. */
  project: Project | null = null;
  comment: string | null = null;
  absence: AbsenceInfo | null;

  constructor(block: Block) {
    this.block = block;
    this.absence = block.type.absence ?? null;
  }
}

/** An absence type in a row. */
export interface AbsenceInfo {
  readonly value: string;
  readonly label: string;
}
