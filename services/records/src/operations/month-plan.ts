import type { Attempt } from '@stechuhr/ingest';
import type { Change, Content, KindName } from '../domain/kind.js';

/** The changes to the records of one kind inside the months of an attempt. */
export interface MonthPlan extends Required<Omit<Attempt<Content, KindName>, 'save'>> {
  /** Changes that take effect when the months are saved; those that need a second attempt are not included. */
  readonly done: readonly Change[];
  /** Those of them whose record did not exist: another process may create the same record in another month, which no compare-and-set detects. */
  readonly created: readonly Change[];
}
