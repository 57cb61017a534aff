import type { Change } from '../domain/kind.js';

const FEWEST = 1_000;
const MOST = 4_000;
const TOO_FEW_A_MONTH = 4;
const ENOUGH_A_MONTH = 16;

/**
 * Adapts the number of lines that are written together. Writing a month costs about the same for one workday as for twenty, so a file that
 * is sorted by day instead of by employee is written in larger batches. Larger batches need more memory, so other files use small ones.
 */
export class BatchSize {
  lines = FEWEST;

  /** Adapts the size to the changes of the last batch. */
  adapt(changes: readonly Change[]): void {
    const placements = changes.flatMap(({ content }) => content?.placement ?? []);
    const months = new Set(placements.map(({ employeeId, year, month }) => `${employeeId}/${String(year)}/${String(month)}`));
    const perMonth = placements.length / Math.max(1, months.size);
    if (placements.length > 0 && perMonth < TOO_FEW_A_MONTH) this.lines = Math.min(MOST, this.lines * 2);
    else if (placements.length === 0 || perMonth > ENOUGH_A_MONTH) this.lines = FEWEST;
  }
}
