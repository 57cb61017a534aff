import type { Change } from './kinds/change.js';
import type { Content } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';

/** How changes are to be taken. */
export interface ApplyTerms {
  /** Whether unresolved changes are retried later; later changes of the same order have to wait for them, then. */
  readonly mayWait: boolean;
}

/**
 * Compares changes with what is stored, and writes them; each is of another record. An equal repeat changes nothing and publishes
 * nothing.
 *
 * @returns what became of each, in the order given
 */
export type Apply<C extends Content = Content, K extends string = string> = (
  changes: readonly Change<C, K>[],
  terms: ApplyTerms,
) => Promise<readonly Outcome[]>;
