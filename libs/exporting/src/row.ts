import type { EpochDay, EpochSecond } from '@stechuhr/worktime';
import type { Department, Project, StaffMember } from './directory.js';

/** The unit of `value`. */
export type Unit = 'hours' | 'days';

/** What only some types contain; `shift` is start, end and breaks. */
export type RowDetail = 'day' | 'shift' | 'project' | 'comment' | 'absence';

/** The type information in rows. */
export interface RowTypeInfo {
  /** `subject:unit`. */
  readonly id: string;
  readonly label: string;
  readonly unit: Unit;
  /** The absence type of all its rows; undefined if they differ or have none. */
  readonly absence?: AbsenceInfo;
}

/** The employee and the type that consecutive rows share; everything that depends only on them is computed once. */
export interface Block {
  readonly staff: StaffMember;
  readonly department: Department | null;
  readonly type: RowTypeInfo;
}

/**
 * A row of an export. There is one object per block, which is refilled for each of its rows, because a large export has a million of them. Fields
 * that the type of the row does not fill are null.
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
  /** Null also for a project that is not in the directory. */
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
