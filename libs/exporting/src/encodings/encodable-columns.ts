import { AppError } from '@stechuhr/kernel';
import type { ChosenColumn } from '../columns/choose-columns.js';
import { quoted } from '../problems.js';
import type { Row } from '../row.js';
import type { TextEncoding } from './text-encoding.js';

/**
 * Wraps the columns of a file so that they throw AppError `invalid` for a cell with a character that the encoding lacks. UTF-8 lacks none.
 */
export function encodableColumns(columns: readonly ChosenColumn[], encoding: TextEncoding): readonly ChosenColumn[] {
  if (encoding.name === 'utf-8') return columns;
  return columns.map((column) => ({
    ...column,
    cell: (row) => {
      const text = column.cell(row);
      const encodable = encodableForm(text, encoding);
      if (encodable === undefined) throw AppError.invalid({ export_format: [encodingProblem(text, column, row, encoding)] });
      return encodable;
    },
  }));
}

/**
 * Returns a text in a form that the encoding can write. Letters with combining marks, as macOS writes them, are composed if the encoding
 * lacks the marks. Undefined if it lacks the composed letters as well.
 */
export function encodableForm(text: string, encoding: TextEncoding): string | undefined {
  if (encoding.canEncode(text)) return text;
  const composed = text.normalize('NFC');
  return encoding.canEncode(composed) ? composed : undefined;
}

/** Returns the error message for a cell that cannot be encoded. */
export function encodingProblem(text: string, { header }: ChosenColumn, { block }: Row, encoding: TextEncoding): string {
  return `${quoted(text)} (${header} of employee ${block.staff.number}) has characters that ${encoding.name} cannot encode.`;
}
