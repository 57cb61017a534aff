import { readSlices, type MongoDb } from '@stechuhr/mongo';
import {
  dayParts,
  formatLocalDate,
  isoWeek,
  parseLocalDate,
  roundedHours,
  weekday,
  calendarDate,
  type EpochDay,
  type Workday,
} from '@stechuhr/worktime';
import type { EmployeeFacts } from './employees.js';
import { MONTH_PROJECTION, monthIdSlices, type MonthDocument, type WorkdayDocument } from './stored-months.js';
import type { YearExportValues } from './year-export.js';

/** A row of the year's export, with cells in the order of the columns. */
export type DailyRow = readonly (string | number)[];

const WEEKDAYS = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'];

/**
 * Yields the rows of the year's export. It reads and computes like the platform, but in a single process, and leaves writing to the caller.
 */
export async function* dailyRows(database: MongoDb, values: YearExportValues): AsyncGenerator<DailyRow> {
  const months = database.connection.collection('workmonths');
  const first = parseLocalDate(values.from) ?? 0;
  const last = parseLocalDate(values.to) ?? 0;
  const employees = values.employees.values();
  for await (const slice of readSlices<MonthDocument>(months, monthIdSlices(values.stored), { projection: MONTH_PROJECTION })) {
    const byEmployee = Map.groupBy(slice, ({ employee_id }) => employee_id);
    for (let n = 0; n < byEmployee.size; n += 1) {
      const employee = employees.next().value;
      if (employee === undefined) return;
      yield* employeeRows(employee, byEmployee.get(employee.id) ?? [], { first, last });
    }
  }
}

function* employeeRows(employee: EmployeeFacts, months: readonly MonthDocument[], { first, last }: { first: EpochDay; last: EpochDay }) {
  const { number, lastName, firstName, department, costCenter } = employee;
  const net = new Map<EpochDay, number>();
  for (const { workdays } of months) {
    for (const workday of workdays) for (const part of dayParts(toWorkday(workday))) net.set(part.day, (net.get(part.day) ?? 0) + part.net);
  }
  for (let day = first; day <= last; day += 1) {
    const when = [formatLocalDate(day), WEEKDAYS[weekday(day)] ?? '', isoWeek(day).week, calendarDate(day).year];
    yield [number, lastName, firstName, department, costCenter, ...when, 'daily:hours', 'hours', roundedHours(net.get(day) ?? 0)];
  }
}

function toWorkday({ date, started_at, ended_at, timespans }: WorkdayDocument): Workday {
  const spans = timespans.map((span) => {
    return { id: '', type: span.type, ...instants(span), projectId: null, comment: null };
  });
  return { id: '', date, ...instants({ started_at, ended_at }), timespans: spans };
}

function instants({ started_at, ended_at }: { readonly started_at: Date; readonly ended_at: Date }) {
  return { startedAt: started_at.getTime() / 1000, endedAt: ended_at.getTime() / 1000 };
}
