import type { Attempt } from '@stechuhr/ingest';
import type { Change, Content, KindName } from '../domain/kind.js';

/** What is done to the records of one kind inside the months of an attempt. */
export interface MonthPlan extends Required<Omit<Attempt<Content, KindName>, 'save'>> {
  /** Changes that take effect when the months are saved; those that take two steps are missing. */
  readonly done: readonly Change[];
  /** Of these the ones that were nowhere: another process may create the same record in another month, where no compare-and-set meets it. */
  readonly created: readonly Change[];
}
