import type { Change } from './kinds/change.js';
import type { Content } from './kinds/kind.js';
import type { Outcome } from './kinds/outcome.js';

/** Options for applying changes. */
export interface ApplyTerms {
  /** Whether unresolved changes are retried later. If so, later changes that keep the same order wait for them. */
  readonly mayWait: boolean;
}

/**
 * Compares changes with the stored records and writes them. Each change concerns a different record. Repeating a change that is already
 * stored writes and publishes nothing.
 *
 * @returns the outcomes, in the order of the changes
 */
export type Apply<C extends Content = Content, K extends string = string> = (
  changes: readonly Change<C, K>[],
  terms: ApplyTerms,
) => Promise<readonly Outcome[]>;
