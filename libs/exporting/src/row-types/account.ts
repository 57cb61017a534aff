import { setSeconds, type RowType } from './row-type.js';

/** The balance of the working time account: one row per employee. */
export const overtimeAccount: RowType = {
  id: 'overtime-account:hours',
  label: 'Arbeitszeitkonto',
  unit: 'hours',
  title: 'Arbeitszeitkonto (Stunden)',
  description: 'Stand des Kontos am Ende des Zeitraums: der letzte Anfangsbestand eines Monats zuzüglich aller Salden seither.',
  example: 'types=overtime-account:hours',
  needs: ['contracts', 'absences', 'workdays', 'timespans', 'openingBalances'],
  write(sheet, row, emit) {
    setSeconds(row, sheet.accountSeconds);
    emit(row);
  },
};
