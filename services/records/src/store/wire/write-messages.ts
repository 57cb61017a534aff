import { recordsV1 } from '@stechuhr/contracts';
import { FEWER_DAYS, tooLargeToRead } from '../../domain/time-records.js';
import { indexMonth, keepNewest, type IndexedMonth, type IndexedWorkday } from './month-index.js';
import { ProtobufWriter } from './protobuf-writer.js';
import { writeMonth } from './write-month.js';

/** The records that were read for one employee. */
export interface ReadEmployee {
  readonly employeeId: string;
  readonly contracts: recordsV1.Contract[];
  readonly absences: recordsV1.Absence[];
  readonly applications: recordsV1.AbsenceApplication[];
  /** Raw BSON, in the order of the months. */
  readonly months: readonly Buffer[];
}

/** Decides whether a workday is selected, given the bytes of its month. */
export type WorkdayChoice = (workday: IndexedWorkday, bytes: Buffer) => boolean;

/** The BSON bytes that go into one message. The encoded message is about half as large, because protobuf has no field names. */
const READ_BYTES_A_MESSAGE = 256 * 1024;
/** What a contract, an absence or an application has at least. */
const BYTES_OF_OWNED = 100;
/** The maximum size of a message between services. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

interface Wanted {
  readonly withEdits: boolean;
  /** Months and employees without a selected workday are left out. */
  readonly only?: WorkdayChoice;
}

/**
 * Encodes `stechuhr.records.v1.ReadTimeRecordsResponse` messages, each one when it is requested.
 *
 * @throws AppError `invalid` with the id of an employee whose records do not fit into a message
 */
export function* writeMessages(employees: readonly ReadEmployee[], wanted: Wanted): Generator<Buffer> {
  const out = new ProtobufWriter();
  let first = 0;
  let size = 0;
  for (const [index, { employeeId, months, contracts, absences, applications }] of employees.entries()) {
    size += (contracts.length + absences.length + applications.length) * BYTES_OF_OWNED;
    for (const month of months) size += month.length;
    if (size < READ_BYTES_A_MESSAGE && index < employees.length - 1) continue;
    for (const employee of employees.slice(first, index + 1).toReversed()) writeEmployee(out, employee, wanted);
    const message = out.finish();
    // Earlier employees of the message have little.
    if (message.length > MAX_MESSAGE_BYTES) throw tooLargeToRead(employeeId, { bytes: message.length, max: MAX_MESSAGE_BYTES }, FEWER_DAYS);
    yield message;
    first = index + 1;
    size = 0;
  }
}

/** Writes one employee. Parts of a protobuf message may be encoded separately and concatenated. */
function writeEmployee(out: ProtobufWriter, { months, ...rest }: ReadEmployee, { withEdits, only }: Wanted): void {
  const before = out.length;
  const newest = months.map(indexMonth);
  keepNewest(newest);
  const indexed = only === undefined ? newest : chosen(newest, only);
  if (only !== undefined && indexed.length === 0) return;
  for (const month of indexed.toReversed()) writeMonth(out, month, withEdits);
  out.raw(recordsV1.EmployeeRecords.encode({ ...rest, workmonths: [] }).finish());
  out.close(1, before);
}

function chosen(months: readonly IndexedMonth[], only: WorkdayChoice): IndexedMonth[] {
  for (const month of months) month.workdays = month.workdays.filter((workday) => only(workday, month.bytes));
  return months.filter(({ workdays }) => workdays.length > 0);
}
