import { createRandom } from '@stechuhr/demo-firm';
import { formatLocalDate, formatLocalDateTime, offsetAt, parseLocalDate } from '@stechuhr/worktime';

/** A column of the table that formatters write. */
export interface TableColumn {
  readonly header: string;
  readonly kind: 'text' | 'day' | 'moment' | 'number';
  /** Whether the cell is equal in all rows of an employee, like name and department in an export. */
  readonly shared: boolean;
}

/** A row in all representations that formatters accept. They are created before the measurement. */
export interface TableRow {
  /** Cells as printed text. */
  readonly texts: readonly string[];
  /** Days and instants as numbers, since the epoch. */
  readonly values: readonly (string | number)[];
  /** Days and instants as serial numbers of spreadsheets. */
  readonly serials: readonly (string | number)[];
  /** The row as a JSON object. */
  readonly record: Readonly<Record<string, string | number | null>>;
}

function column(header: string, kind: TableColumn['kind'], shared = false): TableColumn {
  return { header, kind, shared };
}

/** Twelve columns that are typical for a payroll office. */
export const tableColumns: readonly TableColumn[] = [
  column('employee-number', 'text', true),
  column('last-name', 'text', true),
  column('first-name', 'text', true),
  column('department', 'text', true),
  column('cost-center', 'text', true),
  column('date', 'day'),
  column('start', 'moment'),
  column('end', 'moment'),
  column('break', 'number'),
  column('value', 'number'),
  column('project-name', 'text'),
  column('comment', 'text'),
];

const ROWS_AN_EMPLOYEE = 365;
/**
 * Rows repeat after this number of employees, which is far more than a deflate window covers. They are created in advance: creating them
 * while they are written would be measured too.
 */
const DIFFERENT_EMPLOYEES = 20;
const DAY_SECONDS = 86_400;
const SERIAL_OF_EPOCH = 25_569;
const SERIAL_DECIMALS = 10;
const FIRST_DAY = parseLocalDate('2025-01-01') ?? 0;

const lastNames = ['Müller', 'Groß', 'Yılmaz', 'von der Heide', 'Schönfelder', 'Nowak', "O'Brien", 'Łukaszewski'];
const firstNames = ['Jörg', 'Änne', 'Mehmet', 'Sofía', 'Karl-Heinz', 'Zoë', 'Ida', 'Bogusława'];
const departments = ['Rohbau', 'Ausbau Nord', 'Garten- und Landschaftsbau', 'Büro, Verwaltung'];
const projects = ['Neubau Kita Lindenstraße', 'Sanierung Rathaus', 'Brücke A7, Los 2', 'Lager', 'Umbau "Alte Post"'];
const comments = [
  '',
  '',
  '',
  'Material geholt',
  'Regen, ab Mittag Innenausbau',
  'Prüfung mit "TÜV"',
  'Übergabe an Hrn. Groß',
  'Teil 1\r\nTeil 2',
];

const years = Array.from({ length: DIFFERENT_EMPLOYEES }, (_, employee) => yearOf(employee));

/** Yields the rows of each employee, `rows` in total. */
export function* employeesOf(rows: number): Generator<readonly TableRow[], void, undefined> {
  for (let left = rows, index = 0; left > 0; left -= ROWS_AN_EMPLOYEE, index += 1) {
    const year = years[index % years.length] ?? [];
    yield left >= year.length ? year : year.slice(0, left);
  }
}

function yearOf(employee: number): readonly TableRow[] {
  const { next: random, pick } = createRandom(employee);
  const shared = [String(10_000 + employee * 37), pick(lastNames), pick(firstNames), pick(departments), String(4000 + employee)];
  return Array.from({ length: ROWS_AN_EMPLOYEE }, (_, index) => {
    const day = FIRST_DAY + index;
    const start = day * DAY_SECONDS + 5 * 3600 + Math.floor(random() * 7200);
    const end = start + 7 * 3600 + Math.floor(random() * 7200);
    const pause = Math.floor(random() * 5) / 4;
    const worked = Math.round(((end - start) / 3600 - pause) * 100) / 100;
    return rowOf([...shared, day, start, end, pause, worked, pick(projects), pick(comments)]);
  });
}

function rowOf(values: readonly (string | number)[]): TableRow {
  const kindOf = (index: number): TableColumn['kind'] | undefined => tableColumns[index]?.kind;
  const texts = values.map((value, index) => {
    if (kindOf(index) === 'day') return formatLocalDate(Number(value));
    return kindOf(index) === 'moment' ? formatLocalDateTime(Number(value)) : String(value);
  });
  const serials = values.map((value, index) => serialOf(value, kindOf(index)));
  const cells = tableColumns.map(({ header, kind }, index): [string, string | number | null] => {
    const text = texts[index] ?? '';
    return [header, text === '' ? null : kind === 'number' ? Number(values[index]) : text];
  });
  return { texts, values, serials, record: Object.fromEntries(cells) };
}

function serialOf(value: string | number, kind: TableColumn['kind'] | undefined): string | number {
  if (kind === 'day') return Number(value) + SERIAL_OF_EPOCH;
  if (kind !== 'moment') return value;
  const clock = Number(value) + offsetAt(Number(value));
  const day = Math.floor(clock / DAY_SECONDS);
  const fraction = (clock / DAY_SECONDS - day).toFixed(SERIAL_DECIMALS);
  return Number(String(day + SERIAL_OF_EPOCH) + fraction.slice(1));
}
