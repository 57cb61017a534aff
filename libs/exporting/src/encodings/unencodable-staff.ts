import { EventLoopBreaks } from '@stechuhr/kernel';
import type { ChosenColumn } from '../columns/choose-columns.js';
import { departmentOf, type ExportDirectory, type StaffMember } from '../directory.js';
import type { SectionRequest } from '../request/export-request.js';
import { Row } from '../row.js';
import { encodableForm } from './encodable-columns.js';
import type { TextEncoding } from './text-encoding.js';

/** Whether the texts of a column are about the employee or the row type. Numbers and dates can always be encoded. */
export function isOfBlock({ constant, stage, fromNumber }: ChosenColumn): boolean {
  return constant || (stage.kind === 'text' && !fromNumber);
}

/**
 * Returns the employees of whom a row would contain a name, a number, a department or a label that the encoding lacks. Whether they have rows is
 * in their records. Pauses for other requests, because a large company takes long.
 */
export async function unencodableStaff(
  { columns, types }: Pick<SectionRequest, 'columns' | 'types'>,
  staff: readonly StaffMember[],
  { directory, encoding }: { readonly directory: ExportDirectory; readonly encoding: TextEncoding },
): Promise<readonly StaffMember[]> {
  const found: StaffMember[] = [];
  const breaks = new EventLoopBreaks();
  for (const member of staff) {
    if (breaks.isDue) await breaks.take();
    const department = departmentOf(member, directory);
    const isUnencodable = types.some((type) => {
      // In this row, columns that depend on records are empty.
      const row = new Row({ staff: member, department, type });
      return columns.some((column) => encodableForm(column.cell(row), encoding) === undefined);
    });
    if (isUnencodable) found.push(member);
  }
  return found;
}
