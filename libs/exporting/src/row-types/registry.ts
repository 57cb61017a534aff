import type { AbsenceType } from '@stechuhr/worktime';
import type { ReferenceEntry } from '../reference.js';
import type { RowDetail } from '../row.js';
import { overtimeAccount } from './account.js';
import { finerTypes } from './finer.js';
import type { RowType } from './row-type.js';
import { absenceTotalTypes, totalTypes } from './totals.js';
import { vacationTypes } from './vacation.js';

const builtin: readonly RowType[] = [...totalTypes, overtimeAccount, ...vacationTypes, ...finerTypes];

/** The row types of every institution, and placeholders for those of its absence types, for the reference page. */
export const rowTypeReference: readonly (ReferenceEntry & Pick<RowType, 'details'>)[] = [
  ...builtin,
  {
    id: '<missing_type>:hours',
    title: 'Einzelne Abwesenheitsart (Stunden)',
    description: 'Jede Abwesenheitsart der Organisation ist auch ein Zeilentyp: ihre Stunden im Zeitraum.',
    example: 'types=vacation:hours',
    details: ['absence'],
  },
  {
    id: '<missing_type>:days',
    title: 'Einzelne Abwesenheitsart (Tage)',
    description: 'Jede Abwesenheitsart der Organisation ist auch ein Zeilentyp: ihre Tage im Zeitraum.',
    example: 'types=vacation:days',
    details: ['absence'],
  },
];

/** Returns the row types whose rows have a detail. */
export function typesWith(detail: RowDetail): readonly string[] {
  return rowTypeReference.filter(({ details }) => details?.includes(detail)).map(({ id }) => id);
}

/** The row types of requests without `types`. */
export const DEFAULT_TYPES: readonly string[] = ['credit-time:hours'];

/** Returns the row types of an institution with these absence types, by id. */
export function rowTypesOf(absenceTypes: readonly AbsenceType[]): ReadonlyMap<string, RowType> {
  // Built-in types come last, so they take precedence over absence types of the same name.
  return new Map([...absenceTypes.flatMap(absenceTotalTypes), ...builtin].map((type) => [type.id, type]));
}
