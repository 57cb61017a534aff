import { recordsV1 } from '@stechuhr/contracts';
import { createRandom } from '@stechuhr/demo-firm';

type Response = recordsV1.ReadTimeRecordsResponse;

const DISTINCT_ROWS = 2_000;
const FIRST_DAY = 20_454;
const DAY_SECONDS = 86_400;
/** Rows per month. */
const WORKDAYS_A_MONTH = 21;
const MONTHS = 12;
/** The records service ends a message after 256 KiB of data read, which is about this many employees. */
const EMPLOYEES_A_MESSAGE = 3;

const workdays = Array.from({ length: DISTINCT_ROWS }, (_, index) => workdayOf(index));

function workdayOf(index: number): recordsV1.Workday {
  const random = createRandom(index).next;
  const id = (): string => `00000000-0000-4000-8000-${String(Math.floor(random() * 1e12)).padStart(12, '0')}`;
  const date = FIRST_DAY + (index % 365);
  const startedAt = date * DAY_SECONDS + 5 * 3600 + Math.floor(random() * 7200);
  const pause = { id: id(), type: recordsV1.TimespanType.TIMESPAN_TYPE_BREAK, startedAt: startedAt + 14_400, endedAt: startedAt + 16_200 };
  const timespans = [{ ...pause, projectId: undefined, comment: undefined }];
  return { id: id(), date, startedAt, endedAt: startedAt + 8 * 3600 + Math.floor(random() * 3600), timespans, edits: [] };
}

/** Yields messages with `batch` rows each, until `rows` rows were sent. */
export function* batches(rows: number, batch: number): Generator<Response, void, undefined> {
  for (let sent = 0; sent < rows; sent += batch)
    yield { employees: [employeeOf('', [monthOf('', 0, rowsFrom(sent, Math.min(batch, rows - sent)))])] };
}

/** Yields messages like the records service: whole employees with their months. */
export function* employeeMessages(rows: number): Generator<Response, void, undefined> {
  let employees: recordsV1.EmployeeRecords[] = [];
  for (let sent = 0; sent < rows;) {
    const months: recordsV1.Workmonth[] = [];
    for (let month = 1; month <= MONTHS && sent < rows; month += 1) {
      const days = rowsFrom(sent, Math.min(WORKDAYS_A_MONTH, rows - sent));
      months.push(monthOf(days[0]?.id ?? '', month, days));
      sent += days.length;
    }
    employees.push(employeeOf(months[0]?.id ?? '', months));
    if (employees.length < EMPLOYEES_A_MESSAGE && sent < rows) continue;
    yield { employees };
    employees = [];
  }
}

function employeeOf(employeeId: string, workmonths: recordsV1.Workmonth[]): recordsV1.EmployeeRecords {
  return { employeeId, contracts: [], absences: [], workmonths, applications: [] };
}

function monthOf(id: string, month: number, days: recordsV1.Workday[]): recordsV1.Workmonth {
  return { id, year: month === 0 ? 0 : 2026, month, openingBalanceMinutes: undefined, workdays: days };
}

function rowsFrom(first: number, count: number): recordsV1.Workday[] {
  return Array.from({ length: count }, (_, index) => workdays[(first + index) % DISTINCT_ROWS] ?? workdayOf(0));
}

/** Counts the received rows and computes an order-dependent checksum over them. */
export class Received {
  rows = 0;
  private sum = 0;

  add({ employees }: Response): void {
    for (const { workmonths } of employees) {
      for (const month of workmonths) for (const workday of month.workdays) this.count(workday);
    }
  }

  get digest(): string {
    return `${this.rows} rows, ${this.sum}`;
  }

  private count({ id, startedAt, endedAt, timespans }: recordsV1.Workday): void {
    this.rows += 1;
    this.sum = (Math.imul(this.sum, 31) + startedAt + (endedAt ?? 0) + id.charCodeAt(id.length - 1) + (timespans[0]?.startedAt ?? 0)) >>> 0;
  }
}
