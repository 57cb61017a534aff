import type { ExportStats, StaffRecords } from '@stechuhr/exporting';

/** The progress of a running export. */
export class ExportProgress implements ExportStats {
  /** Rows written so far, without header rows. */
  rows = 0;
  #staffDone = 0;
  /** Rows of the employees who are complete. */
  #rowsDone = 0;
  readonly #staffTotal: number;

  /** @param staffTotal total number of employees in all sections; an employee in two sections counts twice */
  constructor(staffTotal: number) {
    this.#staffTotal = staffTotal;
  }

  /** The estimated number of rows of the whole file, extrapolated from complete employees; initially 0. */
  get estimatedRows(): number {
    return this.#staffDone === 0 ? 0 : Math.round((this.#rowsDone * this.#staffTotal) / this.#staffDone);
  }

  /** Forwards the records of a section, and counts the employees who are complete. */
  async *follow(records: AsyncIterable<StaffRecords>): AsyncGenerator<StaffRecords, void, undefined> {
    for await (const entry of records) {
      yield entry;
      // When the next one is requested, the rows of this one have been written.
      this.#staffDone += 1;
      this.#rowsDone = this.rows;
    }
  }
}
