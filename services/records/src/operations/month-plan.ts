import type { Attempt } from '@stechuhr/ingest';
import type { Change, Content, KindName } from '../domain/kind.js';

/** The planned changes of one attempt to the records of one kind inside months. */
export interface MonthPlan extends Required<Omit<Attempt<Content, KindName>, 'save' | 'isPostponed'>> {
  /** Changes that are complete once the months are saved. Changes that need a second attempt are missing. */
  readonly done: readonly Change[];
  /** Changes that create a record. Another process may create the same record in another month, where no compare-and-set detects it. */
  readonly created: readonly Change[];
  /** Complete changes for which copies were removed that may be as new as theirs. Another process may have removed theirs instead. */
  readonly kept?: readonly Change[];
}
