import type { EpochDay, EpochSecond } from '@stechuhr/worktime';
import type { Department, Project, StaffMember } from './directory.js';

/** What `value` counts. */
export type Unit = 'hours' | 'days';

/** What only some types say about their rows; `shift` is start, end and breaks. */
export type RowDetail = 'day' | 'shift' | 'project' | 'comment' | 'absence';

/** What rows contain about their type. */
export interface RowTypeInfo {
  /** `subject:unit`. */
  readonly id: string;
  readonly label: string;
  readonly unit: Unit;
  /** The absence type that all of its rows are about; undefined where they differ or are about none. */
  readonly absence?: AbsenceInfo;
}

/** The employee and the type that a run of rows shares; everything that depends only on it is computed once for all of them. */
export interface Block {
  readonly staff: StaffMember;
  readonly department: Department | null;
  readonly type: RowTypeInfo;
}

/**
 * One row of an export. There is one object per block, filled again for each of its rows: a large export has a million of them.
 * Fields that the type of the row does not fill are null.
 */
export class Row {
  readonly block: Block;
  /** The exact value: `amount` / `per`, both integers. */
  amount = 0;
  per = 1;
  /** The value rounded half up to two decimals. */
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

/** An absence type as a row shows it. */
export interface AbsenceInfo {
  readonly value: string;
  readonly label: string;
}
