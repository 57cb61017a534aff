import type { ExportStats, StaffRecords } from '@stechuhr/exporting';

/** The progress of a running export. */
export class ExportProgress implements ExportStats {
  /** Rows written so far, without header rows. */
  rows = 0;
  #staffDone = 0;
  /** Rows of employees that are complete. */
  #rowsDone = 0;
  readonly #staffTotal: number;

  /** @param staffTotal over all sections; an employee in two of them counts twice */
  constructor(staffTotal: number) {
    this.#staffTotal = staffTotal;
  }

  /** Rows of the whole file, estimated from the employees whose rows are all written; 0 at the beginning. */
  get estimatedRows(): number {
    return this.#staffDone === 0 ? 0 : Math.round((this.#rowsDone * this.#staffTotal) / this.#staffDone);
  }

  /** Passes the records of a section on and counts the employees whose rows are written. */
  async *follow(records: AsyncIterable<StaffRecords>): AsyncGenerator<StaffRecords, void, undefined> {
    for await (const entry of records) {
      yield entry;
      // When the next one is requested, the rows of this one have been written.
      this.#staffDone += 1;
      this.#rowsDone = this.rows;
    }
  }
}
