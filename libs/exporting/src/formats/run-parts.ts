import { Row } from '../row.js';
import type { RowRun } from './format.js';

/** The output that may be buffered before it is taken, in characters or bytes. */
export const MAX_BUFFERED = 1024 * 1024;

/**
 * Divides the rows of an employee, so that their output is never buffered as a whole: there may be tens of thousands of rows with hundreds of
 * kilobytes each. The rows themselves are small. Those that follow the first part are copied, because a run reuses its row object.
 *
 * @param isFull whether the output has to be taken before further rows are added
 * @returns the parts; each has to be run before the next one is requested
 */
export function* partsOf(run: RowRun, isFull: () => boolean): Generator<RowRun, void, undefined> {
  const later: Row[] = [];
  yield (emit) => run((row) => void (isFull() ? later.push(Object.assign(new Row(row.block), row)) : emit(row)));
  const rest = later.values();
  for (let left = later.length; left > 0;) {
    yield (emit) => {
      for (const row of rest) {
        left -= 1;
        emit(row);
        if (isFull()) return;
      }
    };
  }
}
