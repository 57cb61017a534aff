import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { Failure } from '../../failure.js';
import type { Mapping } from './mapping.js';

/** A row of a file. Rows can span several lines; the number is that of the first one, counted from 1. */
export interface Row {
  /** As given on the command line. */
  readonly file: string;
  readonly line: number;
  readonly cells: readonly string[];
}

/** A longer row is most likely caused by an unclosed quotation mark. It is then unknown where the next row begins. */
const MAX_ROW_BYTES = 1_048_576;
const TOO_LONG = 'CSV_MAX_RECORD_SIZE';

interface ReadOptions {
  readonly file: Mapping['file'];
  /** As given on the command line. */
  readonly name: string;
  /** Reports what cannot be parsed as a row. */
  readonly onUnreadable: (line: number, reason: string) => void;
}

/**
 * Reads the rows of a CSV file as a stream, up to a row that is too long; rows without text are skipped.
 * @throws Failure if bytes are not valid in the encoding
 */
export async function* readRows(chunks: AsyncIterable<Uint8Array>, { file, name, onUnreadable }: ReadOptions): AsyncGenerator<Row> {
  let lines = 0;
  let empty = 0;
  let isOver = false;
  const nextLine = (emptyLines: number): number => lines + (emptyLines - empty) + 1;
  const parser = parse({
    bom: true,
    delimiter: file.delimiter,
    quote: file.quote,
    escape: file.quote,
    record_delimiter: '\n',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW_BYTES,
    // The parser counts lines up to the end of a row; prepending the number here gives the line on which the row begins.
    on_record: (cells, info) => {
      if (isOver) return undefined;
      const line = nextLine(info.empty_lines);
      [lines, empty] = [info.lines, info.empty_lines];
      return [String(line), ...cells];
    },
    on_skip: (error): undefined => {
      // After a row that is too long, the parser reports each further chunk.
      if (isOver) return;
      isOver = error?.code === TOO_LONG;
      onUnreadable(nextLine(Number(error?.['empty_lines'] ?? empty)), problemOf(error?.code));
    },
  });
  const reading = pipeline(Readable.from(textOf(chunks, { encoding: file.encoding, name, isOver: () => isOver })), unixLines(), parser);
  // The loop over the parser throws the same error.
  reading.catch(() => undefined);
  for await (const [line, ...raw] of parser as AsyncIterable<readonly string[]>) {
    // Composed, as most programs write letters: macOS writes u and U+0308 for ü, which would be another header, name or number.
    const cells = raw.map((cell) => cell.trim().normalize('NFC'));
    if (cells.some((cell) => cell !== '')) yield { file: name, line: Number(line), cells };
  }
  await reading;
}

function problemOf(code: string | undefined): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'A quotation mark of this row, or of one after it, is not closed.';
  if (code === TOO_LONG)
    return `The row is longer than ${String(MAX_ROW_BYTES)} bytes; perhaps a quotation mark is not closed. The rest of the file was not read.`;
  return 'The row cannot be read as CSV.';
}

interface TextOptions {
  readonly encoding: Mapping['file']['encoding'];
  readonly name: string;
  /** Whether no further text is needed. */
  readonly isOver: () => boolean;
}

async function* textOf(chunks: AsyncIterable<Uint8Array>, { encoding, name, isOver }: TextOptions): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decoded = (read: () => string): string => {
    try {
      return read();
    } catch (caught) {
      const advice = encoding === 'utf-8' ? ' If it was saved on Windows, "encoding": "windows-1252" in the mapping reads it.' : '';
      throw new Failure(`${name} is not ${encoding}.${advice} What was accepted before is kept.`, 1, caught);
    }
  };
  for await (const chunk of chunks) {
    if (isOver()) return;
    const text = decoded(() => decoder.decode(chunk, { stream: true }));
    if (text !== '') yield text;
  }
  yield decoded(() => decoder.decode());
}

/** Normalizes line ends, so that lines are counted alike inside and outside of quotation marks. */
function unixLines(): Transform {
  let held = '';
  return new Transform({
    decodeStrings: false,
    encoding: 'utf8',
    transform(chunk: string, _encoding, done: TransformCallback) {
      const text = held + chunk;
      held = text.endsWith('\r') ? '\r' : '';
      done(null, (held === '' ? text : text.slice(0, -1)).replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
    },
    flush: (done) => done(null, held === '' ? '' : '\n'),
  });
}
