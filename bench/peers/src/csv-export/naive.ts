import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Readable, Writable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { DateTime } from 'luxon';
import mongoose, { Schema, type Connection } from 'mongoose';
import type { Run } from '@stechuhr/bench/harness/types.js';
import type { EmployeeFacts } from '@stechuhr/bench/platform/employees.js';
import { platformValues } from '@stechuhr/bench/platform/measured-download.js';
import { monthIdSlices, withDatabase, type MonthDocument, type WorkdayDocument } from '@stechuhr/bench/platform/stored-months.js';
import { COLUMNS, type YearExportValues } from '@stechuhr/bench/platform/year-export.js';

const ZONE = { zone: 'Europe/Berlin', locale: 'de' };

/** A straightforward implementation in one process: mongoose documents, luxon dates, and csv-stringify for the rows. */
export const run: Run = ({ values, checking }) => {
  const own = platformValues<YearExportValues>(values);
  const hash = createHash('sha256');
  return withDatabase(own.stored.mongodbUrl, 'records', async ({ connection }) => {
    const startedAt = performance.now();
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (checking) hash.update(chunk);
        done();
      },
    });
    const csv = stringify({ header: true, columns: [...COLUMNS], record_delimiter: '\r\n' });
    await pipeline(Readable.from(rows(connection, own)), csv, sink);
    return { values: { wallMs: performance.now() - startedAt }, ...(checking ? { digest: hash.digest('hex') } : {}) };
  });
};

async function* rows(connection: Connection, own: YearExportValues): AsyncGenerator<readonly (string | number)[]> {
  const employees = new Map(own.employees.map((employee) => [employee.id, employee]));
  const Month = connection.model('workmonths', monthSchema, 'workmonths');
  for (const ids of monthIdSlices(own.stored)) {
    const workdays = Map.groupBy(await Month.find({ _id: mongoose.trusted({ $in: [...ids] }) }), ({ employee_id }) => employee_id);
    for (const employeeId of new Set(ids.map((id) => id.split('/')[1] ?? ''))) {
      const employee = employees.get(employeeId);
      if (employee !== undefined) yield* employeeRows(employee, workdays.get(employeeId) ?? [], own);
    }
  }
}

function* employeeRows(employee: EmployeeFacts, months: readonly MonthDocument[], { from, to }: YearExportValues) {
  const minutes = new Map<string, number>();
  for (const month of months) for (const workday of month.workdays) addNet(minutes, workday);
  const last = DateTime.fromISO(to, ZONE);
  for (let day = DateTime.fromISO(from, ZONE); day <= last; day = day.plus({ days: 1 })) {
    const date = day.toISODate() ?? '';
    const hours = Math.round(((minutes.get(date) ?? 0) / 60) * 100) / 100;
    const { number, lastName, firstName, department, costCenter } = employee;
    const about = [number, lastName, firstName, department, costCenter];
    yield [...about, date, day.weekdayLong ?? '', day.weekNumber, day.year, 'daily:hours', 'hours', hours];
  }
}

/** Adds the minutes of presence without breaks to each local date. */
function addNet(minutes: Map<string, number>, { started_at, ended_at, timespans }: WorkdayDocument): void {
  const pieces: [Date, Date, number][] = [[started_at, ended_at, 1]];
  for (const { type, started_at, ended_at } of timespans) if (type === 'break') pieces.push([started_at, ended_at, -1]);
  for (const [from, to, sign] of pieces) {
    const end = DateTime.fromJSDate(to, ZONE);
    for (let at = DateTime.fromJSDate(from, ZONE); at < end;) {
      const midnight = at.startOf('day').plus({ days: 1 });
      const until = midnight < end ? midnight : end;
      const date = at.toISODate() ?? '';
      minutes.set(date, (minutes.get(date) ?? 0) + sign * until.diff(at, 'minutes').minutes);
      at = until;
    }
  }
}

const spanSchema = new Schema({ id: String, type: String, started_at: Date, ended_at: Date, project_id: String, comment: String });
const workdaySchema = new Schema({ id: String, date: Number, started_at: Date, ended_at: Date, timespans: [spanSchema] });
const monthSchema = new Schema<MonthDocument>({
  _id: String,
  employee_id: String,
  workdays: [workdaySchema] as never,
});
