import type { DateRange } from '@stechuhr/worktime';
import type { ReferenceEntry } from '../reference.js';
import { typesWith } from '../row-types/registry.js';
import type { Column } from './column.js';
import { CUSTOM, customColumn, customFieldOf, employeeColumns } from './employee-columns.js';
import { periodColumns, rowColumns } from './row-columns.js';

/** The column that identifies the employee; examples show it next to the column that they explain. */
const NAME = 'last-name';

/** All columns, for the reference page. */
export const columnReference: readonly ReferenceEntry[] = [
  ...employeeColumns.map(referenceTo),
  {
    id: `${CUSTOM}<field>`,
    title: 'Eigenes Feld',
    description: 'Ein eigenes Feld der Person; leer, wo sie keines dieses Namens hat.',
    example: 'columns=last-name|custom.position',
    filledBy: 'all',
  },
  ...[...rowColumns, ...periodColumns({ first: 0, last: 0 })].map(referenceTo),
];

/** Returns the reference entry of a column, with an example request in which the column is filled. */
function referenceTo({ id, title, description, detail }: Column): ReferenceEntry {
  const example = `columns=${id === NAME ? id : `${NAME}|${id}`}`;
  if (detail === undefined) return { id, title, description, example, filledBy: 'all' };
  const filledBy = typesWith(detail);
  return { id, title, description, example: `${example}&types=${filledBy[0] ?? ''}`, filledBy };
}

/** The columns of requests without `columns`. */
export const DEFAULT_COLUMNS: readonly string[] = ['last-name', 'first-name', 'type', 'value'];

/** Column names for suggestions. */
export const columnIds: readonly string[] = columnReference.map(({ id }) => id).filter((id) => !id.startsWith(CUSTOM));

const fixedColumns: ReadonlyMap<string, Column> = new Map([...employeeColumns, ...rowColumns].map((column) => [column.id, column]));

/** Finds a column by its name in a request; undefined if it is unknown. */
export function findColumn(id: string, period: DateRange): Column | undefined {
  if (!id.startsWith(CUSTOM)) return fixedColumns.get(id) ?? periodColumns(period).find((column) => column.id === id);
  const field = customFieldOf(id);
  return field === undefined ? undefined : customColumn(CUSTOM + field, field);
}
