import { recordsV1 } from '@stechuhr/contracts';
import { indexMonth, keepNewest } from './month-index.js';
import { ProtobufWriter } from './protobuf-writer.js';
import { writeMonth } from './write-month.js';

/** What was read of one employee. */
export interface ReadEmployee {
  readonly employeeId: string;
  readonly contracts: recordsV1.Contract[];
  readonly absences: recordsV1.Absence[];
  readonly applications: recordsV1.AbsenceApplication[];
  /** Raw BSON, in the order of the months. */
  readonly months: readonly Buffer[];
}

/** About twice as much as is written of it, since names are not. */
const READ_BYTES_A_MESSAGE = 256 * 1024;

/** Encodes `stechuhr.records.v1.ReadTimeRecordsResponse` messages, each only when it is asked for. */
export function* writeMessages(employees: readonly ReadEmployee[], withEdits: boolean): Generator<Buffer> {
  const out = new ProtobufWriter();
  let first = 0;
  let size = 0;
  for (const [index, { months }] of employees.entries()) {
    for (const month of months) size += month.length;
    if (size < READ_BYTES_A_MESSAGE && index < employees.length - 1) continue;
    for (const employee of employees.slice(first, index + 1).toReversed()) writeEmployee(out, employee, withEdits);
    yield out.finish();
    first = index + 1;
    size = 0;
  }
}

/** The parts of a protobuf message may be encoded one by one and joined. */
function writeEmployee(out: ProtobufWriter, { months, ...rest }: ReadEmployee, withEdits: boolean): void {
  const before = out.length;
  const indexed = months.map(indexMonth);
  keepNewest(indexed);
  for (const month of indexed.toReversed()) writeMonth(out, month, withEdits);
  out.raw(recordsV1.EmployeeRecords.encode({ ...rest, workmonths: [] }).finish());
  out.close(1, before);
}
