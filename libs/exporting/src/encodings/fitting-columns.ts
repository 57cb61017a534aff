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
      if (!encoding.fits(text)) throw AppError.invalid({ export_format: [unfit(text, column, row, encoding)] });
      return text;
    },
  }));
}

/** Reports the cell that cannot be encoded. */
export function unfit(text: string, { header }: ChosenColumn, { block }: Row, encoding: TextEncoding): string {
  return `${quoted(text)} (${header} of employee ${block.staff.number}) has characters that ${encoding.name} cannot encode.`;
}
