import { calendarDate, type DateRange } from '@stechuhr/worktime';
import type { Report } from '../problems.js';
import type { RowType } from '../row-types/row-type.js';
import { countColumn, fixedColumnReference, textColumn, unitColumn, wholeColumn, type FixedLayout } from './fixed-layout.js';
import { payrollFormats } from './formats.js';
import { ABSENCES, absenceDayCount, absenceSeconds, totalCode, WORK, type WageCodeTexts } from './wage-code.js';

/** The `config` of the example requests on the reference pages. */
const EXAMPLE_CONFIG = '1234567|12345';

function texts(id: string, label: string, description: string): WageCodeTexts {
  return { id, label, description, example: `config=${EXAMPLE_CONFIG}` };
}

const wageCodes: readonly RowType[] = [
  totalCode(texts('1000', 'Iststunden', 'Erfasste Arbeitszeit ohne Pausen.'), {
    unit: 'hours',
    needs: WORK,
    figure: ({ totals }) => totals.net,
  }),
  totalCode(texts('8560', 'Urlaubstage', 'Tage mit Abwesenheiten der Kategorie Urlaub, halbe Tage als 0,50.'), {
    unit: 'days',
    needs: ABSENCES,
    figure: absenceDayCount('vacation'),
  }),
  totalCode(texts('1602', 'Urlaubsstunden', 'Stunden der Abwesenheiten der Kategorie Urlaub.'), {
    unit: 'hours',
    needs: ABSENCES,
    figure: absenceSeconds('vacation'),
  }),
  totalCode(texts('8570', 'Krankheitstage', 'Tage mit Abwesenheiten der Kategorie Krankheit, halbe Tage als 0,50.'), {
    unit: 'days',
    needs: ABSENCES,
    figure: absenceDayCount('sick'),
  }),
  totalCode(texts('1652', 'Krankheitsstunden', 'Stunden der Abwesenheiten der Kategorie Krankheit.'), {
    unit: 'hours',
    needs: ABSENCES,
    figure: absenceSeconds('sick'),
  }),
  totalCode(texts('1015', 'Feiertagsstunden', 'Sollzeit, die auf gesetzliche Feiertage fällt.'), {
    unit: 'hours',
    needs: ['contracts'],
    figure: ({ totals }) => totals.publicHoliday.seconds,
  }),
];

/** The time import of DATEV Lohn und Gehalt: advisor, client and month in the first row, then one row per employee and wage code. */
export const payrollB: FixedLayout = {
  wageCodes,
  absences: new Set(['vacation', 'sick']),
  numbers: { accepts: isPersonnelNumber, form: 'a personnel number of DATEV Lohn und Gehalt, which has one to five digits' },
  choosesCodes: false,
  formats: payrollFormats({ header: false, layouts: true }),
  columns: ({ format }) => [
    textColumn('accounting-number', ({ block }) => block.staff.accountingNumber),
    wholeColumn('wage-code', ({ block }) => Number(block.type.id), true),
    ...(format.splitsUnits === true ? [unitColumn('hours', 'hours'), unitColumn('days', 'days')] : [countColumn('value', format)]),
  ],
  columnReference: fixedColumnReference(
    [
      ['accounting-number', 'Lohnnummer', 'Lohnnummer der Person, wie sie erfasst ist; wer keine hat, fehlt in der Datei.'],
      ['wage-code', 'Lohnart', 'Nummer der Lohnart.'],
      [
        'value',
        'Anzahl',
        'Stunden oder Tage mit zwei Stellen und Dezimalkomma, in JSON und Excel als Zahl. Mit csv:layout>datev sind es zwei Felder.',
      ],
    ],
    'export_format=json',
  ),
  required: { config: EXAMPLE_CONFIG },
  readFirstRow,
};

/** Whether a number has one to five digits and is not 0; leading zeros are ignored. */
function isPersonnelNumber(accountingNumber: string): boolean {
  return /^0*[1-9][0-9]{0,4}$/.test(accountingNumber);
}

/** `<advisor_number>|<client_number>`. */
export const PAYROLL_B_CONFIG = /^[0-9]+\|[0-9]+$/;

/** Returns both numbers as they were sent, and the month as `MM/YYYY`. */
function readFirstRow(config: string | null, period: DateRange, report: Report): readonly string[] | null {
  if (config === null) {
    report('This field is required.');
    return null;
  }
  if (!PAYROLL_B_CONFIG.test(config)) {
    report('Must have the form <advisor_number>|<client_number>, both of digits only.');
    return null;
  }
  const { year, month } = calendarDate(period.first);
  return [...config.split('|'), `${String(month).padStart(2, '0')}/${String(year).padStart(4, '0')}`];
}
