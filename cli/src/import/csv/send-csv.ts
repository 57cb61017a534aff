import { cutText, nearest } from '@stechuhr/kernel';
import { Failure } from '../../failure.js';
import { counted, type Reading } from '../send-source.js';
import type { ImportSession } from '../session.js';
import type { Source } from '../sources.js';
import type { Directory } from './directory.js';
import { employeeRows } from './employees.js';
import { columnsOf, type Mapping } from './mapping.js';
import { RowReader, type Column, type Convert } from './row-reader.js';
import { readRows, type Row } from './rows.js';
import { workdayRows } from './workdays.js';

/** The state of reading the CSV files of one command: the mapping, and the rows seen so far. */
export interface CsvReading {
  readonly mapping: Mapping;
  readonly convert: Convert;
}

/** Starts reading CSV files. Each row is compared with those of all files of the command. */
export function readingOf(mapping: Mapping, directory: Directory): CsvReading {
  const convert = mapping.kind === 'employee' ? employeeRows(mapping, directory) : workdayRows(mapping, directory);
  return { mapping, convert };
}

/** Reads a CSV file to its end and sends each row as a record, at the speed at which the services accept them. */
export async function sendCsv(
  session: ImportSession,
  source: Source,
  { mapping, convert }: CsvReading,
  onRead: (reading: Reading) => void,
): Promise<void> {
  const { name } = source;
  const { kind } = mapping;
  let bytes = 0;
  let lines = 0;
  let header: Header | undefined;
  const reject = (line: number, reason: string, id: string | null = null) => session.reject({ file: name, line, kind, id, reason });
  const rows = readRows(
    counted(source, (size) => (bytes += size)),
    { file: mapping.file, name, onUnreadable: reject },
  );
  for await (const row of rows) {
    lines += 1;
    onRead({ bytes, lines });
    if (header === undefined) {
      header = headerOf(row, mapping, name);
      continue;
    }
    const misfit = widthProblem(row, header.width);
    if (misfit !== undefined) {
      reject(row.line, misfit);
      continue;
    }
    const converted = convert(row, new RowReader(row, header.columns));
    if ('problems' in converted) reject(row.line, converted.problems.join(' '), converted.id);
    else {
      const full = session.send('records', {
        file: name,
        line: row.line,
        json: JSON.stringify(converted.record),
        ifVersion: converted.ifVersion,
      });
      if (full !== undefined) await full;
    }
  }
}

interface Header {
  readonly columns: ReadonlyMap<string, Column>;
  readonly width: number;
}

/** @throws Failure (wrong usage) that names every missing column */
function headerOf({ cells }: Row, mapping: Mapping, file: string): Header {
  const problems: string[] = [];
  const columns = new Map<string, Column>();
  for (const [field, name] of columnsOf(mapping)) {
    const index = cells.indexOf(name.trim());
    if (index < 0) problems.push(missing(name, cells));
    else if (cells.includes(name.trim(), index + 1)) problems.push(`Column "${name}" occurs twice.`);
    columns.set(field, { name, index });
  }
  if (problems.length > 0) throw new Failure(`The header of ${file} does not match the mapping:\n${problems.join('\n')}`, 2);
  return { columns, width: cells.length };
}

const FEW = 20;
const MAX_SHOWN = 60;

function missing(name: string, cells: readonly string[]): string {
  const there = cells.filter((cell) => cell !== '');
  const meant = nearest(name, there);
  if (meant !== undefined) return `Column "${name}" is missing; did you mean "${meant}"?`;
  const shown = there.slice(0, FEW).map((cell) => `"${cutText(cell, MAX_SHOWN)}"`);
  return `Column "${name}" is missing; there are ${shown.join(', ')}${there.length > FEW ? ', …' : ''}.`;
}

/** Some programs end rows with extra delimiters; cells beyond the header are accepted if they are empty. */
function widthProblem({ cells }: Row, width: number): string | undefined {
  const isWider = cells.slice(width).some((cell) => cell !== '');
  if (cells.length >= width && !isWider) return undefined;
  return `The row has ${String(cells.length)} cells, and the header ${String(width)}.`;
}

/** Replaces the field names in a message of a service by the columns that they were read from. */
export function inColumns(mapping: Mapping): (text: string) => string {
  const columns = [...columnsOf(mapping)].map(([field, name]) => ({ field, name, mention: mentionOf(field) }));
  return (text) => {
    const named = columns.filter(({ mention }) => mention.test(text));
    return named.length === 0 ? text : `${text} (${named.map(({ field, name }) => `${field} is column "${name}"`).join(', ')})`;
  };
}

/** A whole word, since one field may be part of another. Names of custom fields may have any characters. */
function mentionOf(field: string): RegExp {
  const escaped = field.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])`, 'u');
}
