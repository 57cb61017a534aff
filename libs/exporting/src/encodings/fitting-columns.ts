import { AppError } from '@stechuhr/kernel';
import type { ChosenColumn } from '../columns/choose-columns.js';
import { quoted } from '../problems.js';
import type { Row } from '../row.js';
import type { TextEncoding } from './text-encoding.js';

/** The columns of a file, refusing each cell that its encoding lacks a character for. UTF-8 lacks none. */
export function fittingColumns(columns: readonly ChosenColumn[], encoding: TextEncoding): readonly ChosenColumn[] {
  if (encoding.name === 'utf-8') return columns;
  return columns.map((column) => ({
    ...column,
    cell: (row) => {
      const text = column.cell(row);
      const fitting = fitted(text, encoding);
      if (fitting === undefined) throw AppError.invalid({ export_format: [unfit(text, column, row, encoding)] });
      return fitting;
    },
  }));
}

/**
 * A text as the encoding can write it: letters with combining marks, which macOS writes, are composed where it lacks the marks. Undefined
 * where it lacks the letters, too.
 */
export function fitted(text: string, encoding: TextEncoding): string | undefined {
  if (encoding.fits(text)) return text;
  const composed = text.normalize('NFC');
  return encoding.fits(composed) ? composed : undefined;
}

/** Reports the cell that cannot be encoded. */
export function unfit(text: string, { header }: ChosenColumn, { block }: Row, encoding: TextEncoding): string {
  return `${quoted(text)} (${header} of employee ${block.staff.number}) has characters that ${encoding.name} cannot encode.`;
}
