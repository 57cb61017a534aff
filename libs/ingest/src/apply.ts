import type { Change } from './kinds/change.js';
import type { Content } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';

/** How changes are to be taken. */
export interface ApplyTerms {
  /** Whether unresolved changes come back later; then those that keep their order have to stay behind them. */
  readonly mayWait: boolean;
}

/**
 * Judges changes against what is stored, and writes them; each is of another record. Writing the same again changes nothing and publishes
 * nothing.
 *
 * @returns what became of each, in the order given
 */
export type Apply<C extends Content = Content, K extends string = string> = (
  changes: readonly Change<C, K>[],
  terms: ApplyTerms,
) => Promise<readonly Outcome[]>;
